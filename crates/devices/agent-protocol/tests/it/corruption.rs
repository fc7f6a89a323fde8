//! Cut, lengthened, changed and random frames are errors, never panics.

use agent_protocol::*;
use proptest::prelude::*;

use crate::golden::{Content, Golden, all, full_screen};

#[test]
fn frames_are_read_from_any_pieces() {
    let frames = all();
    let stream: Vec<u8> = frames.iter().flat_map(|one| one.frame()).collect();
    let whole = |cuts: &[&[u8]]| {
        let mut reader = FrameReader::new();
        let mut found = Vec::new();
        for piece in cuts {
            reader.push(piece);
            while let Some(frame) = reader.next_frame().unwrap() {
                found.push(frame);
            }
        }
        assert!(reader.is_between_frames());
        found
    };
    let expected = whole(&[&stream]);
    assert_eq!(expected.len(), frames.len());
    for cut in 0..stream.len() {
        let (before, after) = stream.split_at(cut);
        assert_eq!(whole(&[before, after]), expected, "cut at {cut}");
    }
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(whole(&bytes), expected);
}

#[test]
fn stated_lengths_are_limited() {
    for (length, fits) in [
        (0, false),
        (4, false),
        (5, true),
        (MAX_FRAME, true),
        (MAX_FRAME + 1, false),
    ] {
        let mut reader = FrameReader::new();
        reader.push(&u32::try_from(length).unwrap().to_be_bytes());
        assert_eq!(reader.next_frame().is_ok(), fits, "{length}");
    }
    assert!(encode_frame(1, 1, &vec![0; MAX_FRAME - 5]).is_ok());
    assert!(encode_frame(1, 1, &vec![0; MAX_FRAME - 4]).is_err());
}

#[test]
fn every_body_that_ends_early_or_late_is_an_error() {
    for golden in all() {
        let frame = golden.frame();
        let body = &frame[9..];
        for cut in 0..body.len() {
            let error = golden.decode(&body[..cut]).unwrap_err();
            assert!(error.at <= cut, "{error}");
        }
        let longer = [body, &[0]].concat();
        let error = golden.decode(&longer).unwrap_err();
        assert_eq!(error.problem, Problem::LeftOver(1), "{:?}", golden.content);
    }
}

fn decoded(kind: RequestKind, body: &[u8]) -> Result<Answer, DecodeError> {
    Answer::decode(kind, body, &mut ScreenCopy::default())
}

/// The error of a full screen that was corrupted.
fn corrupted(corrupt: impl FnOnce(&mut ScreenCapture)) -> String {
    let mut screen = full_screen();
    corrupt(&mut screen);
    let answer = Answer::Observed {
        revision: 1,
        screen: Some(Box::new(screen)),
    };
    let frame = answer.encode(1).unwrap();
    let error = decoded(RequestKind::Observe, &frame[9..]).unwrap_err();
    error.to_string()
}

#[test]
fn nodes_of_a_window_are_one_tree() {
    for corrupt in [
        (|screen| screen.windows[1].nodes[0].children = 2) as fn(&mut ScreenCapture),
        |screen| screen.windows[1].nodes[0].children = 4,
        |screen| screen.windows[1].nodes[4].children = u32::MAX,
        |screen| screen.windows[1].nodes.swap(0, 1),
    ] {
        let error = corrupted(corrupt);
        assert!(error.contains("not one tree"), "{error}");
    }
}

#[test]
fn limits_of_a_screen_are_enforced() {
    let error = corrupted(|screen| {
        let row = NodeRecord::default();
        let nodes = &mut screen.windows[1].nodes;
        nodes[0].children += MAX_NODES as u32;
        nodes.resize(nodes.len() + MAX_NODES, row);
    });
    assert!(
        error.contains("number of nodes") && error.contains("20005 is out of range"),
        "{error}"
    );
    let error = corrupted(|screen| {
        let node = &mut screen.windows[0].nodes[0];
        node.extras = vec![("key".into(), "value".into()); MAX_EXTRAS + 1];
    });
    assert!(error.contains("number of extras"), "{error}");
    let error = corrupted(|screen| screen.rotation = 4);
    assert!(
        error.contains("rotation at byte") && error.contains("4 is unknown"),
        "{error}"
    );
}

