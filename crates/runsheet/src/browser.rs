//! What `serve` does for browsers: the key that keeps them logged in, and the links that log them in.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Read, Write},
    net::SocketAddr,
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::Path,
    process::{Command, Stdio},
};

use runsheet_web::Logins;
use tokio_util::sync::CancellationToken;

/// The logins of this host. Their key lies beside the store, so that a browser stays logged in when the host starts
/// again; where it cannot be kept, it holds until this process ends.
pub(crate) fn logins(store: &Path) -> io::Result<Logins> {
    let path = store.with_file_name("web.key");
    match key(&path) {
        Ok(key) => Ok(Logins::new(key)),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "browsers have to log in again after a restart");
            Logins::fresh_key().map(Logins::new)
        }
    }
}

fn key(path: &Path) -> io::Result<[u8; 32]> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => {
            let key = Logins::fresh_key()?;
            file.write_all(&key)?;
            Ok(key)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => kept(path),
        Err(error) => Err(error),
    }
}

/// A key that was kept: only where nobody else can have put it there, or read it.
fn kept(path: &Path) -> io::Result<[u8; 32]> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut file = fs::File::open(path)?;
    let about = file.metadata()?;
    if about.uid() != crate::principal::uid() || about.mode() & 0o077 != 0 {
        return Err(io::Error::other("others may read or change it"));
    }
    let mut key = [0; 32];
    file.read_exact(&mut key)?;
    Ok(key)
}

/// Prints a link that logs one browser in, and another whenever one was used. With `open`, opens the first.
pub(crate) async fn links(logins: Logins, address: SocketAddr, open: bool, shutdown: CancellationToken) {
    let mut used = logins.used();
    let mut first = open;
    loop {
        match logins.code() {
            Ok(code) => {
                let link = format!("http://{address}/#code={code}");
                // Only here: the code is in no log.
                _ = writeln!(io::stderr(), "open {link} in a browser (it works once)");
                if std::mem::take(&mut first) {
                    tokio::task::spawn_blocking(move || launch(&link));
                }
            }
            Err(error) => tracing::warn!(%error, "there is no link for browsers"),
        }
        if !matches!(shutdown.run_until_cancelled(used.changed()).await, Some(Ok(()))) {
            return;
        }
    }
}

/// Has the desktop open a link. Other users may see it among the processes' arguments, and cannot use it: their
/// connections are refused.
fn launch(link: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet =
        Command::new(program).arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match quiet {
        Ok(status) if status.success() => {}
        Ok(status) => tracing::warn!(program, %status, "no browser was opened"),
        Err(error) => tracing::warn!(program, %error, "no browser was opened"),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_key_is_kept_for_us_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/web.key");
        let first = key(&path).unwrap();
        assert_eq!(key(&path).unwrap(), first);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(key(&path).is_err());
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert!(key(&path).is_err());
    }
}
