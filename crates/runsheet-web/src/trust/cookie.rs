//! The cookie of a browser that logged in.
//!
//! It is `<id>.<expiry>.<mac>`: 128 random bits, seconds since the Unix epoch, and an HMAC of both under the host's key,
//! all in hexadecimal. Nothing is kept for it, so that a browser stays logged in when the host is started again with the
//! same key.

use http::{HeaderMap, header};
use sha2::{Digest, Sha256};

/// How long a cookie is good for, in seconds.
const LIFE_S: i64 = 30 * 24 * 3_600;
/// The block of SHA-256, which HMAC pads its key to.
const BLOCK: usize = 64;

/// The header `Set-Cookie` of a fresh cookie. The name has the port, since browsers send a host's cookies to all of its
/// ports.
pub(crate) fn cookie(key: &[u8; 32], id: [u8; 16], port: &str, now_ms: i64) -> String {
    let expiry = now_ms / 1_000 + LIFE_S;
    let signed = format!("{}.{expiry:x}", hex(&id));
    let mac = hex(&mac(key, signed.as_bytes()));
    format!("runsheet-{port}={signed}.{mac}; Path=/; Max-Age={LIFE_S}; HttpOnly; SameSite=Strict")
}

/// Whether a request has a cookie that we gave and that is still good.
pub(super) fn is_good(key: &[u8; 32], headers: &HeaderMap, port: &str, now_ms: i64) -> bool {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut ours = cookies
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().strip_prefix("runsheet-")?.strip_prefix(port)?.strip_prefix('='));
    ours.any(|value| {
        let Some((signed, given)) = value.rsplit_once('.') else { return false };
        let expiry = signed.split_once('.').and_then(|(_, expiry)| i64::from_str_radix(expiry, 16).ok());
        same(given.as_bytes(), hex(&mac(key, signed.as_bytes())).as_bytes())
            && expiry.is_some_and(|expiry| expiry > now_ms / 1_000)
    })
}

/// HMAC-SHA-256 (RFC 2104) with a key shorter than a block.
fn mac(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let padded = |pad: u8| {
        let mut block = [pad; BLOCK];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into()
}

/// Whether two secrets are the same, in a time that does not tell how far they are.
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (Sha256::digest(a), Sha256::digest(b));
    a.iter().zip(b.iter()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        for nibble in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(nibble), 16));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::{hex, mac};

    #[test]
    fn the_mac_is_the_one_of_rfc_4231() {
        // Test case 1 has a key of 20 bytes; HMAC pads keys with zeros, so ours of 32 is the same key.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(hex(&mac(&key, b"Hi There")), expected);
    }
}