#[test]
fn counts_reserve_no_memory() {
    // A body of seven numbers that announces 400,000 texts.
    let mut body = vec![1, 0, 0, 0, 0, 0, 0, 0];
    body.extend([0x80, 0xb5, 0x18]);
    let error = decoded(RequestKind::Observe, &body).unwrap_err();
    assert_eq!(
        (error.what, &error.problem),
        ("number of texts", &Problem::EndsEarly)
    );
    let image = [1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f];
    let error = decoded(RequestKind::Screenshot, &image).unwrap_err();
    assert_eq!((error.what, &error.problem), ("image", &Problem::EndsEarly));
}

#[test]
fn unknown_values_are_named() {
    let error = |kind, body: &[u8]| Request::decode(kind, body).unwrap_err().to_string();
    assert_eq!(
        error(RequestKind::Act, &[0, 1, 1, 9, 0]),
        "action at byte 3: 9 is unknown"
    );
    assert_eq!(
        error(RequestKind::Touch, &[0, 0, 0, 1, 0, 0]),
        "number of pointers at byte 5: 0 is out of range"
    );
    assert_eq!(
        error(RequestKind::Clipboard, &[0, 2, 0]),
        "clipboard flag at byte 1: 2 is unknown"
    );
    assert_eq!(
        error(RequestKind::Screenshot, &[0, 0, 101, 0]),
        "JPEG quality at byte 2: 101 is unknown"
    );
    assert_eq!(
        error(RequestKind::Rotate, &[0, 5]),
        "rotation at byte 1: 5 is unknown"
    );
    assert_eq!(
        error(
            RequestKind::Ping,
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]
        ),
        "limit at byte 0: an integer has more than 64 bits"
    );
    assert_eq!(
        error(RequestKind::Clipboard, &[0, 1, 2, 0xff, 0xff]),
        "text at byte 2: the text is not UTF-8"
    );
    let answer = decoded(RequestKind::Hello, &[1, 3]).unwrap_err();
    assert_eq!(answer.to_string(), "form at byte 1: 3 is unknown");
}

/// A golden frame with changed bytes.
fn changed() -> impl Strategy<Value = (usize, Vec<(prop::sample::Index, u8)>)> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    (0..all().len(), changes)
}

/// What was decoded from a changed frame encodes to a frame with the same content.
fn assert_encodes_again(golden: &Golden, content: Content) -> Result<(), TestCaseError> {
    let frame = golden.with_content(content).frame();
    let decoded = golden.decode(&frame[9..]).unwrap();
    prop_assert_eq!(golden.with_content(decoded).frame(), frame);
    Ok(())
}

proptest! {
    #[test]
    fn changed_frames_are_errors_or_encode_again((which, changes) in changed()) {
        let golden = &all()[which];
        let mut frame = golden.frame();
        for (place, byte) in changes {
            let place = place.index(frame.len());
            frame[place] = byte;
        }
        if let Ok(decoded) = golden.decode(&frame[9.min(frame.len())..]) {
            assert_encodes_again(golden, decoded)?;
        }
        let mut reader = FrameReader::new();
        reader.push(&frame);
        while let Ok(Some(_)) = reader.next_frame() {}
    }

    #[test]
    fn random_bodies_are_errors_or_encode_again(body in prop::collection::vec(any::<u8>(), 0..200)) {
        for golden in all() {
            if let Ok(decoded) = golden.decode(&body) {
                assert_encodes_again(&golden, decoded)?;
            }
        }
    }

    #[test]
    fn start_line_that_is_read_is_written_the_same(line in "(clawperator-agent (ready|failed) )?[ -~]{0,80}") {
        if let Ok(read) = StartLine::parse(&line) {
            prop_assert_eq!(StartLine::parse(&read.to_string()), Ok(read));
        }
    }
}
