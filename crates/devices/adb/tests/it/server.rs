//! The client against faulty servers.

use adb::client::Link;
use adb::client::server::{Address, Server};
use adb::{ErrorKind, Phone, Progress};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server that answers each request of a connection with the next of these, then disconnects.
async fn server(script: Vec<(&'static str, &'static [u8])>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(converse(socket, script.clone()));
        }
    });
    Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port,
    })
}

async fn converse(mut socket: TcpStream, script: Vec<(&'static str, &'static [u8])>) {
    loop {
        let mut digits = [0; 4];
        if socket.read_exact(&mut digits).await.is_err() {
            return;
        }
        let length = usize::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap();
        let mut request = vec![0; length];
        socket.read_exact(&mut request).await.unwrap();
        let request = String::from_utf8(request).unwrap();
        let Some((_, answer)) = script
            .iter()
            .find(|(prefix, _)| request.starts_with(prefix))
        else {
            return;
        };
        socket.write_all(answer).await.unwrap();
        if !request.starts_with("host:transport") {
            return;
        }
    }
}

const FEATURES: (&str, &[u8]) = ("host-serial:X:features", b"OKAY0008shell_v2");
const TRANSPORT: (&str, &[u8]) = ("host:transport:X", b"OKAY");

#[tokio::test]
async fn command_has_output_and_status() {
    let packets: &[u8] = b"OKAY\x01\x03\0\0\0out\x02\x03\0\0\0err\x03\x01\0\0\0\x07";
    let server = server(vec![FEATURES, TRANSPORT, ("shell,v2,raw:id", packets)]).await;
    let phone = Phone::new(std::sync::Arc::new(server.link("X")));
    for _ in 0..3 {
        let output = phone.shell("id").await.unwrap();
        assert_eq!(
            (output.text().as_str(), output.error_text().as_str()),
            ("out", "err")
        );
        assert_eq!(output.status, 7);
    }
}

#[tokio::test]
async fn request_progress_depends_on_the_cut() {
    let cut_before: Vec<(&str, &[u8])> = vec![FEATURES];
    let unanswered: Vec<(&str, &[u8])> = vec![FEATURES, TRANSPORT];
    let refused: Vec<(&str, &[u8])> = vec![FEATURES, TRANSPORT, ("shell", b"FAIL0006closed")];
    let unknown: Vec<(&str, &[u8])> =
        vec![FEATURES, TRANSPORT, ("shell", b"FAIL000edevice offline")];
    let started: Vec<(&str, &[u8])> = vec![FEATURES, TRANSPORT, ("shell", b"OKAY\x01\x09\0\0\0ab")];
    for (script, reach) in [
        (cut_before, Progress::NotStarted),
        (unanswered, Progress::Unknown),
        // A server gives the same message for a phone that was lost meanwhile.
        (refused, Progress::Unknown),
        (unknown, Progress::NotStarted),
        (started, Progress::Started),
    ] {
        let shown = format!("{script:?}");
        let phone = Phone::new(std::sync::Arc::new(server(script).await.link("X")));
        let error = phone.shell("input tap 1 2").await.unwrap_err();
        assert_eq!(error.reach, reach, "{shown}: {error}");
    }
}

#[tokio::test]
async fn phone_without_shell_v2_works() {
    let script: Vec<(&str, &[u8])> = vec![
        ("host-serial:X:features", b"OKAY"),
        TRANSPORT,
        // The server's answer if the phone lacks the service.
        ("shell,v2", b"FAIL0006closed"),
        (
            "shell:( id\n) 2>&1; echo ",
            b"OKAYone\r\nclawperator-status:1\r\n",
        ),
    ];
    let phone = Phone::new(std::sync::Arc::new(server(script).await.link("X")));
    for _ in 0..2 {
        let output = phone.shell("id").await.unwrap();
        assert_eq!((output.text().as_str(), output.status), ("one\n", 1));
    }
}

#[tokio::test]
async fn other_server_is_reported() {
    let server = server(vec![("host", b"HTTP/1.1 400 Bad Request")]).await;
    let error = server.devices().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the other side answered \"HTTP\" and is not an adb server"
    );
    assert!(server.link("X").open("shell:id").await.is_err());
}

#[tokio::test]
async fn missing_server_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let address = Address {
        host: "127.0.0.1".to_owned(),
        port,
    };
    let error = Server::at(address).devices().await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::NoServer { .. }), "{error}");
    assert!(error.to_string().contains(&port.to_string()), "{error}");
}

#[tokio::test(start_paused = true)]
async fn silent_server_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let holding = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((socket, _)) = listener.accept().await {
            held.push(socket);
        }
    });
    let server = Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port,
    });
    let link = server.link("X");
    // All requests wait at the same time.
    let (version, devices, reached, features, opened) = tokio::join!(
        server.version(),
        server.devices(),
        link.reach(),
        link.features(),
        link.open("shell:id"),
    );
    let ends = [
        version.map(drop),
        devices.map(drop),
        reached,
        features.map(drop),
        opened.map(drop),
    ];
    for end in ends {
        let error = end.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Silent(_)), "{error}");
        assert_eq!(error.reach, Progress::NotStarted);
    }
    holding.abort();
}
