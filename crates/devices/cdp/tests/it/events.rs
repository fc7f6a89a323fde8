//! Events reach all listeners in order, and lost events are reported.

use std::sync::{Arc, Mutex};

use cdp::protocol::page::{FrameNavigated, LifecycleEvent};
use cdp::{Connection, Error, NextEvent, Signal};
use serde_json::{Value, json};

use crate::peer::pair;

fn step(name: &str) -> Value {
    json!({"frameId": "F", "loaderId": "L", "name": name, "timestamp": 1.5})
}

#[tokio::test]
async fn session_receives_its_own_events_in_order() {
    let (connection, mut peer) = pair().await;
    let page = peer.page(&connection, "S1").await;
    let mut events = page.events();
    peer.event(Some("S2"), "Page.lifecycleEvent", step("other"))
        .await;
    peer.event(None, "Page.lifecycleEvent", step("browser"))
        .await;
    for name in ["init", "commit", "load"] {
        peer.event(Some("S1"), "Page.lifecycleEvent", step(name))
            .await;
    }
    for name in ["init", "commit", "load"] {
        let NextEvent::Event(event) = events.next().await else {
            panic!("no event");
        };
        assert_eq!(event.method(), "Page.lifecycleEvent");
        assert!(event.read::<FrameNavigated>().is_none());
        assert_eq!(event.read::<LifecycleEvent>().unwrap().unwrap().name, name);
    }
    assert!(events.try_next().is_none());
    drop(peer);
    assert!(matches!(events.next().await, NextEvent::Lost(_)));
    assert!(matches!(events.next().await, NextEvent::Lost(_)));
}

#[tokio::test]
async fn malformed_event_is_an_error_on_reading() {
    let (connection, mut peer) = pair().await;
    let mut events = peer.page(&connection, "S").await.events();
    peer.event(Some("S"), "Page.lifecycleEvent", json!({"name": 1}))
        .await;
    let NextEvent::Event(event) = events.next().await else {
        panic!("no event");
    };
    let read = event.read::<LifecycleEvent>().unwrap();
    assert!(matches!(
        read,
        Err(Error::Malformed {
            method: "Page.lifecycleEvent",
            ..
        })
    ));
}

#[tokio::test]
async fn slow_reader_gets_lost_event_count() {
    let (connection, mut peer) = pair().await;
    let page = peer.page(&connection, "S").await;
    let mut events = page.events();
    let many = 10_000;
    for number in 0..many {
        peer.event(Some("S"), "Any.event", json!({ "number": number }))
            .await;
    }
    // All events are queued before this answer.
    let call = page.call_raw("Any.thing", &json!({}));
    let received = peer.call().await;
    peer.answer(&received, json!({})).await;
    call.await.unwrap();
    let (mut kept, mut lost) = (0, None);
    while let Some(next) = events.try_next() {
        match next {
            NextEvent::Event(_) => kept += 1,
            NextEvent::Lagged(count) => lost = Some(count),
            NextEvent::Lost(why) => panic!("{why}"),
        }
    }
    assert_eq!(kept + lost.unwrap(), many);
    // Events continue after the gap.
    peer.event(Some("S"), "Any.event", json!({})).await;
    assert!(matches!(events.next().await, NextEvent::Event(_)));
}

#[tokio::test]
async fn event_is_delivered_before_later_answer() {
    let (connection, mut peer) = pair().await;
    let page = peer.page(&connection, "S").await;
    let signals = Arc::new(Mutex::new(Vec::new()));
    let subscription = connection.listen({
        let signals = Arc::clone(&signals);
        Arc::new(move |connection: &Connection, signal: Signal<'_>| {
            if let Signal::Event(event) = signal {
                signals.lock().unwrap().push(event.method().to_owned());
                // A listener may make calls; they are sent immediately.
                let session = event.session().map(|id| connection.session(id));
                if let Some(session) = session {
                    drop(session.call_raw("Any.reaction", &json!({})));
                }
            }
        })
    });
    let call = page.call_raw("Any.thing", &json!({}));
    let received = peer.call().await;
    peer.event(Some("S"), "Any.event", json!({})).await;
    peer.answer(&received, json!({})).await;
    call.await.unwrap();
    assert_eq!(*signals.lock().unwrap(), ["Any.event"]);
    let reaction = peer.call().await;
    assert_eq!(
        (&reaction["method"], &reaction["sessionId"]),
        (&json!("Any.reaction"), &json!("S"))
    );
    drop(subscription);
    peer.event(Some("S"), "Any.other", json!({})).await;
    let call = page.call_raw("Any.thing", &json!({}));
    let received = peer.call().await;
    peer.answer(&received, json!({})).await;
    call.await.unwrap();
    assert_eq!(signals.lock().unwrap().len(), 1);
}
