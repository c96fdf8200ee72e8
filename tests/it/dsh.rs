use runsheet_e2e::check::{Case, Over, check};
use runsheet_e2e::client::Client;
use runsheet_e2e::model::{Script, say, write};
use runsheet_e2e::todos::{first, second, third};

/// dsh has a `todo_write` of its own. The scripted model calls only the one with our server's name in it, and the
/// store would stay empty if dsh answered with its own.
#[test]
fn three_writes_through_ours_not_its_own() {
    let script = Script::main([write(&first()), write(&second()), write(&third()), say("Done.")]);
    check(Case { client: Client::Dsh, over: Over::Stdio, hook: false, script, main: third(), child: None });
}
