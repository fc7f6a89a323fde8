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
