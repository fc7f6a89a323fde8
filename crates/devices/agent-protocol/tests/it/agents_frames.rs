//! The frames that the agent's own tests write (`agent/testdata`): a line in words, then the frame in hex.

use std::path::PathBuf;

use agent_protocol::*;

use crate::golden::unhex;

/// The frames of a file.
fn frames(name: &str) -> Vec<Frame> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let path = root.join(format!("agent/testdata/{name}.hex"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut reader = FrameReader::new();
    reader.push(&unhex(&text));
    let mut frames = Vec::new();
    while let Some(frame) = reader.next_frame().unwrap() {
        frames.push(frame);
    }
    assert!(reader.is_between_frames() && !frames.is_empty(), "{name}");
    frames
}

/// The answer to a request of this kind, which is encoded as the agent did.
fn answer(name: &str, kind: RequestKind) -> Answer {
    let frame = &frames(name)[0];
    assert_eq!(frame.kind, kind::DONE, "{name}");
    let answer = Answer::decode(kind, &frame.body, &mut ScreenCopy::default()).unwrap();
    let again = answer.encode(frame.id).unwrap();
    let again = Answer::decode(kind, &again[9..], &mut ScreenCopy::default());
    assert_eq!(again, Ok(answer.clone()));
    answer
}

#[test]
fn agents_answers_are_read() {
    let Answer::Hello(hello) = answer("hello", RequestKind::Hello) else {
        panic!();
    };
    assert_eq!((hello.version, hello.sdk, hello.pid), (VERSION, 34, 4321));
    assert_eq!(
        (hello.width, hello.height, hello.density),
        (1080, 2400, 440)
    );
    assert_eq!(
        hello.features,
        Features::INPUT
            | Features::SCREENSHOTS
            | Features::CLIPBOARD
            | Features::EDITOR_ACTION
            | Features::REST
            | Features::ROTATION
    );
    let Answer::Observed { revision, screen } = answer("observe", RequestKind::Observe) else {
        panic!();
    };
    let screen = screen.unwrap();
    assert_eq!((revision, screen.took_ms, screen.windows.len()), (41, 7, 2));
    assert_eq!(
        (
            screen.other_displays[0].id,
            screen.other_displays[0].windows
        ),
        (2, 3)
    );
    let texts = screen.windows.iter().flat_map(|window| &window.nodes);
    let field = texts.clone().find(|node| node.error.is_some()).unwrap();
    assert_eq!(field.resource_id.as_deref(), Some("com.x:id/amount"));
    assert!(field.range.is_some() && field.selection.is_some() && !field.extras.is_empty());
    assert_eq!(
        screen
            .windows
            .iter()
            .map(|window| window.unreadable)
            .sum::<u32>(),
        1
    );
    let mut copy = ScreenCopy::default();
    let whole = frames("observe").remove(0).body;
    let edit = frames("edited").remove(0).body;
    assert!(edit.len() < whole.len() / 10);
    let known = Answer::decode(RequestKind::Observe, &edit, &mut copy);
    assert_eq!(known.unwrap_err().what, "edited revision");
    let mut read = |body: &[u8]| match Answer::decode(RequestKind::Observe, body, &mut copy) {
        Ok(Answer::Observed { screen, .. }) => screen.unwrap(),
        other => panic!("{other:?}"),
    };
    let mut before = read(&whole);
    let after = read(&edit);
    assert_eq!(copy.revision(), 42);
    let row = &mut before.windows[1].nodes[1];
    assert_eq!(row.text.as_deref(), Some("Row 1"));
    row.text = Some("Row 2".into());
    before.took_ms = 6;
    assert_eq!(after, before);
    let unchanged = answer("unchanged", RequestKind::Observe);
    assert!(matches!(unchanged, Answer::Observed { screen: None, .. }));
    let Answer::Acted { text } = answer("set-text", RequestKind::Act) else {
        panic!();
    };
    assert!(text.is_some());
    let shot = answer("screenshot", RequestKind::Screenshot);
    assert!(matches!(shot, Answer::Screenshot(_)));
}

#[test]
fn agents_errors_and_messages_are_read() {
    let frame = &frames("stale")[0];
    assert_eq!(frame.kind, kind::ERROR);
    assert_eq!(
        AgentError::of_body(&frame.body).unwrap().code,
        AgentErrorCode::Stale
    );
    let frame = &frames("changed")[0];
    assert_eq!((frame.kind, frame.id), (kind::MESSAGE, 0));
    assert_eq!(
        Message::decode(&frame.body),
        Ok(Message::Changed(Change {
            event_types: 0x40_0820
        }))
    );
    let frame = &frames("event")[0];
    assert_eq!((frame.kind, frame.id), (kind::MESSAGE, 0));
    let Ok(Message::AppEvent(event)) = Message::decode(&frame.body) else {
        panic!();
    };
    assert_eq!((event.number, event.lost, event.age_ms), (3, 2, 40));
    assert_eq!(event.kind, AppEventKind::Clicked);
    assert_eq!(event.texts, ["Save"]);
    let source = event.source.as_ref().unwrap();
    assert_eq!(source.resource_id, "com.x:id/save");
    assert!(source.flags.contains(NodeFlags::CLICKABLE));
    assert_eq!((source.bounds.left, source.bounds.height), (-5, 96));
    let again = Message::AppEvent(event).encode().unwrap();
    assert_eq!(again[9..], frame.body);
}
