//! Foreign text never moves the cursor, never turns the direction of text, never breaks the layout.

use runsheet_tui::Setup;

use crate::harness::{Story, buffer, check, press, with};

const EVIL: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\r\n\u{202e}txet\u{202c}\u{2066}x\u{2069}\u{200b}\u{feff}\u{7f}\0";

fn hostile() -> Story {
    let mut story = Story::new(1, EVIL, Some("/tmp/\u{1b}[31mevil"));
    story.turn(1).asks(EVIL).says(EVIL).ago(30);
    story.runs(EVIL, EVIL).gives(EVIL, Some(1), true);
    let item = |status: &str| format!("{status}: {EVIL}");
    story.plans(&[&item("runs"), "open: שלום עולם مرحبا", "open: e\u{301}\u{301}\u{301}\u{301} zalgo", &item("done")]);
    story
}

#[test]
fn text() {
    let story = hostile();
    let stories = [&story];
    let mut model = with(Setup::default(), &stories, (100, 30));
    check!(model, @r"
    runsheet · 1 session · 1 working
    \x1b[31mevil  /tmp/\x1b[31mevil         ● \x1b[2J\x1b]0;owned\x07\x9b31m
    ● \x1b[2J\x1b]0… 1/4 \x1b[2J\x1b]0;o…






                                             session \x1b[2J\x1b]0;owned\x07\x9b31m
                                                     \u{202e}txet\u{202c}\u{2066}x\u{2069}\u{200b}\u{…
                                             turn  1 · 10m ago ─────
                                             you   \x1b[2J\x1b]0;owned\x07\x9b31m
                                                   \u{202e}txet\u{202c}\u{2066}x\u{2069}\u{200b}\u{
                                                   feff}\x7f\x00
                                             agent \x1b[2J\x1b]0;owned\x07\x9b31m
                                                   \u{202e}txet\u{202c}\u{2066}x\u{2069}\u{200b}\u{
                                                   feff}\x7f\x00
                                             \x1b[2J\x1b]0;owned… \x1b[2J\x1b]0;owned\x07\x9b31m exit 1
                                                                  ✗ \x1b[2J\x1b]0;owned\x07\x9b31m
                                             todo  1/4 · \x1b[2J\x1b]0;owned\x07\x9b31m
                                                   \u{202e}txet\u{202c}\u{2066}x\u{2069}\u{200b}\u{…
                                                   (done 1, added 4)
                                            ┌ Plan 1/4 ───────────────────────────────────────────────┐
                                            │ ● \x1b[2J\x1b]0;owned\x07\x9b31m…                   30s │
                                            │ ○ שלום עולם مرحبا                                       │
                                            │ ○ é́́́ zalgo                                               │
                                            │ ✓ \x1b[2J\x1b]0;owned\x07\x9b31m…                       │
                                            └─────────────────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    press(&mut model, &stories, "enter k k enter");
    check!(model, @r"
     runsheet · 1 session · 1 working
    ┌ j/k scroll · esc close ──────────────────────────────────────────────────────────────────────────┐
    │agent · event 3 · 2027-01-15T07:50:00.000Z                                                        │
    │\x1b[2J\x1b]0;owned\x07\x9b31m\r                                                                  │
    │\u{202e}txet\u{202c}\u{2066}x\u{2069}\u{200b}\u{feff}\x7f\x00                                     │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    └──────────────────────────────────────────────────────────────────────────────────────────────────┘
     j/k move  enter read  [ ] writes  t plan  esc back  ? help  q quit
    ");
    press(&mut model, &stories, "esc t enter");
    check!(model, @r"
     runsheet · 1 session · 1 working
    ┌ j/k scroll · esc close ──────────────────────────────────────────────────────────────────────────┐
    │● in progress                                                                                     │
    │\x1b[2J\x1b]0;owned\x07\x9b31m\r                                                                  │
    │\u{202e}txet\u{202c}\u{2066}x\u{2069}\u{200b}\u{feff}\x7f\x00                                     │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    │                                                                                                  │
    └──────────────────────────────────────────────────────────────────────────────────────────────────┘
     j/k move  enter read  [ ] writes  t timeline  esc back  ? help  q quit
    ");
}

#[test]
fn no_cell_has_a_control() {
    let story = hostile();
    let stories = [&story];
    for size in [(200, 60), (100, 30), (80, 24), (40, 12), (20, 6)] {
        let mut model = with(Setup::default(), &stories, size);
        for keys in ["enter", "k", "enter", "esc", "t", "enter", "esc", "[", "?", "esc"] {
            press(&mut model, &stories, keys);
            for cell in &buffer(&model).content {
                let bad = |c: char| {
                    c.is_control() || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
                };
                assert!(!cell.symbol().contains(bad), "{:?} at {size:?}", cell.symbol());
            }
        }
    }
}

#[test]
fn wide_characters() {
    let mut story = Story::new(1, "codex", Some("/home/ada/商店"));
    story.turn(1).asks("修复失败的登录测试，然后更新文档并通知所有相关人员，最后再检查一遍").ago(65);
    let items = [
        "done: 阅读代码",
        "runs: 修复令牌检查 👨\u{200d}👩\u{200d}👧 家庭",
        "runs: ❤\u{fe0f} emoji 🇩🇪",
        "open: ｆｕｌｌ ｗｉｄｔｈ",
    ];
    story.plans(&items).says("好的。我先阅读代码，再运行测试；这个句子很长，所以会换行，而不会在一个字的中间断开。");
    check!(with(Setup::default(), &[&story], (80, 20)), @r"
    runsheet · 1 session · 1 working
    商店  /home/ada/商店            ● 修复失败的登录测试，然后更新文档并通知所有相…
    ● 修复失败的… 1/4 修复令牌… +1

                                     session codex, over mcp
                                     turn  1 · 10m ago ─────
                                     you   修复失败的登录测试，然后更新文档并通知所
                                           有相关人员，最后再检查一遍
                                     todo  1/4 · 修复令牌检查 👨‍👩‍👧 家庭
                                           +1 (done 1, added 4)
                                     agent 好的。我先阅读代码，再运行测试；这个句子
                                           很长，所以会换行，而不会在一个字的中间断
                                           开。
                                    ┌ Plan 1/4 ───────────────────────────────────┐
                                    │ ✓ 阅读代码                                  │
                                    │ ● 修复令牌检查 👨‍👩‍👧 家庭                   1m │
                                    │ ● ❤️ emoji 🇩🇪                            1m │
                                    │ ○ ｆｕｌｌ ｗｉｄｔｈ                       │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    check!(with(Setup::default(), &[&story], (41, 14)), @r"
    runsheet · 1 session · 1 working
    商店  /home/ada/商店
    ● 修复失败的登录… 1/4 修复令牌检查 … +1










    j/k move  enter open  t plan  / filter …
    ");
}

#[test]
fn long_text() {
    let mut story = Story::new(1, "codex", Some("/home/ada/shop-api"));
    let long = "word ".repeat(2_000);
    let solid = "x".repeat(10_000);
    story.turn(1).asks(&long).plans(&[&format!("runs: {solid}"), &format!("runs: {long}"), "open: short"]);
    let stories = [&story];
    let mut model = with(Setup::default(), &stories, (80, 24));
    check!(model, @r"
    runsheet · 1 session · 1 working
    shop-api  /home/ada/shop-api    ● word word word word word word word word word…
    ● word word … 0/3 xxxxxxxx… +1








                                     session codex, over mcp
                                     turn  1 · 10m ago ─────
                                     you   word word word word word word word word
                                           word word word word word word word word
                                           word word word word word word word word…
                                     todo  0/3 · xxxxxxxxxxxxxxxxxxxxx +1 (added 3)
                                           xxxxxxxxxxxxxxxxxxxxxxxxxx…
                                    ┌ Plan 0/3 ───────────────────────────────────┐
                                    │ ● xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… 10m │
                                    │ ● word word word word word word word…   10m │
                                    │ ○ short                                     │
                                    └─────────────────────────────────────────────┘
    j/k move  enter open  t plan  / filter  ? help  q quit
    ");
    // The whole text can be read.
    press(&mut model, &stories, "t j enter G");
    check!(model, @r"
     runsheet · 1 session · 1 working
    ┌ j/k scroll · esc close ──────────────────────────────────────────────────────┐
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word word word word word word word word word word word    │
    │word word word word word                                                      │
    └──────────────────────────────────────────────────────────────────────────────┘
     j/k move  enter read  [ ] writes  t timeline  esc back  ? help  q quit
    ");
}
