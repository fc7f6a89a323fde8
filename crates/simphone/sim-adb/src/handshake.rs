//! The adb handshake: banner and authentication.

use adb::key::{self, TOKEN_LENGTH};
use adb::wire::packet::{
    AUTH_PUBLIC_KEY, AUTH_SIGNATURE, AUTH_TOKEN, Command, MAX_PAYLOAD, Packet, VERSION,
};
use driver_sim::SeededRng;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::adb_phone::{Access, AdbPhone, Options};
use crate::fault::WireFault;

fn banner(options: &Options) -> String {
    let Options {
        product,
        model,
        device,
        features,
        ..
    } = options;
    format!(
        "device::ro.product.name={product};ro.product.model={model};ro.product.device={device};features={}",
        features.join(",")
    )
}

/// Runs the handshake and returns the largest payload that the client accepts; an error ends the connection.
pub(crate) async fn run<T>(io: &mut T, adb_phone: &AdbPhone, connection: u64) -> adb::Result<u32>
where
    T: AsyncRead + AsyncWrite + Unpin,
{
    let options = adb_phone.options();
    let hello = loop {
        let packet = Packet::read(io).await?;
        if packet.command == Command::Connect {
            break packet;
        }
    };
    let denies_all = adb_phone.faults().has(&WireFault::Unauthorized);
    let mut rng = SeededRng::new(options.sim.seed ^ connection, "adb_token");
    if denies_all || matches!(options.access, Access::Keys { .. }) {
        loop {
            let token: Vec<u8> = (0..TOKEN_LENGTH).map(|_| rng.below(256) as u8).collect();
            Packet::new(Command::Auth, AUTH_TOKEN, 0, token.clone())
                .write(io)
                .await?;
            let answer = Packet::read(io).await?;
            if answer.command != Command::Auth {
                continue;
            }
            if answer.arg0 == AUTH_SIGNATURE {
                let known = match &options.access {
                    Access::Keys { known } if !denies_all => known.as_slice(),
                    Access::Keys { .. } | Access::Open => &[],
                };
                if known
                    .iter()
                    .any(|known| key::verify(known, &token, &answer.payload))
                {
                    break;
                }
            } else if answer.arg0 == AUTH_PUBLIC_KEY {
                // The prompt for a new key is never accepted.
                return Err(read_to_end(io).await);
            }
        }
    }
    Packet::new(Command::Connect, VERSION, MAX_PAYLOAD, banner(options))
        .write(io)
        .await?;
    Ok(hello.arg1.clamp(1, MAX_PAYLOAD))
}

/// Reads until the connection ends; returns the error that ended it.
async fn read_to_end<T: AsyncRead + Unpin>(io: &mut T) -> adb::Error {
    loop {
        if let Err(error) = Packet::read(io).await {
            return error;
        }
    }
}
