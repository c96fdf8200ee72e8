//! From the command line as typed to what is to be done: everything that can be wrong with it is found here, once.

use std::path::PathBuf;

use clap_complete::Shell;

use crate::{
    args::{ConfigCommand, GlobalArgs, LowArgs, LowCommand, StoreCommand},
    config::{Config, Environment, Loader, Resolved},
    fault::Fault,
    logging::LogTo,
};

/// What is to be done, checked.
pub(crate) struct HiArgs {
    /// How the log is kept.
    pub(crate) log: LogTo,
    /// What to do.
    pub(crate) action: Action,
}

/// What needs no configuration, and what does.
pub(crate) enum Action {
    /// A completion script.
    Completions(Shell),
    /// Manual pages: on stdout, or in a folder.
    Man(Option<PathBuf>),
    /// Anything else, under the configuration that is loaded once the log is open.
    Run(Setup, Command),
}

/// How the configuration is found.
pub(crate) struct Setup {
    loader: Loader,
    folder: Option<PathBuf>,
}

/// The configuration, found.
pub(crate) struct Context {
    /// What the layers come to in this folder.
    pub(crate) resolved: Resolved,
    /// How they are read again.
    pub(crate) loader: Loader,
    /// This folder.
    pub(crate) folder: Option<PathBuf>,
}

/// The commands that work under a configuration.
pub(crate) enum Command {
    Screen,
    Mcp,
    Serve { open: bool },
    Hook,
    Ls { limit: usize, json: bool },
    Show { session: String, json: bool },
    Log { session: Option<String>, follow: bool, json: bool },
    Watch { session: Option<String>, mouse: bool },
    Statusline,
    Demo { mouse: bool },
    Export { sessions: Vec<String>, output: Option<PathBuf> },
    Import { file: Option<PathBuf>, json: bool },
    Verify { json: bool },
    ConfigShow { origins: bool, json: bool },
}

impl HiArgs {
    /// Settles what a command line means.
    pub(crate) fn new(args: LowArgs) -> Result<Self, Fault> {
        let LowArgs { global, command } = args;
        let verbose = global.verbose;
        let mut log_file = None;
        // What is drawn on a terminal, or stands in somebody's bar, is not written over.
        let silent = matches!(command, Some(LowCommand::Watch(_) | LowCommand::Statusline | LowCommand::Demo(_)));
        let action = match command {
            Some(LowCommand::Completions { shell }) => Action::Completions(shell),
            Some(LowCommand::Man { dir }) => Action::Man(dir),
            command => {
                let mut loader = loader(global)?;
                let command = match command {
                    None => Command::Screen,
                    Some(command) => resolve(command, &mut loader, &mut log_file)?,
                };
                Action::Run(Setup { loader, folder: std::env::current_dir().ok() }, command)
            }
        };
        Ok(Self { log: LogTo { verbose, file: log_file, silent }, action })
    }
}

fn loader(global: GlobalArgs) -> Result<Loader, Fault> {
    let GlobalArgs { store, config, verbose: _ } = global;
    let mut loader = Loader::new(Environment::of_process(), config);
    if let Some(store) = store {
        if let Some((scheme, _)) = store.split_once("://") {
            let fault = Fault::usage(format!("stores behind {scheme}:// are not in this version"));
            return Err(fault.hint("give the path of a file with --store"));
        }
        loader.flag("--store", "store.path", &store)?;
    }
    Ok(loader)
}

fn resolve(command: LowCommand, loader: &mut Loader, log_file: &mut Option<PathBuf>) -> Result<Command, Fault> {
    Ok(match command {
        LowCommand::Mcp(args) => {
            *log_file = args.log.log_file;
            Command::Mcp
        }
        LowCommand::Serve(args) => {
            *log_file = args.log.log_file;
            for (flag, key, value) in [("--bind", "serve.bind", args.bind), ("--port", "serve.port", args.port)] {
                if let Some(value) = value {
                    loader.flag(flag, key, &value)?;
                }
            }
            Command::Serve { open: args.open }
        }
        LowCommand::Hook(args) => {
            *log_file = args.log_file;
            Command::Hook
        }
        LowCommand::Ls(args) => Command::Ls { limit: args.limit.unwrap_or(usize::MAX), json: args.json.json },
        LowCommand::Show(args) => Command::Show { session: args.session, json: args.json.json },
        LowCommand::Log(args) => Command::Log { session: args.session, follow: args.follow, json: args.json },
        LowCommand::Watch(args) => {
            *log_file = args.log.log_file;
            Command::Watch { session: args.session, mouse: args.mouse.mouse }
        }
        LowCommand::Statusline => Command::Statusline,
        LowCommand::Demo(args) => Command::Demo { mouse: args.mouse.mouse },
        LowCommand::Export(args) => {
            Command::Export { sessions: args.sessions, output: args.output.filter(|file| file.as_os_str() != "-") }
        }
        LowCommand::Import(args) => {
            Command::Import { file: Some(args.file).filter(|file| file.as_os_str() != "-"), json: args.json.json }
        }
        LowCommand::Store(StoreCommand::Verify(json)) => Command::Verify { json: json.json },
        LowCommand::Config(ConfigCommand::Show { origins, json }) => Command::ConfigShow { origins, json: json.json },
        LowCommand::Completions { .. } | LowCommand::Man { .. } => {
            return Err(Fault::usage("this command needs no configuration"));
        }
    })
}

impl Setup {
    /// Loads the configuration of this folder, and says what in it has no effect.
    pub(crate) fn load(self) -> Result<Context, Fault> {
        let Self { loader, folder } = self;
        for strange in loader.strange_variables() {
            tracing::warn!("{strange}");
        }
        let resolved = loader.load(folder.as_deref())?;
        if let Some(error) = &resolved.left_out {
            tracing::warn!("{error}; nothing of this project's file counts ({})", error.hint());
        }
        for (key, file) in &resolved.ignored {
            let file = file.display();
            tracing::warn!("`{key}` is ignored in {file}: a project's file cannot set it, your own configuration can");
        }
        Ok(Context { resolved, loader, folder })
    }

    /// Loads the configuration without any project's: where the store is, no project can say.
    pub(crate) fn load_own(self) -> Result<Context, Fault> {
        let Self { loader, folder: _ } = self;
        Ok(Context { resolved: loader.load(None)?, loader, folder: None })
    }
}

impl Context {
    /// The configuration.
    pub(crate) const fn config(&self) -> &Config {
        &self.resolved.config
    }
}
