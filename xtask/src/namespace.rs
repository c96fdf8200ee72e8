use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

/// A command that runs `program` where loopback is the only network interface.
pub(crate) fn command(program: &Path) -> Result<Command> {
    ensure!(has("unshare"), "`unshare` is missing; install the package `util-linux`");
    ensure!(has("ip"), "`ip` is missing; install the package `iproute2`");
    // Without root a user namespace of our own gives the right to make a network namespace.
    let flag = if is_root() { "-n" } else { "-rn" };
    let works = quiet(Command::new("unshare").args([flag, "true"]));
    ensure!(
        works,
        "`unshare {flag}` is not permitted here, and real clients only run where they reach no network; run as root, \
         or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu \
         kernel.apparmor_restrict_unprivileged_userns=0), or give the container the capability SYS_ADMIN"
    );
    let mut command = Command::new("unshare");
    command.args([flag, "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"]).arg(program);
    Ok(command)
}

/// Whether a program can be started.
pub(crate) fn has(program: &str) -> bool {
    let found = |folder: std::path::PathBuf| folder.join(program).is_file();
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(found))
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn quiet(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
