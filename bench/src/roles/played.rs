//! A role, as the process that started it sees it.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

use crate::args::ROLE;

/// A process that plays a role. Dropped, it is ended.
#[derive(Debug)]
pub(crate) struct Played {
    role: String,
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Played {
    /// Starts a role. It prepares itself meanwhile; [`Self::ready`] waits for that.
    pub(crate) fn start(words: &[&str]) -> Result<Self> {
        let role = words.join(" ");
        let own = std::env::current_exe().context("cannot find this program's own file")?;
        let mut command = Command::new(own);
        command.arg(ROLE).args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start the role `{role}`"))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().context("the role was started without a standard output")?;
        Ok(Self { role, child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Waits until the role is ready to begin.
    pub(crate) fn ready(&mut self) -> Result<()> {
        match &*self.answer::<String>()? {
            "ready" => Ok(()),
            other => bail!("the role `{}` said `{other}` where it should be ready", self.role),
        }
    }

    /// Tells it to begin.
    pub(crate) fn go(&mut self) -> Result<()> {
        let stdin = self.stdin.as_mut().context("the role was started without a standard input")?;
        stdin.write_all(b"go\n").with_context(|| format!("cannot tell the role `{}` to begin", self.role))
    }

    /// Waits for its next line.
    pub(crate) fn answer<T: DeserializeOwned>(&mut self) -> Result<T> {
        let mut line = String::new();
        let read = self.stdout.read_line(&mut line);
        if read.with_context(|| format!("cannot hear the role `{}`", self.role))? == 0 {
            bail!("the role `{}` ended without an answer", self.role);
        }
        serde_json::from_str(&line).with_context(|| format!("the role `{}` answered with nonsense", self.role))
    }

    /// Waits for its end.
    pub(crate) fn finish(mut self) -> Result<()> {
        drop(self.stdin.take());
        let status = self.child.wait().with_context(|| format!("cannot wait for the role `{}`", self.role))?;
        if !status.success() {
            bail!("the role `{}` failed ({status})", self.role);
        }
        Ok(())
    }

    /// Kills it where it stands.
    pub(crate) fn kill(mut self) -> Result<()> {
        self.child
            .kill()
            .and_then(|()| self.child.wait())
            .map(drop)
            .with_context(|| format!("cannot kill the role `{}`", self.role))
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        // One that has ended already is fine too.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
