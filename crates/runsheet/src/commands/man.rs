//! `runsheet man`.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context as _;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::{args::LowArgs, fault::Fault};

/// Prints the manual page, or writes a page for each command.
pub(crate) fn run(folder: Option<&Path>) -> Result<ExitCode, Fault> {
    let mut command = LowArgs::command();
    command.build();
    match folder {
        None => {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
        Some(folder) => {
            fs::create_dir_all(folder)
                .and_then(|()| pages(&command, "runsheet", folder))
                .with_context(|| format!("the manual cannot be written to {}", folder.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn pages(command: &Command, name: &str, folder: &Path) -> io::Result<()> {
    let mut page = Vec::new();
    Man::new(command.clone()).title(name).render(&mut page)?;
    fs::write(folder.join(format!("{name}.1")), page)?;
    command.get_subcommands().try_for_each(|of| pages(of, &format!("{name}-{}", of.get_name()), folder))
}
