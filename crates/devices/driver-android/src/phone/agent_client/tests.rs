//! A connection with an agent that the test plays.

use super::*;
use agent_protocol::{
    AgentDispatch, AgentErrorCode, AgentForm, AppEventKind, Change, Features, NodeRecord,
    ScreenCapture, SentContent, WindowRecord, encode_frame,
};
use tokio::io::DuplexStream;

/// The agent's end of a connection.
struct Peer {
    stream: DuplexStream,
    frames: FrameReader,
}

impl Peer {
    /// The next request; `None` at the end of the connection.
    async fn next_request(&mut self) -> Option<(u32, Request)> {
        let mut piece = [0; 7];
        loop {
            if let Some(frame) = self.frames.next_frame().unwrap() {
                let kind = RequestKind::of_number(frame.kind).unwrap();
                let (request, _) = Request::decode(kind, &frame.body).unwrap();
                return Some((frame.id, request));
            }
            match self.stream.read(&mut piece).await.unwrap() {
                0 => return None,
                read => self.frames.push(&piece[..read]),
            }
        }
    }

    async fn send(&mut self, frame: Result<Vec<u8>, FrameTooLong>) {
        // Cut at every byte.
        for byte in frame.unwrap() {
            self.stream.write_all(&[byte]).await.unwrap();
        }
    }

    async fn shake_hands(&mut self) {
        let (id, hello) = self.next_request().await.unwrap();
        assert_eq!(hello, Request::Hello(Hello::with_token(b"secret")));
        let hello = HelloAnswer {
            version: 1,
            form: AgentForm::Agent,
            sha256: None,
            sdk: 34,
            pid: 1,
            features: Features::INPUT
                | Features::SCREENSHOTS
                | Features::CLIPBOARD
                | Features::EDITOR_ACTION,
            width: 1080,
            height: 2340,
            rotation: 0,
            density: 420,
        };
        self.send(Answer::Hello(hello).encode(id)).await;
    }
}

async fn connected() -> (Arc<AgentClient>, Peer) {
    let (near, far) = tokio::io::duplex(64);
    let mut peer = Peer {
        stream: far,
        frames: FrameReader::new(),
    };
    let (client, ()) = tokio::join!(AgentClient::connect(near, b"secret"), peer.shake_hands());
    (Arc::new(client.unwrap()), peer)
}

/// Starts a call.
fn begin(
    client: &Arc<AgentClient>,
    request: Request,
) -> tokio::task::JoinHandle<Result<Answer, CallError>> {
    let client = Arc::clone(client);
    tokio::spawn(async move { client.call(&request, Duration::from_secs(1)).await })
}

const KEY: Request = Request::Key {
    display: 0,
    code: 4,
    meta: 0,
};

#[tokio::test]
async fn answers_find_their_calls() {
    let (client, mut peer) = connected().await;
    let ping = begin(&client, Request::Ping);
    let (first, _) = peer.next_request().await.unwrap();
    let key = begin(&client, KEY);
    let (second, request) = peer.next_request().await.unwrap();
    assert_eq!(request, KEY);
    peer.send(Answer::Done.encode(second)).await;
    peer.send(Answer::Pong { revision: 9 }.encode(first)).await;
    assert_eq!(key.await.unwrap(), Ok(Answer::Done));
    assert_eq!(ping.await.unwrap(), Ok(Answer::Pong { revision: 9 }));
}

#[tokio::test]
async fn refused_handshake_names_the_reason() {
    let (near, far) = tokio::io::duplex(1024);
    let mut peer = Peer {
        stream: far,
        frames: FrameReader::new(),
    };
    let busy = AgentError {
        code: AgentErrorCode::Busy,
        dispatch: AgentDispatch::Nothing,
        message: String::new(),
    };
    let refuse = async {
        let (id, _) = peer.next_request().await.unwrap();
        peer.send(busy.to_frame(id)).await;
    };
    let (client, ()) = tokio::join!(AgentClient::connect(near, b"secret"), refuse);
    assert_eq!(client.unwrap_err(), CallError::Agent(busy));
}

