//! A connection to the agent that breaks around an input.

use std::sync::{Arc, Mutex};

use agent_protocol::{FrameReader, RequestKind, encode_frame};
use testkit::conformance::Break;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::net::TcpStream;

/// How much is read at once.
const PIECE: usize = 64 * 1024;

/// The break that is to come.
pub(crate) type NextBreak = Arc<Mutex<Option<Break>>>;

/// A stream to the agent that the break cuts.
pub(crate) fn stream(agent: TcpStream, breaks: NextBreak) -> DuplexStream {
    let (near, far) = tokio::io::duplex(PIECE);
    tokio::spawn(relay(far, agent, breaks));
    near
}

/// Reads a piece into a reader of frames; false at the end.
async fn fill(from: &mut (impl AsyncRead + Unpin), frames: &mut FrameReader) -> bool {
    let mut piece = vec![0; PIECE];
    match from.read(&mut piece).await {
        Ok(0) | Err(_) => false,
        Ok(length) => {
            frames.push(&piece[..length]);
            true
        }
    }
}

/// Passes frames on until one side ends or the break comes.
async fn relay(driver: DuplexStream, agent: TcpStream, breaks: NextBreak) {
    let (mut from_driver, mut to_driver) = tokio::io::split(driver);
    let (mut from_agent, mut to_agent) = agent.into_split();
    let (mut requests, mut answers) = (FrameReader::new(), FrameReader::new());
    let mut last = None;
    loop {
        let open = tokio::select! {
            open = fill(&mut from_driver, &mut requests) => open,
            open = fill(&mut from_agent, &mut answers) => open,
        };
        if !open {
            return;
        }
        while let Some(frame) = requests.next_frame().unwrap() {
            if RequestKind::of_number(frame.kind).is_some_and(RequestKind::changes) {
                match breaks.lock().unwrap().take() {
                    Some(Break::Before) => return,
                    Some(Break::Done) => last = Some(frame.id),
                    None => {}
                }
            }
            let bytes = encode_frame(frame.kind, frame.id, &frame.body).unwrap();
            if to_agent.write_all(&bytes).await.is_err() {
                return;
            }
        }
        while let Some(frame) = answers.next_frame().unwrap() {
            if last == Some(frame.id) {
                return;
            }
            let bytes = encode_frame(frame.kind, frame.id, &frame.body).unwrap();
            if to_driver.write_all(&bytes).await.is_err() {
                return;
            }
        }
    }
}
