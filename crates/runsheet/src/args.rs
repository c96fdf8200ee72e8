//! The command line as it is typed. What it means is settled in [`crate::resolve`].
#![allow(rustdoc::invalid_html_tags, reason = "these comments are the help, where a <name> stands for itself")]

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand};
use clap_complete::Shell;

/// What `--help` and the manual say at the end.
const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  failed
  2  the command line or the configuration is wrong
  3  there is no such session, or no store
  4  the store is busy or cannot be used
  5  the store is damaged, or `store verify` found something

Configuration: ~/.config/runsheet/config.toml, then .runsheet.toml of the project,
then variables such as RUNSHEET_STORE_PATH, then flags.
`runsheet config show --origins` shows each key and where it came from.";

/// The run sheet of coding agents: their task lists, live, on a durable log.
///
/// Without a command: what is running now, and how to connect an agent.
#[derive(Debug, Parser)]
#[command(name = "runsheet", version, after_long_help = EXIT_CODES, disable_help_subcommand = true)]
pub(crate) struct LowArgs {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Option<LowCommand>,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// The store, instead of the configured one
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub(crate) store: Option<String>,
    /// The user's configuration, instead of ~/.config/runsheet/config.toml
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub(crate) config: Option<PathBuf>,
    /// Log more to stderr: -v what happens, -vv details, -vvv everything
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Global options")]
    pub(crate) verbose: u8,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum LowCommand {
    /// Serve one agent over stdio (MCP)
    ///
    /// Agents start it: `codex mcp add runsheet -- runsheet mcp`. Nothing but the protocol is on stdout. It ends at the
    /// end of its input, at SIGINT and at SIGTERM, and each of them ends the session's turn.
    Mcp(McpArgs),
    /// Serve agents and browsers over HTTP (MCP at /mcp and /mcp/s/<name>)
    ///
    /// It prints a link that logs a browser in, once; the browser then stays logged in. Programs find the API at
    /// /api/v1.
    /// Only clients of the user who started it are let in. It ends at SIGINT and SIGTERM.
    Serve(ServeArgs),
    /// Take a hook of Claude Code or Codex on stdin
    ///
    /// Before an agent calls one of our tools, its PreToolUse hook tells which session and which sub-agent calls; the
    /// call then lands there. It prints nothing, ends within two seconds and always exits with 0, so that it never
    /// stands in the agent's way; what went wrong is in the log.
    Hook(LogFileArgs),
    /// List the sessions, those written last first
    Ls(LsArgs),
    /// Show a session's list
    Show(ShowArgs),
    /// Print events, of a session or of all
    ///
    /// With a session: its events, from the first. Without one: those of all sessions in the order they were written.
    /// With --follow it goes on with each event as it happens; without a session it then begins now.
    Log(LogArgs),
    /// Watch the sessions live, in the terminal
    ///
    /// Sessions at the left; the list of the selected one and what happened in it at the right. `?` shows the keys.
    Watch(WatchArgs),
    /// Print one line for an agent's status line
    ///
    /// Reads what Claude Code tells its status line on stdin, and prints how much of the session's list is done and what
    /// runs: `3/7 Running the tests`. It prints nothing where there is no list, never an error, and always exits with 0.
    Statusline,
    /// Play a few sessions, to see it move: no agent, no model, no key
    ///
    /// It plays into a store of its own, which is gone afterwards; into the one --store names, where it stays.
    /// Where stdout is no terminal it prints the log of them instead.
    Demo(DemoArgs),
    /// Write events as JSON lines, lossless
    ///
    /// All sessions, or those named; a fork brings the session it was forked from.
    Export(ExportArgs),
    /// Take the events of an export
    ///
    /// The whole file is checked before the first event is written. What is here already is passed over, so an import
    /// may be repeated.
    Import(ImportArgs),
    /// Look after the store
    #[command(subcommand)]
    Store(StoreCommand),
    /// Look at the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write those of all commands
    Man {
        /// Write a page for each command into this folder
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
}

/// Where the log goes.
#[derive(Debug, Args)]
pub(crate) struct LogFileArgs {
    /// Log to a file instead of stderr
    #[arg(long, value_name = "FILE")]
    pub(crate) log_file: Option<PathBuf>,
}

/// `mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) log: LogFileArgs,
}

/// `serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The address to listen at [default: serve.bind, 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) bind: Option<String>,
    /// The port to listen on; 0 takes a free one [default: serve.port, 4477]
    #[arg(long)]
    pub(crate) port: Option<String>,
    /// Open a browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) log: LogFileArgs,
}

/// Output for programs.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JsonArgs {
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// `ls`.
#[derive(Debug, Args)]
pub(crate) struct LsArgs {
    /// The most sessions to list
    #[arg(short = 'n', long, value_name = "NUMBER")]
    pub(crate) limit: Option<usize>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

/// `show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The session: its id or the beginning of it, the client's own id, or its name in the URL
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

/// `log`.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// The session, as for `show`
    pub(crate) session: Option<String>,
    /// Go on with each event as it happens
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// Print JSON, for programs: one line an event, with its stream, as `export` writes it
    #[arg(long)]
    pub(crate) json: bool,
}

/// `watch`.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Only this session, as for `show`
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) mouse: MouseArgs,
    #[command(flatten)]
    pub(crate) log: LogFileArgs,
}

/// `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    pub(crate) mouse: MouseArgs,
}

/// The mouse.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MouseArgs {
    /// Take the mouse: click selects, the wheel scrolls; the terminal's own selection of text then needs Shift
    #[arg(long)]
    pub(crate) mouse: bool,
}

/// `export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The sessions, as for `show`; all without one
    pub(crate) sessions: Vec<String>,
    /// Write to a file, which is replaced once all is written; `-` for stdout, as without it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file, or `-` for stdin
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

/// `store`.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Check every page, checksum, event and cached state; exits with 5 if something is wrong
    Verify(JsonArgs),
}

/// `config`.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show each key's value, in this folder
    Show {
        /// Show where each value came from
        #[arg(long)]
        origins: bool,
        #[command(flatten)]
        json: JsonArgs,
    },
}
