//! Input of the adb client: packets, shell packets, answers of servers and phones.

use std::io::Cursor;
use std::sync::Arc;

use adb::client::server::{Address, Server};
use adb::client::{Link, Pipe};
use adb::wire::packet::{Command, Packet};
use adb::wire::{server, shell, sync};
use adb::{Phone, Result as Answer};
use async_trait::async_trait;
use driver_sim::SeededRng;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::{block_on, promise};
use crate::Target;
use crate::mutate::{mutated, pick, unusual_text};

pub(super) const ADB: Target = Target {
    name: "adb",
    seeds,
    make: |rng, seeds| {
        if rng.below(4) == 0 {
            return random_packets(rng);
        }
        let pieces = [
            "OKAY",
            "FAIL",
            "0004",
            "ffff",
            "CNXN",
            "WRTE",
            "CLSE",
            "DATA",
            "DONE",
            "STAT",
            "\0\0\0\0",
            "\u{1}\0\0\0\0",
            "\n",
            "\tdevice\n",
        ];
        mutated(rng, seeds, &pieces)
    },
    check: |input| {
        let input = input.to_vec();
        block_on(async move { check(&input).await })
    },
};

fn seeds() -> Vec<Vec<u8>> {
    let mut shell = shell::packet(shell::Kind::Stdout, b"out\n");
    shell.extend(shell::packet(shell::Kind::Stderr, b"err"));
    shell.extend(shell::packet(shell::Kind::Exit, &[7]));
    let mut packets = Packet::new(
        Command::Connect,
        0x0100_0001,
        4_096,
        "device::features=shell_v2",
    )
    .to_bytes();
    packets.extend(Packet::new(Command::Write, 1, 2, "hello").to_bytes());
    let mut file = sync::message(sync::DATA, b"content");
    file.extend(sync::head(sync::DONE, 0));
    let list = b"emulator-5554\tdevice product:x model:Y transport_id:1\nabc\tunauthorized\n";
    let devices = [format!("OKAY{:04x}", list.len()).as_bytes(), list].concat();
    vec![
        shell,
        packets,
        file,
        devices,
        b"FAIL0006closed".to_vec(),
        b"OKAY00040029".to_vec(),
    ]
}

fn random_packets(rng: &mut SeededRng) -> Vec<u8> {
    let commands = [
        Command::Connect,
        Command::Auth,
        Command::Open,
        Command::Okay,
        Command::Write,
        Command::Close,
    ];
    let mut bytes = Vec::new();
    for _ in 0..=rng.below(4) {
        let [a, b] =
            [rng.next(), rng.next()].map(|number| u32::try_from(number >> 32).unwrap_or(0));
        bytes.extend(Packet::new(*pick(rng, &commands), a, b, unusual_text(rng)).to_bytes());
    }
    bytes
}

/// A phone that answers every request with these bytes.
#[derive(Debug)]
struct FixedReplyLink {
    answer: Vec<u8>,
    features: Vec<String>,
}

#[async_trait]
impl Link for FixedReplyLink {
    async fn open(&self, _service: &str) -> Answer<Pipe> {
        Ok(Box::new(tokio::io::join(
            Cursor::new(self.answer.clone()),
            tokio::io::sink(),
        )))
    }

    async fn features(&self) -> Answer<Vec<String>> {
        Ok(self.features.clone())
    }
}

async fn check(input: &[u8]) -> Result<(), String> {
    let mut from = input;
    while let Ok(packet) = Packet::read(&mut from).await {
        let written = packet.to_bytes();
        let again = Packet::read(&mut written.as_slice()).await;
        promise(again.as_ref().ok() == Some(&packet), || {
            format!("{packet:?} is read back as {again:?}")
        })?;
    }
    let mut from = input;
    while let Ok(Some((kind, data))) = shell::read(&mut from).await {
        let written = shell::packet(kind, &data);
        let again = shell::read(&mut written.as_slice()).await;
        promise(
            matches!(&again, Ok(Some(read)) if *read == (kind, data)),
            || format!("a shell packet is read back as {again:?}"),
        )?;
    }
    let mut outcomes = vec![
        server::status(&mut &*input).await.err(),
        server::text(&mut &*input).await.err(),
    ];
    for features in [vec![], vec!["shell_v2".to_owned(), "stat_v2".to_owned()]] {
        let phone = Phone::new(Arc::new(FixedReplyLink {
            answer: input.to_vec(),
            features,
        }));
        outcomes.push(phone.shell("id").await.err());
        outcomes.push(phone.exec("id").await.err());
        outcomes.push(phone.stat("/x").await.err());
        outcomes.push(phone.pull("/x", 1 << 20).await.err());
        outcomes.push(phone.push(&mut &b"bytes"[..], "/x", 0o644).await.err());
    }
    let server = server_that_sends(input.to_vec())
        .await
        .map_err(|error| error.to_string())?;
    outcomes.push(server.version().await.err());
    outcomes.push(server.devices().await.err());
    for error in outcomes.into_iter().flatten() {
        promise(!error.to_string().trim().is_empty(), || {
            format!("{error:?} has no message")
        })?;
    }
    Ok(())
}

/// A server that answers each connection with these bytes and closes it.
async fn server_that_sends(bytes: Vec<u8>) -> std::io::Result<Server> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let port = listener.local_addr()?.port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            // A client at its limit disconnects first.
            if socket.write_all(&bytes).await.is_ok() && socket.shutdown().await.is_err() {
                break;
            }
        }
    });
    Ok(Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port,
    }))
}
