use runsheet_e2e::check::{Case, Over, check};
use runsheet_e2e::client::Client;
use runsheet_e2e::model::{Script, say, write};
use runsheet_e2e::todos::{first, second, third};

#[test]
fn three_writes() {
    let script = Script::main([write(&first()), write(&second()), write(&third()), say("Done.")]);
    check(Case { client: Client::Gemini, over: Over::Stdio, hook: false, script, main: third(), child: None });
}
