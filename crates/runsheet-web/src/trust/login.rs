//! The codes that log a browser in.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use http::HeaderMap;
use tokio::sync::watch;

use super::cookie;

/// How many codes may wait to be used; the oldest goes.
const MAX_CODES: usize = 8;

/// One-time codes, and the key that signs the cookies given for them. Cheap to clone; clones are one.
#[derive(Clone)]
pub struct Logins(Arc<Inner>);

struct Inner {
    key: [u8; 32],
    codes: Mutex<Vec<String>>,
    used: watch::Sender<u64>,
}

impl Logins {
    /// Signs cookies with a key. Keep the key, readable to the user alone, and browsers stay logged in over restarts.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(Arc::new(Inner { key, codes: Mutex::default(), used: watch::Sender::new(0) }))
    }

    /// A key from the system's source of randomness.
    ///
    /// # Errors
    /// When the system has none.
    pub fn fresh_key() -> std::io::Result<[u8; 32]> {
        random()
    }

    /// A code that logs one browser in, once: the fragment `#code=<code>` of a link to `/`. Never log it.
    ///
    /// # Errors
    /// When the system has no source of randomness.
    pub fn code(&self) -> std::io::Result<String> {
        let code = cookie::hex(&random::<16>()?);
        let mut codes = self.codes();
        if codes.len() >= MAX_CODES {
            codes.remove(0);
        }
        codes.push(code.clone());
        Ok(code)
    }

    /// Counts up whenever a code was used: time to print another link.
    #[must_use]
    pub fn used(&self) -> watch::Receiver<u64> {
        self.0.used.subscribe()
    }

    /// Takes a code; gives the header `Set-Cookie` for it, or nothing for one that is none or was used.
    pub(crate) fn redeem(&self, code: &str, port: &str, now_ms: i64) -> std::io::Result<Option<String>> {
        let id = random()?;
        {
            let mut codes = self.codes();
            let Some(at) = codes.iter().position(|known| cookie::same(known.as_bytes(), code.as_bytes())) else {
                return Ok(None);
            };
            codes.remove(at);
        }
        self.0.used.send_modify(|used| *used += 1);
        Ok(Some(cookie::cookie(&self.0.key, id, port, now_ms)))
    }

    /// Whether a request comes from a browser that logged in.
    pub(super) fn knows(&self, headers: &HeaderMap, port: &str, now_ms: i64) -> bool {
        cookie::is_good(&self.0.key, headers, port, now_ms)
    }

    fn codes(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.0.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Neither the key nor a code ever gets into a log.
impl fmt::Debug for Logins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logins").finish_non_exhaustive()
    }
}

fn random<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes)
}
