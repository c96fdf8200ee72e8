//! The pages of docs/ that say what the code says: they are made from it, and compared with it.
//!
//! `UPDATE_DOCS=1 cargo test -p runsheet reference` writes them anew.

use std::{fmt::Write, fs, path::PathBuf};

use clap::{Command, CommandFactory};

use crate::{args::LowArgs, config::keys::KEYS};

/// Where the generated part of a page begins and ends.
const MARKS: [&str; 2] = ["<!-- generated: begin -->\n", "<!-- generated: end -->\n"];

/// The page in docs/ has this between its marks.
fn check(page: &str, generated: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).unwrap();
    let (found, after) = rest.split_once(MARKS[1]).unwrap();
    if found != generated && std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, [before, MARKS[0], generated, MARKS[1], after].concat()).unwrap();
    } else {
        assert_eq!(found, generated, "docs/{page} is not what the code says; UPDATE_DOCS=1 writes it anew");
    }
}

fn command(page: &mut String, command: &mut Command, name: &str) {
    let help = command.clone().bin_name(name).term_width(100).render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    writeln!(page, "## `{name}`\n\n```text\n{}\n```\n", help.join("\n").trim_end()).unwrap();
    let subcommands: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for sub in subcommands {
        let found = command.find_subcommand_mut(&sub).unwrap();
        self::command(page, found, &format!("{name} {sub}"));
    }
}

#[test]
fn the_command_line() {
    let mut page = String::from("\n");
    let mut runsheet = LowArgs::command();
    runsheet.build();
    command(&mut page, &mut runsheet, "runsheet");
    check("cli.md", &page);
}

#[test]
fn the_keys() {
    let mut page = String::from("\n| key | default | takes | in a project's file |\n|---|---|---|---|\n");
    let default = |key: &crate::config::keys::Key| match (key.default)() {
        Some(_) => format!("`{}`", key.default_shown()),
        None => key.default_shown(),
    };
    for key in KEYS {
        let project = if key.project { "yes" } else { "ignored" };
        let takes = key.kind.takes().replace('|', "\\|");
        writeln!(page, "| `{}` | {} | {takes} | {project} |", key.name, default(key)).unwrap();
    }
    page.push('\n');
    for key in KEYS {
        writeln!(page, "- `{}` (`{}`): {}", key.name, key.variable(), key.meaning).unwrap();
    }
    page.push('\n');
    check("config.md", &page);
}
