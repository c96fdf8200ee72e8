use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// How many tests a step ran.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Count {
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// Prints the closing line, the last one of every command that runs tests.
    pub(crate) fn close(self) -> Result<()> {
        println!("{} passed, {} failed", self.passed, self.failed);
        // Said by the line above already; only the exit code is missing.
        if self.failed > 0 {
            std::process::exit(1);
        }
        Ok(())
    }
}

/// The cargo that runs us, at the workspace's root.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(workspace());
    command
}

/// Does one step of its own under a heading, with its time.
pub(crate) fn timed<T>(name: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("── {name}");
    let started = Instant::now();
    let result = step();
    let verdict = if result.is_ok() { "done" } else { "failed" };
    println!("── {name}: {verdict} in {:.1} s", started.elapsed().as_secs_f64());
    result
}

/// Runs a command as a step.
pub(crate) fn run(name: &str, command: &mut Command) -> Result<()> {
    timed(name, || {
        let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
        ensure!(status.success(), "{name} ended with {status}");
        Ok(())
    })
}

/// Runs a command that runs tests, as a step: passes its output on and adds up its closing lines.
/// Failed tests are counted and not an error; a command that fails otherwise is one.
pub(crate) fn run_tests(name: &str, command: &mut Command) -> Result<Count> {
    timed(name, || {
        command.stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let mut count = Count::default();
        let Some(output) = child.stdout.take() else { bail!("{name} has no output") };
        for line in BufReader::new(output).lines() {
            let line = line.with_context(|| format!("cannot read the output of {name}"))?;
            writeln!(std::io::stdout(), "{line}")?;
            count.add(closing_line(&line));
        }
        let status = child.wait()?;
        ensure!(status.success() || count.failed > 0, "{name} ended with {status}");
        Ok(count)
    })
}

/// `test result: ok. 3 passed; 0 failed; 0 ignored; …` of Rust's tests; `# pass 3` and `# fail 0` of Node's.
fn closing_line(line: &str) -> Count {
    let number = |rest: &str| rest.trim().parse().unwrap_or(0);
    if let Some(rest) = line.strip_prefix("# pass ") {
        return Count { passed: number(rest), failed: 0 };
    }
    if let Some(rest) = line.strip_prefix("# fail ") {
        return Count { passed: 0, failed: number(rest) };
    }
    let Some(rest) = line.strip_prefix("test result: ") else { return Count::default() };
    let of = |word: &str| {
        let parts = rest.split(['.', ';']).map(str::trim);
        parts.filter_map(|part| part.strip_suffix(word)?.trim().parse().ok()).next().unwrap_or(0)
    };
    Count { passed: of("passed"), failed: of("failed") }
}

#[cfg(test)]
mod tests {
    use super::closing_line;

    #[test]
    fn closing_lines_are_read() {
        let count = closing_line("test result: FAILED. 31 passed; 2 failed; 1 ignored; 0 measured; finished in 0.5s");
        assert_eq!((count.passed, count.failed), (31, 2));
        let count = closing_line("# pass 12");
        assert_eq!((count.passed, count.failed), (12, 0));
        assert_eq!(closing_line("# fail 2").failed, 2);
        let count = closing_line("test result is fine. 3 passed");
        assert_eq!((count.passed, count.failed), (0, 0));
    }
}
