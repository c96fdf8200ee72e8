//! How many files this process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit to what the system allows this process to give itself, and says what it is now. The usual 1,024 are
/// meant for programs that wait with `select`; a server has a descriptor for each session and each connection.
pub(crate) fn raise() -> usize {
    let before = getrlimit(Resource::Nofile);
    // Where it is refused, the limit stays as it was.
    _ = setrlimit(Resource::Nofile, Rlimit { current: before.maximum, maximum: before.maximum });
    let now = getrlimit(Resource::Nofile).current;
    now.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}
