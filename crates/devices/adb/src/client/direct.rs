//! Connects to a phone without an adb server: the transport itself, over TCP.

use std::time::Duration;

use async_trait::async_trait;
use tokio::net::TcpStream;

use crate::client::{Link, Pipe};
use crate::error::{Error, ErrorKind, Result};
use crate::key::Key;
use crate::wire::mux::Mux;
use crate::wire::packet::{
    AUTH_PUBLIC_KEY, AUTH_SIGNATURE, AUTH_TOKEN, Command, MAX_PAYLOAD, Packet, VERSION,
};

/// The features that we support; phones answer with the common ones.
const FEATURES: &str = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,apex,abb,abb_exec";

/// An authenticated connection to a phone.
#[derive(Debug)]
pub struct DirectLink {
    mux: Mux,
    banner: String,
}

/// Timeouts of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For the connection and each answer.
    pub answer: Duration,
    /// For the user to accept the key on the phone.
    pub person: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            person: Duration::from_secs(20),
        }
    }
}

impl DirectLink {
    /// Connects to a phone at `host:port` and authenticates. `key` is called if the phone requires
    /// authentication.
    ///
    /// # Errors
    /// `NotReady` with `unauthorized` if the key is not accepted, `Unsupported` if the phone requires TLS,
    /// `Silent` on timeout, and errors of the key and the connection.
    pub async fn connect(
        address: &str,
        key: impl FnOnce() -> Result<Key>,
        timeouts: Timeouts,
    ) -> Result<Self> {
        let connecting = tokio::time::timeout(timeouts.answer, TcpStream::connect(address));
        let mut socket = connecting
            .await
            .map_err(|_| Error::from(ErrorKind::Silent(timeouts.answer)))??;
        socket.set_nodelay(true)?;
        let banner = format!("host::features={FEATURES}");
        let hello = Packet::new(Command::Connect, VERSION, MAX_PAYLOAD, banner);
        hello.write(&mut socket).await?;
        let mut key = Some(key);
        let mut mine: Option<Key> = None;
        let mut wait = timeouts.answer;
        let unauthorized = || {
            Error::from(ErrorKind::NotReady {
                serial: address.to_owned(),
                state: "unauthorized".to_owned(),
            })
        };
        loop {
            let packet = match tokio::time::timeout(wait, Packet::read(&mut socket)).await {
                // Some phones disconnect on an unknown key.
                Ok(Err(error)) if mine.is_some() && is_ended(&error) => return Err(unauthorized()),
                Ok(packet) => packet?,
                Err(_) if mine.is_some() => return Err(unauthorized()),
                Err(_) => return Err(ErrorKind::Silent(wait).into()),
            };
            match packet.command {
                Command::Connect => {
                    let max_payload = packet.arg1.min(MAX_PAYLOAD);
                    return Ok(Self {
                        banner: packet.text(),
                        mux: Mux::start(socket, max_payload, None),
                    });
                }
                Command::Auth if packet.arg0 == AUTH_TOKEN => {
                    let answer = match (&mine, key.take()) {
                        (None, Some(key)) => {
                            let key = key()?;
                            let signature = key.sign(&packet.payload)?;
                            mine = Some(key);
                            Packet::new(Command::Auth, AUTH_SIGNATURE, 0, signature)
                        }
                        // The phone does not know the key: the user has to accept it.
                        (Some(key), _) => {
                            wait = timeouts.person;
                            let public = format!("{}\0", key.public());
                            Packet::new(Command::Auth, AUTH_PUBLIC_KEY, 0, public)
                        }
                        (None, None) => return Err(unauthorized()),
                    };
                    answer.write(&mut socket).await?;
                }
                Command::StartTls => {
                    let why = "the phone wants wireless debugging with pairing, which needs the program adb: \
                               `adb pair`, then `adb connect`";
                    return Err(ErrorKind::Unsupported(why.to_owned()).into());
                }
                other => {
                    let message = format!("the phone began with {other:?} instead of its name");
                    return Err(Error::protocol(message));
                }
            }
        }
    }

    /// The banner of the phone: `device::ro.product.model=…;features=…`.
    pub fn banner(&self) -> &str {
        &self.banner
    }

    /// Waits until the connection has ended and returns the reason.
    pub async fn ended(&self) -> String {
        self.mux.ended().await
    }
}

/// Whether the other side closed the connection.
fn is_ended(error: &Error) -> bool {
    match &error.kind {
        ErrorKind::Closed => true,
        ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        _ => false,
    }
}

#[async_trait]
impl Link for DirectLink {
    async fn open(&self, service: &str) -> Result<Pipe> {
        Ok(Box::new(self.mux.open(service).await?))
    }

    async fn features(&self) -> Result<Vec<String>> {
        Ok(features_of(&self.banner))
    }
}

pub fn features_of(banner: &str) -> Vec<String> {
    let list = banner
        .split([';', ':'])
        .find_map(|part| part.strip_prefix("features="));
    let names = list
        .unwrap_or_default()
        .split(',')
        .filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_parsed_from_banner() {
        let banner = "device::ro.product.name=x;ro.product.model=y;features=shell_v2,cmd";
        assert_eq!(features_of(banner), ["shell_v2", "cmd"]);
        assert!(features_of("device::").is_empty());
    }
}
