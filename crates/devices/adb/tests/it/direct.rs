//! Direct connections: known keys, keys that the user has to accept, and unsupported phones.

use std::time::Duration;

use adb::client::Link;
use adb::client::direct::{DirectLink, Timeouts};
use adb::key::{self, Key, TOKEN_LENGTH};
use adb::wire::mux::{Incoming, Mux};
use adb::wire::packet::{
    AUTH_PUBLIC_KEY, AUTH_SIGNATURE, AUTH_TOKEN, Command, MAX_PAYLOAD, Packet, VERSION,
};
use adb::{ErrorKind, Phone};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// How the phone treats our key.
#[derive(Clone, Copy)]
enum Phones {
    /// Requires no authentication.
    Open,
    /// Knows the key.
    Knows,
    /// Does not know it; the user accepts it.
    Allows,
    /// Does not know it; the user does not react.
    Ignores,
    /// Does not know it, and closes the connection.
    HangsUp,
    /// Requires TLS.
    Tls,
}

async fn phone(how: Phones, known: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        welcome(socket, how, &known).await;
    });
    address
}

async fn welcome(mut socket: TcpStream, how: Phones, known: &str) {
    let hello = Packet::read(&mut socket).await.unwrap();
    assert_eq!(hello.command, Command::Connect);
    assert!(
        hello.text().starts_with("host::features=shell_v2"),
        "{}",
        hello.text()
    );
    let token = [5; TOKEN_LENGTH];
    let ask = Packet::new(Command::Auth, AUTH_TOKEN, 0, token);
    if matches!(how, Phones::Tls) {
        let tls = Packet::new(Command::StartTls, 0x0100_0000, 0, "");
        return tls.write(&mut socket).await.unwrap();
    }
    if !matches!(how, Phones::Open) {
        ask.write(&mut socket).await.unwrap();
        let signed = Packet::read(&mut socket).await.unwrap();
        assert_eq!(signed.arg0, AUTH_SIGNATURE);
        assert!(key::verify(known, &token, &signed.payload));
        if !matches!(how, Phones::Knows) {
            ask.write(&mut socket).await.unwrap();
            let public = Packet::read(&mut socket).await.unwrap();
            assert_eq!(public.arg0, AUTH_PUBLIC_KEY);
            assert_eq!(public.text(), known);
            if matches!(how, Phones::HangsUp) {
                return;
            }
            if matches!(how, Phones::Ignores) {
                // Until the other side gives up.
                assert!(Packet::read(&mut socket).await.is_err());
                return;
            }
        }
    }
    let banner = "device::ro.product.model=Test;features=shell_v2,cmd";
    let name = Packet::new(Command::Connect, VERSION, MAX_PAYLOAD, banner);
    name.write(&mut socket).await.unwrap();
    let (incoming_sender, mut asks) = mpsc::channel::<Incoming>(1);
    let mux = Mux::start(socket, MAX_PAYLOAD, Some(incoming_sender));
    while let Some(incoming) = asks.recv().await {
        assert_eq!(incoming.service, "shell,v2,raw:id");
        let mut stream = incoming.accept().await.unwrap();
        stream
            .write_all(b"\x01\x04\0\0\0root\x03\x01\0\0\0\0")
            .await
            .unwrap();
    }
    drop(mux);
}

async fn enter(how: Phones) -> adb::Result<String> {
    // Each test has its own key, so that none waits for another's file.
    let number = how as u8;
    let folder = std::env::temp_dir().join(format!(
        "clawperator-direct-{}-{number}",
        std::process::id()
    ));
    let made = Key::at(&folder.join("adbkey"))?;
    std::fs::remove_dir_all(&folder)?;
    let address = phone(how, made.public()).await;
    let patience = Timeouts {
        person: Duration::from_millis(200),
        ..Timeouts::default()
    };
    let link = DirectLink::connect(&address, || Ok(made), patience).await?;
    assert_eq!(link.features().await?, ["shell_v2", "cmd"]);
    let phone = Phone::new(std::sync::Arc::new(link));
    Ok(phone.shell("id").await?.text())
}

#[tokio::test]
async fn open_phone_and_known_key_connect() {
    assert_eq!(enter(Phones::Open).await.unwrap(), "root");
    assert_eq!(enter(Phones::Knows).await.unwrap(), "root");
}

#[tokio::test]
async fn unknown_key_waits_for_the_user() {
    assert_eq!(enter(Phones::Allows).await.unwrap(), "root");
    for refuses in [Phones::Ignores, Phones::HangsUp] {
        let error = enter(refuses).await.unwrap_err();
        assert!(error.to_string().ends_with("is unauthorized"), "{error}");
    }
}

#[tokio::test]
async fn tls_phone_is_unsupported() {
    let error = enter(Phones::Tls).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Unsupported(_)), "{error}");
    assert!(error.to_string().contains("adb pair"), "{error}");
}
