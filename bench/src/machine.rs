//! The machine a run was made on.

use std::{fmt, fs, path::Path};

use serde::Serialize;

/// What decides how a run compares with others.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    cores: usize,
    cpu: String,
    kernel: String,
    /// The type of the file system the stores lay on.
    filesystem: String,
    /// How busy the machine was when the run began: the load average of the last minute.
    load: f64,
    runsheet: &'static str,
    /// When the run began, in milliseconds since the Unix epoch.
    at_ms: i64,
}

impl Machine {
    pub(crate) fn describe(folder: &Path) -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let unknown = || "unknown".to_owned();
        let cpu = read("/proc/cpuinfo")
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim().to_owned()));
        let load = read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok());
        let at = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Self {
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            cpu: cpu.unwrap_or_else(unknown),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            filesystem: filesystem(folder).unwrap_or_else(unknown),
            load: load.unwrap_or(f64::NAN),
            runsheet: runsheet_core::BY,
            at_ms: i64::try_from(at.as_millis()).unwrap_or_default(),
        }
    }
}

/// The type of the mount with the longest path that holds the folder.
fn filesystem(folder: &Path) -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let holding = mounts.filter(|(mount, _)| folder.starts_with(mount));
    holding.max_by_key(|(mount, _)| mount.len()).map(|(_, kind)| kind.to_owned())
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cores, cpu, kernel, filesystem, load, runsheet, .. } = self;
        write!(f, "{runsheet} on {cores} cores ({cpu}), Linux {kernel}, {filesystem}, load {load} at the start")
    }
}