#[tokio::test]
async fn dropped_call_is_cancelled_and_its_late_answer_discarded() {
    let (client, mut peer) = connected().await;
    let key = begin(&client, KEY);
    let (id, _) = peer.next_request().await.unwrap();
    key.abort();
    assert!(key.await.unwrap_err().is_cancelled());
    let (cancel, request) = peer.next_request().await.unwrap();
    assert_eq!(request, Request::Cancel { id });
    peer.send(Answer::Done.encode(id)).await;
    peer.send(Answer::Done.encode(cancel)).await;
    let ping = begin(&client, Request::Ping);
    let (id, _) = peer.next_request().await.unwrap();
    peer.send(Answer::Pong { revision: 1 }.encode(id)).await;
    assert_eq!(ping.await.unwrap(), Ok(Answer::Pong { revision: 1 }));
}

#[tokio::test]
async fn dropped_call_that_was_not_sent_is_withdrawn() {
    let (client, mut peer) = connected().await;
    // The pipe holds 64 bytes and is full after the first frame.
    let long = Request::Clipboard {
        set: Some("x".repeat(200)),
    };
    let first = begin(&client, long.clone());
    tokio::task::yield_now().await;
    let second = begin(&client, KEY);
    tokio::task::yield_now().await;
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled());
    let (id, request) = peer.next_request().await.unwrap();
    assert_eq!(request, long);
    let text = String::new();
    peer.send(Answer::Clipboard { text }.encode(id)).await;
    assert!(first.await.unwrap().is_ok());
    drop(client);
    assert_eq!(peer.next_request().await, None);
}

#[tokio::test]
async fn lost_connection_reports_the_progress_of_each_call() {
    let (client, mut peer) = connected().await;
    let sent = begin(&client, KEY);
    peer.next_request().await.unwrap();
    let half = begin(
        &client,
        Request::Clipboard {
            set: Some("x".repeat(200)),
        },
    );
    tokio::task::yield_now().await;
    let waiting = begin(&client, KEY);
    tokio::task::yield_now().await;
    drop(peer);
    let dispatch = |done: Result<Answer, CallError>| match done {
        Err(CallError::Lost { dispatch, .. }) => dispatch,
        other => panic!("{other:?}"),
    };
    assert_eq!(dispatch(sent.await.unwrap()), Dispatch::Unknown);
    // The end may be noticed by the reader before the writer.
    assert_ne!(dispatch(half.await.unwrap()), Dispatch::Sent);
    assert_eq!(dispatch(waiting.await.unwrap()), Dispatch::NotSent);
    let later = client.call(&KEY, Duration::ZERO).await;
    assert_eq!(dispatch(later), Dispatch::NotSent);
    assert!(client.is_broken());
}

#[tokio::test]
async fn what_does_not_follow_the_protocol_ends_the_connection() {
    for wrong in [
        agent_protocol::encode_frame(kind::DONE, 2, b"\x01\x02"),
        agent_protocol::encode_frame(kind::DONE, 99, b""),
        agent_protocol::encode_frame(77, 2, b""),
        agent_protocol::encode_frame(kind::ERROR, 2, b"\x63"),
        agent_protocol::encode_frame(kind::MESSAGE, 0, b"\x02\x00"),
        Ok(vec![0xff; 4]),
    ] {
        let (client, mut peer) = connected().await;
        let key = begin(&client, KEY);
        peer.next_request().await.unwrap();
        peer.send(wrong.clone()).await;
        let Err(CallError::Lost { message, dispatch }) = key.await.unwrap() else {
            panic!("{wrong:?}");
        };
        assert!(message.contains("protocol"), "{message}");
        assert_eq!(dispatch, Dispatch::Unknown);
    }
}

#[tokio::test]
async fn change_is_reported_once_for_each_observation() {
    let (client, mut peer) = connected().await;
    let look = Request::Observe {
        display: 0,
        known: 1,
    };
    for _ in 0..2 {
        let seen = begin(&client, look.clone());
        let (id, _) = peer.next_request().await.unwrap();
        let unchanged = Answer::Observed {
            revision: 1,
            screen: None,
        };
        peer.send(unchanged.encode(id)).await;
        seen.await.unwrap().unwrap();
        let still = tokio::time::timeout(Duration::from_millis(20), client.changed());
        assert!(still.await.is_err());
        let waits = {
            let client = Arc::clone(&client);
            tokio::spawn(async move { client.changed().await })
        };
        peer.send(Change { event_types: 32 }.encode()).await;
        waits.await.unwrap();
        client.changed().await;
    }
}

