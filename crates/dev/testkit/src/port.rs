//! Ports for servers that are restarted during tests.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::net::TcpSocket;

/// The first port. The system uses those from 32768 for outgoing connections, so a lower port that is free now
/// stays free.
const FIRST: u32 = 20_000;
const COUNT: u32 = 10_000;

/// A free port on 127.0.0.1, unique within this process.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Parallel test processes start at different ports.
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

/// A port on 127.0.0.1 that refuses connections while this process runs: it is bound without listening, so
/// that no server can take it.
#[expect(clippy::expect_used, reason = "tests need it")]
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

/// The TCP ports on which the processes of a group listen; `group` is the process id of its leader.
#[cfg(target_os = "linux")]
pub fn listening_ports(group: u32) -> Vec<u16> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.map(|entry| entry.path()).filter(|process| {
        let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
        // After the name in parentheses: state, parent, group.
        let mut words = stat.rsplit(')').next().unwrap_or_default().split(' ');
        words.nth(3) == Some(&*group.to_string())
    });
    let sockets: Vec<String> = processes
        .flat_map(|process| std::fs::read_dir(process.join("fd")).into_iter().flatten())
        .filter_map(|file| Some(file.ok()?.path().read_link().ok()?.display().to_string()))
        .collect();
    let mut ports = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        // The IPv6 table is missing on systems without IPv6.
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
