//! The test binary as another process: it runs itself again with only the test below, which a variable wakes.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use runsheet_store::{Decision, EventLog, SqliteStore};

use crate::support::{add, list, note, open, options};

const WAKE: &str = "RUNSHEET_STORE_CHILD";

/// A command for this binary to be another process that does `what`.
pub(crate) fn command(what: &str, args: &[&str]) -> Command {
    command_of(&env::current_exe().expect("we have a path"), &[], what, args)
}

/// The same with a program that starts it, such as `unshare`, and the binary at another path.
pub(crate) fn command_of(binary: &Path, starter: &[&str], what: &str, args: &[&str]) -> Command {
    let mut whole: Vec<&std::ffi::OsStr> = starter.iter().map(AsRef::as_ref).collect();
    whole.push(binary.as_os_str());
    let mut command = Command::new(whole[0]);
    command.args(&whole[1..]).args(["child::another_process", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(WAKE, [&[what], args].concat().join("\n"));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// What a child says: the lines that begin with `> `.
pub(crate) fn says(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let stdout = child.stdout.take().expect("it is piped");
    let lines = BufReader::new(stdout).lines().map_while(Result::ok);
    lines.filter_map(|line| line.split_once("> ").map(|(_, said)| said.to_owned()))
}

/// Everything a child says until it ends, which it must do well.
pub(crate) fn run(command: &mut Command) -> Vec<String> {
    let mut child = command.spawn().expect("it starts");
    let said: Vec<String> = says(&mut child).collect();
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}: {said:#?}");
    said
}

fn say(what: &str) {
    // One write for a whole line: the reader must never see half of one when we are killed.
    let mut out = std::io::stdout().lock();
    out.write_all(format!("> {what}\n").as_bytes()).expect("somebody listens");
    out.flush().expect("somebody listens");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_process() {
    let Ok(told) = env::var(WAKE) else { return };
    let words: Vec<&str> = told.lines().collect();
    match words.as_slice() {
        ["write", db, name] => write(db, name).await,
        ["count", db, name, events] => count(db, name, events.parse().unwrap()).await,
        ["hold", db] => hold(db).await,
        ["limited", db, batches, events] => {
            limited(db, batches.parse().unwrap(), events.parse().unwrap()).await;
        }
        ["fill", db] => crate::disk::fill(Path::new(db), say).await,
        ["read-only", db] => crate::paths::look_at_what_is_read_only(Path::new(db), say).await,
        _ => panic!("told to {told}"),
    }
}

/// Four tasks append to the lists `0` to `2` until killed. Each says what was acknowledged: its name, and how many.
async fn write(db: &str, name: &str) {
    let store = Arc::new(open(Path::new(db)));
    let tasks: Vec<_> = (0..4)
        .map(|task| {
            let (store, me) = (Arc::clone(&store), format!("{name}.{task}"));
            tokio::spawn(async move {
                let mut sent = 0;
                while sent < usize::MAX - 3 {
                    let to = format!("{}", (sent / 5) % 3);
                    let size = 1 + sent % 3;
                    let batch = (sent..sent + size).map(|n| note(&format!("{me} {n}"), &format!("{me} {n}"))).collect();
                    add(&store, &to, batch).await.expect("it is appended");
                    for n in sent..sent + size {
                        say(&format!("{me} {n} {to}"));
                    }
                    sent += size;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
}

/// Appends so many events to the list `0`.
async fn count(db: &str, name: &str, events: usize) {
    let store = open(Path::new(db));
    for n in 0..events {
        add(&store, "0", vec![note(&format!("{name} {n}"), &format!("{name} {n}"))]).await.expect("it is appended");
    }
    store.close().await;
    say("done");
}

/// Holds the writer's lock until killed: a decision that never ends.
async fn hold(db: &str) {
    let store = open(Path::new(db));
    let forever = |_: &dyn runsheet_store::Tail| -> Decision {
        say("holding");
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    };
    let _ = store.transact(list("0"), None, Box::new(forever)).await;
}

/// Appends batches while the size of files is limited, and says what became of each; then closes, which checkpoints.
async fn limited(db: &str, batches: usize, events: usize) {
    let store = match SqliteStore::open(db, options()) {
        Ok(store) => store,
        Err(error) => return say(&format!("refused {error}")),
    };
    for batch in 0..batches {
        let notes = (0..events).map(|n| note(&format!("{batch} {n}"), &"x".repeat(2_000))).collect();
        match add(&store, "0", notes).await {
            Ok(_) => say(&format!("ack {batch}")),
            Err(error) => say(&format!("failed {batch} {error}")),
        }
    }
    store.close().await;
    say("closed");
}