/// Observes a screen of this width, as an edit if the client names the revision before.
async fn observe(
    client: &Arc<AgentClient>,
    peer: &mut Peer,
    sent: &mut SentContent,
    known: u64,
    (revision, width): (u64, u32),
) -> (u64, Result<Answer, CallError>) {
    let seen = begin(client, Request::Observe { display: 0, known });
    let (id, request) = peer.next_request().await.unwrap();
    let Request::Observe { known, .. } = request else {
        panic!("{request:?}");
    };
    let body = sent.answer(&screen(width), revision, known);
    peer.send(encode_frame(kind::DONE, id, &body)).await;
    (known, seen.await.unwrap())
}

fn screen(width: u32) -> ScreenCapture {
    let node = NodeRecord {
        text: Some("A text that an edit copies".into()),
        ..NodeRecord::default()
    };
    ScreenCapture {
        took_ms: 0,
        width,
        height: 2340,
        rotation: 0,
        density: 420,
        expected_windows: 1,
        windows: vec![WindowRecord {
            nodes: vec![node],
            ..WindowRecord::default()
        }],
        other_displays: Vec::new(),
    }
}

#[tokio::test]
async fn edits_are_applied_and_unknown_revisions_are_not_named() {
    let (client, mut peer) = connected().await;
    let mut sent = SentContent::default();
    // The caller knows it from another connection.
    let first = observe(&client, &mut peer, &mut sent, 7, (8, 1000)).await;
    let whole = |revision, width| {
        Ok(Answer::Observed {
            revision,
            screen: Some(Box::new(screen(width))),
        })
    };
    assert_eq!(first, (0, whole(8, 1000)));
    let second = observe(&client, &mut peer, &mut sent, 8, (9, 1001)).await;
    assert_eq!(second, (8, whole(9, 1001)));
    let (known, unchanged) = observe(&client, &mut peer, &mut sent, 9, (9, 1001)).await;
    assert_eq!(known, 9);
    assert!(matches!(
        unchanged,
        Ok(Answer::Observed { screen: None, .. })
    ));
    // An edit of a revision that did not arrive on this connection.
    let (client, mut peer) = connected().await;
    let seen = begin(
        &client,
        Request::Observe {
            display: 0,
            known: 9,
        },
    );
    let (id, _) = peer.next_request().await.unwrap();
    let body = sent.answer(&screen(1002), 10, 9);
    peer.send(encode_frame(kind::DONE, id, &body)).await;
    let Err(CallError::Lost { message, .. }) = seen.await.unwrap() else {
        panic!();
    };
    assert!(message.contains("edited revision"), "{message}");
}

#[tokio::test]
async fn events_are_kept_until_they_are_taken_and_dropped_ones_counted() {
    let (client, mut peer) = connected().await;
    let event = |number| AppEvent {
        number,
        lost: u64::from(number == 1) * 3,
        age_ms: 40,
        texts: vec!["Saved".to_owned()],
        ..AppEvent::new(AppEventKind::Noticed, "com.x")
    };
    let max_events = u64::try_from(MAX_EVENTS).unwrap();
    for number in 1..=max_events + 2 {
        peer.send(event(number).encode()).await;
    }
    let ping = begin(&client, Request::Ping);
    let (id, _) = peer.next_request().await.unwrap();
    peer.send(Answer::Pong { revision: 1 }.encode(id)).await;
    ping.await.unwrap().unwrap();
    client.event_arrived().await;
    let events = client.take_events();
    assert_eq!(events.len(), MAX_EVENTS);
    // The first had three before it that the agent lost, and two were dropped here.
    assert_eq!((events[0].event.number, events[0].lost), (3, 5));
    assert_eq!(events[1].lost, 0);
    assert!(events[0].at.elapsed() >= Duration::from_millis(40));
    assert!(client.take_events().is_empty());
}
