//! Ports for servers that are started, ended and started again while tests run.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::net::TcpSocket;

/// The first of them. The system gives those from 32768 on to whoever connects to anything, so that one of these that is free
/// now is free a second later, too.
const FIRST: u32 = 20_000;
const COUNT: u32 = 10_000;

/// A port of 127.0.0.1 on which nobody listens, and which is given to nobody else in this process.
///
/// # Panics
/// When all of them are taken.
#[must_use]
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Another process that tests at the same time begins elsewhere.
    let start = std::process::id().wrapping_mul(97);
    for _ in 0..COUNT {
        let next = start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT;
        let Ok(port) = u16::try_from(FIRST + next) else {
            continue;
        };
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("no port from {FIRST} on is free");
}

/// A port of 127.0.0.1 that refuses connections for as long as this process lives: it is bound and never listened on, so
/// that no server can take it.
///
/// # Panics
/// When no port can be bound.
#[must_use]
#[expect(clippy::expect_used, reason = "a test cannot go on without it")]
pub fn closed_port() -> u16 {
    static SOCKET: LazyLock<TcpSocket> = LazyLock::new(|| {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket
            .bind((Ipv4Addr::LOCALHOST, 0).into())
            .expect("a port that is bound");
        socket
    });
    SOCKET.local_addr().expect("the port of a socket").port()
}

/// The TCP ports on which the processes of a group listen, whose leader has this process id.
///
/// # Panics
/// When the system does not tell which ports there are.
#[cfg(target_os = "linux")]
#[must_use]
pub fn listening_ports(group: u32) -> Vec<u16> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.map(|entry| entry.path()).filter(|process| {
        let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
        // Behind the name in parentheses: state, parent, group.
        let mut words = stat.rsplit(')').next().unwrap_or_default().split(' ');
        words.nth(3) == Some(&*group.to_string())
    });
    let sockets: Vec<String> = processes
        .flat_map(|process| std::fs::read_dir(process.join("fd")).into_iter().flatten())
        .filter_map(|file| Some(file.ok()?.path().read_link().ok()?.display().to_string()))
        .collect();
    let mut ports = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        // There is none of IPv6 where the system has none.
        let Ok(text) = std::fs::read_to_string(table) else {
            assert_ne!(table, "/proc/net/tcp", "the table of ports can be read");
            continue;
        };
        for line in text.lines().skip(1) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (listens, socket) = (words[3] == "0A", format!("socket:[{}]", words[9]));
            if listens && sockets.contains(&socket) {
                let port = words[1].rsplit(':').next().unwrap_or_default();
                ports.extend(u16::from_str_radix(port, 16));
            }
        }
    }
    ports
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn closed_port_refuses_connections_and_cannot_be_taken() {
        let at = (Ipv4Addr::LOCALHOST, closed_port());
        let refused = TcpStream::connect(at).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        assert_eq!(
            TcpListener::bind(at).unwrap_err().kind(),
            ErrorKind::AddrInUse
        );
        assert_eq!(closed_port(), at.1);
    }
}
