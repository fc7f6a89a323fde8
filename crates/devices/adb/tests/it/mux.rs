//! Streams on one transport.

use adb::wire::mux::{Incoming, Mux};
use adb::{ErrorKind, Progress};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Both ends of a connection that can be cut.
fn wire() -> (DuplexStream, JoinHandle<()>, DuplexStream) {
    let (near, mut left) = duplex(1 << 16);
    let (mut right, far) = duplex(1 << 16);
    let wire = tokio::spawn(async move {
        tokio::io::copy_bidirectional(&mut left, &mut right)
            .await
            .unwrap();
    });
    (near, wire, far)
}

/// A transport that can be cut, whose far side echoes on `echo:`, sends the text and closes on `say:TEXT`, and
/// never answers on `hang:`.
fn pair() -> (Mux, JoinHandle<()>) {
    let (near, wire, far) = wire();
    let (incoming_sender, mut asks) = mpsc::channel::<Incoming>(8);
    let far = Mux::start(far, 4096, Some(incoming_sender));
    tokio::spawn(async move {
        let _far = far;
        let mut hanging = Vec::new();
        while let Some(incoming) = asks.recv().await {
            let service = incoming.service.clone();
            match service.split_once(':') {
                Some(("echo", _)) => {
                    let mut stream = incoming.accept().await.unwrap();
                    tokio::spawn(async move {
                        let mut bytes = [0; 1000];
                        while let Ok(read @ 1..) = stream.read(&mut bytes).await {
                            stream.write_all(&bytes[..read]).await.unwrap();
                        }
                    });
                }
                Some(("say", text)) => {
                    let mut stream = incoming.accept().await.unwrap();
                    stream.write_all(text.as_bytes()).await.unwrap();
                }
                Some(("hang", _)) => hanging.push(incoming),
                _ => incoming.refuse().await,
            }
        }
    });
    (Mux::start(near, 4096, None), wire)
}

#[tokio::test]
async fn streams_carry_many_packets_without_mixing() {
    let (near, _wire) = pair();
    let (mut one, mut two) = (
        near.open("echo:1").await.unwrap(),
        near.open("echo:2").await.unwrap(),
    );
    let (long, short) = (vec![7_u8; 100_000], b"short".to_vec());
    let (mut back, mut small) = (vec![0; long.len()], vec![0; short.len()]);
    let (mut read_one, mut write_one) = tokio::io::split(&mut one);
    let (sent, read, other) = tokio::join!(
        write_one.write_all(&long),
        read_one.read_exact(&mut back),
        async {
            two.write_all(&short).await.unwrap();
            two.read_exact(&mut small).await
        }
    );
    sent.unwrap();
    read.unwrap();
    other.unwrap();
    assert!(back == long && small == short);
}

#[tokio::test]
async fn closed_stream_delivers_all_data_first() {
    let (near, _wire) = pair();
    let text = "x".repeat(20_000);
    let mut stream = near.open(&format!("say:{text}")).await.unwrap();
    let mut received = String::new();
    stream.read_to_string(&mut received).await.unwrap();
    assert_eq!(received, text);
}

#[tokio::test]
async fn unknown_service_is_refused_as_not_started() {
    let (near, _wire) = pair();
    let error = near.open("nothing").await.unwrap_err();
    assert_eq!(error.to_string(), "the phone has no \"nothing\"");
    assert_eq!(error.reach, Progress::NotStarted);
}

#[tokio::test]
async fn broken_transport_is_an_error() {
    let (near, wire) = pair();
    let mut open = near.open("echo:").await.unwrap();
    let waiting = tokio::spawn({
        let near = near.clone();
        async move { near.open("hang:").await }
    });
    tokio::task::yield_now().await;
    // The far side ends while one stream is open and one is being opened.
    open.write_all(b"x").await.unwrap();
    assert_eq!(open.read_u8().await.unwrap(), b'x');
    wire.abort();
    let error = waiting.await.unwrap().unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Closed), "{error}");
    assert_eq!(error.reach, Progress::Unknown);
    let error = open.read_u8().await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    assert_eq!(near.ended().await, "the connection ended early");
    let error = near.open("echo:").await.unwrap_err();
    assert_eq!(error.reach, Progress::NotStarted);
}

#[tokio::test]
async fn stream_of_a_broken_transport_is_not_accepted() {
    let (near, wire, far) = wire();
    let (requested, mut requests) = mpsc::channel::<Incoming>(8);
    let far = Mux::start(far, 4096, Some(requested));
    let near = Mux::start(near, 4096, None);
    let opening = tokio::spawn(async move { near.open("late:").await });
    let incoming = requests.recv().await.unwrap();
    wire.abort();
    far.ended().await;
    let error = incoming.accept().await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Closed), "{error}");
    opening.await.unwrap().unwrap_err();
}
