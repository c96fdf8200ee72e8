//! Whose the other end of a connection of this machine is.

use std::{
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use rustix::io::Errno;

/// The user of the program at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// A user, by number.
    User(u32),
    /// It cannot be told now: this process has too many files open to look.
    Exhausted,
    /// It cannot be told: another machine, another network namespace, a system without `/proc`.
    Unknown,
}

/// Whose socket is connected from `remote` to `local`, as the kernel's tables say.
pub(crate) fn of(remote: SocketAddr, local: SocketAddr) -> Peer {
    let ends = (canonical(remote), canonical(local));
    // A socket for IPv6 may speak IPv4, and then stands in the other table.
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let table = match fs::read_to_string(table) {
            Ok(table) => table,
            Err(error) if matches!(Errno::from_io_error(&error), Some(Errno::MFILE | Errno::NFILE)) => {
                return Peer::Exhausted;
            }
            Err(_) => continue,
        };
        if let Some(uid) = table.lines().skip(1).find_map(|row| owner(row, ends)) {
            return Peer::User(uid);
        }
    }
    Peer::Unknown
}

/// The user of a row, if it is the socket with these ends. A socket that no process has any more shows as root's.
fn owner(row: &str, ends: (SocketAddr, SocketAddr)) -> Option<u32> {
    let mut fields = row.split_ascii_whitespace().skip(1);
    let (own, other, _state) = (fields.next()?, fields.next()?, fields.next()?);
    if (address(own)?, address(other)?) != ends {
        return None;
    }
    let mut fields = fields.skip(3);
    let (uid, _timeout, inode) = (fields.next()?, fields.next()?, fields.next()?);
    if inode == "0" {
        return None;
    }
    uid.parse().ok()
}

/// `0100007F:117D`: each four bytes of the address as a number of this machine.
fn address(text: &str) -> Option<SocketAddr> {
    let (ip, port) = text.split_once(':')?;
    let word = |at: usize| u32::from_str_radix(ip.get(at * 8..at * 8 + 8)?, 16).ok().map(u32::to_ne_bytes);
    let ip = match ip.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let mut bytes = [0; 16];
            for at in 0..4 {
                bytes[at * 4..at * 4 + 4].copy_from_slice(&word(at)?);
            }
            IpAddr::V6(Ipv6Addr::from(bytes))
        }
        _ => return None,
    };
    Some(canonical(SocketAddr::new(ip, u16::from_str_radix(port, 16).ok()?)))
}

/// An IPv4 address in IPv6 clothes is the same address.
fn canonical(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn rows() {
        let ends = |own: &str, other: &str| (own.parse().unwrap(), other.parse().unwrap());
        let v4 = ends("127.0.0.1:54321", "127.0.0.1:4477");
        let row = |own: &str, other: &str, uid: &str, inode: &str| {
            format!("   7: {own} {other} 01 00000000:00000000 00:00000000 00000000 {uid}        0 {inode} 1 0 20 4")
        };
        for (row, ends, uid) in [
            (row("0100007F:D431", "0100007F:117D", "1000", "4242"), v4, Some(1000)),
            // The server's own end of the same connection.
            (row("0100007F:117D", "0100007F:D431", "1000", "4242"), v4, None),
            (row("0100007F:D432", "0100007F:117D", "1000", "4242"), v4, None),
            // No process has it any more: the kernel shows it as root's.
            (row("0100007F:D431", "0100007F:117D", "0", "0"), v4, None),
            (
                row("0000000000000000FFFF00000100007F:D431", "0000000000000000FFFF00000100007F:117D", "7", "1"),
                v4,
                Some(7),
            ),
            (
                row("00000000000000000000000001000000:D431", "00000000000000000000000001000000:117D", "7", "1"),
                ends("[::1]:54321", "[::1]:4477"),
                Some(7),
            ),
            ("garbage".into(), v4, None),
            (String::new(), v4, None),
        ] {
            assert_eq!(owner(&row, ends), uid, "{row}");
        }
    }

    #[test]
    fn a_connection_of_our_own() {
        for at in ["127.0.0.1:0", "[::1]:0"] {
            // A machine without IPv6 has nothing to show here.
            let Ok(listener) = TcpListener::bind(at) else { continue };
            let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (accepted, remote) = listener.accept().unwrap();
            assert_eq!(of(remote, accepted.local_addr().unwrap()), Peer::User(crate::principal::uid()));
        }
    }
}
