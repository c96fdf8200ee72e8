use insta::assert_snapshot;
use runsheet_engine::PreToolUse;

use crate::host::{Host, claude, codex, list, named, plain};

fn hook(session: &str, agent: Option<&str>, prompt: &str, call: &str) -> PreToolUse {
    PreToolUse {
        principal: "uid:1000".into(),
        client: "claude-code".into(),
        call_id: call.into(),
        session: session.into(),
        agent: agent.map(Into::into),
        turn_key: Some(prompt.into()),
        cwd: Some("/home/dev/shop".into()),
    }
}

#[tokio::test]
async fn a_hook_tells_more_than_the_environment() {
    let host = Host::new();
    let before = host.call(&claude("old", "toolu_1"), &list(&[">a"])).await.session.unwrap();
    // `/clear`: the same process, with the old session in its environment.
    host.engine.pre_tool_use(hook("new", None, "p2", "toolu_2")).await.unwrap();
    let after = host.call(&claude("old", "toolu_2"), &list(&[">b"])).await.session.unwrap();
    assert_ne!(before, after);
    assert_eq!(host.engine.find("uid:1000", "new").await.unwrap(), after);
    assert_eq!(host.engine.find("uid:1000", "old").await.unwrap(), before);
    assert_snapshot!(host.log(&after).await, @r#"
    0 session/created
    1 turn/start turn=1 key="p2" implicit=true
    2 tool/call
    3 todo/write scope="main" author="model"
    4 tool/result
    "#);
}

#[tokio::test]
async fn a_sub_agents_list_stands_under_its_own_scope() {
    let host = Host::new();
    host.engine.pre_tool_use(hook("s", None, "p1", "toolu_1")).await.unwrap();
    let stream = host.call(&claude("s", "toolu_1"), &list(&[">parent"])).await.session.unwrap();
    host.engine.pre_tool_use(hook("s", Some("a7"), "p1", "toolu_2")).await.unwrap();
    assert_eq!(host.call(&claude("s", "toolu_2"), &list(&["xchild"])).await.session.unwrap(), stream);
    let show = serde_json::to_value(host.engine.show(&stream).await.unwrap()).unwrap();
    let lists = show["lists"].as_array().unwrap().iter();
    let lists = lists.map(|list| format!("{} {} {}", list["scope"], list["kind"], list["items"][0]["content"]));
    assert_snapshot!(lists.collect::<Vec<_>>().join("\n"), @r#"
    "main" "todo" "parent"
    "agent:a7" "todo" "child"
    "#);
    assert_eq!(show["todos"][0]["content"], "parent");
}

#[tokio::test]
async fn a_thread_of_codex_is_a_sub_agent_of_its_session() {
    let host = Host::new();
    let stream = host.call(&codex("s", "s", "t1", "1"), &list(&[">parent"])).await.session.unwrap();
    let child = host.call(&codex("s", "child", "t9", "2"), &list(&[">child"])).await.session.unwrap();
    assert_eq!(child, stream);
    let show = host.engine.show(&stream).await.unwrap();
    assert_eq!(show.turn, 1);
    assert_eq!(show.lists[1].scope, "agent:child");
}

#[tokio::test]
async fn sessions_are_told_apart() {
    let host = Host::new();
    let mut streams = Vec::new();
    for caller in [
        codex("a", "a", "t", "1"),
        codex("b", "b", "t", "2"),
        claude("a", "3"),
        plain(1),
        plain(2),
        named("py", "a"),
        named("py", "b"),
    ] {
        streams.push(host.call(&caller, &list(&["x"])).await.session.unwrap());
    }
    streams.sort();
    streams.dedup();
    assert_eq!(streams.len(), 7);
}

#[tokio::test]
async fn a_name_is_one_session_for_every_client() {
    let host = Host::new();
    let first = host.call(&named("py", "docs"), &list(&["x"])).await.session.unwrap();
    assert_eq!(host.call(&named("ts", "docs"), &list(&["x"])).await.session.unwrap(), first);
    assert_eq!(host.engine.find("uid:1000", "docs").await.unwrap(), first);
}

#[tokio::test]
async fn another_principal_has_other_sessions() {
    let host = Host::new();
    let mine = host.call(&codex("s", "s", "t", "1"), &list(&["x"])).await.session.unwrap();
    let mut theirs = codex("s", "s", "t", "1");
    theirs.principal = "uid:1001".into();
    // Not even the id of a call that was served is known to another principal.
    let outcome = host.call(&theirs, &list(&["y", "z"])).await;
    assert_ne!(outcome.session.unwrap(), mine);
    assert_snapshot!(outcome.blocks[0], @"Updated todo list: 2 pending, 0 in progress, 0 completed.");
}

#[tokio::test]
async fn a_hook_of_another_principal_tells_nothing() {
    let host = Host::new();
    let mut foreign = hook("victim", None, "p", "toolu_1");
    foreign.principal = "uid:1001".into();
    host.engine.pre_tool_use(foreign).await.unwrap();
    let stream = host.call(&claude("mine", "toolu_1"), &list(&["x"])).await.session.unwrap();
    assert_eq!(host.engine.find("uid:1000", "mine").await.unwrap(), stream);
}
