//! The frames in `testdata`, which the agent's own tests read too: a line in words, then the frame in hex.

use std::path::PathBuf;
use std::sync::Arc;

use agent_protocol::*;

/// What a golden frame holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    Request(Request, u64),
    Answer(RequestKind, Answer),
    /// An answer to `OBSERVE` that edits the full screen of revision 301.
    Edit(Answer),
    Error(AgentError),
    Message(Message),
}

/// A golden frame.
pub(crate) struct Golden {
    name: &'static str,
    words: &'static str,
    id: u32,
    pub(crate) content: Content,
}

impl Golden {
    pub(crate) fn frame(&self) -> Vec<u8> {
        match &self.content {
            Content::Request(request, limit) => request.encode(self.id, *limit),
            Content::Answer(_, answer) => answer.encode(self.id),
            Content::Edit(Answer::Observed {
                revision,
                screen: Some(screen),
            }) => {
                let mut sent = SentContent::default();
                sent.answer(&full_screen(), 301, 0);
                encode_frame(kind::DONE, self.id, &sent.answer(screen, *revision, 301))
            }
            Content::Edit(answer) => answer.encode(self.id),
            Content::Error(error) => error.to_frame(self.id),
            Content::Message(message) => message.encode(),
        }
        .unwrap()
    }

    /// A frame of the same kind with another content.
    pub(crate) fn with_content(&self, content: Content) -> Self {
        Self { content, ..*self }
    }

    /// Decodes a body as the kind of this frame.
    pub(crate) fn decode(&self, body: &[u8]) -> Result<Content, DecodeError> {
        Ok(match &self.content {
            Content::Request(request, _) => {
                let (request, limit) = Request::decode(request.kind(), body)?;
                Content::Request(request, limit)
            }
            Content::Answer(kind, _) => Content::Answer(
                *kind,
                Answer::decode(*kind, body, &mut ScreenCopy::default())?,
            ),
            Content::Edit(_) => {
                let mut copy = ScreenCopy::default();
                let whole = SentContent::default().answer(&full_screen(), 301, 0);
                Answer::decode(RequestKind::Observe, &whole, &mut copy)?;
                Content::Edit(Answer::decode(RequestKind::Observe, body, &mut copy)?)
            }
            Content::Error(_) => Content::Error(AgentError::of_body(body)?),
            Content::Message(_) => Content::Message(Message::decode(body)?),
        })
    }

    fn kind(&self) -> u8 {
        match &self.content {
            Content::Request(request, _) => request.kind().number(),
            Content::Answer(..) | Content::Edit(_) => kind::DONE,
            Content::Error(_) => kind::ERROR,
            Content::Message(_) => kind::MESSAGE,
        }
    }
}

fn text(text: &str) -> Option<Arc<str>> {
    Some(text.into())
}

fn bounds(left: i32, top: i32, width: i32, height: i32) -> Bounds {
    Bounds {
        left,
        top,
        width,
        height,
    }
}

/// A screen with a keyboard, an app, every field of a node, and another display.
pub(crate) fn full_screen() -> ScreenCapture {
    let app = |class: &str| NodeRecord {
        flags: NodeFlags::ENABLED | NodeFlags::VISIBLE,
        class: text(class),
        package: text("com.x"),
        ..NodeRecord::default()
    };
    let root = NodeRecord {
        children: 3,
        width: 1080,
        height: 2340,
        ..app("android.widget.FrameLayout")
    };
    let field = NodeRecord {
        flags: NodeFlags::all(),
        left: 40,
        top: 100,
        width: 1000,
        height: 120,
        resource_id: text("com.x:id/amount"),
        text: text("12,50 € 😀"),
        hint: text("Amount"),
        description: text("Amount to pay"),
        state_description: text("half"),
        error: text("too much"),
        pane_title: text("Pay"),
        tooltip: text("in euros"),
        unique_id: text("7"),
        input_type: Some(0x2002),
        longest_text: Some(300),
        collection: Some(Collection {
            rows: -1,
            columns: 1,
            selection_mode: 1,
        }),
        item: Some(CollectionItem {
            row: 3,
            row_span: 1,
            column: 0,
            column_span: 2,
        }),
        range: Some(Range {
            kind: 1,
            lowest: 0.0,
            highest: 100.0,
            current: 12.5,
        }),
        selection: Some(Selection { start: 0, end: 5 }),
        live_region: Some(2),
        actions: Some(NodeActions::all()),
        extras: vec![
            ("test-tag".into(), "amount".into()),
            ("empty".into(), "".into()),
        ],
        ..app("android.widget.EditText")
    };
    let list = NodeRecord {
        children: 1,
        flags: NodeFlags::ENABLED | NodeFlags::VISIBLE | NodeFlags::SCROLLABLE,
        top: 300,
        width: 1080,
        height: 900,
        ..app("android.widget.ListView")
    };
    let row = NodeRecord {
        top: -20,
        width: 1080,
        height: 160,
        text: text("Row"),
        ..app("android.widget.TextView")
    };
    let button = NodeRecord {
        flags: NodeFlags::ENABLED | NodeFlags::VISIBLE | NodeFlags::CLICKABLE,
        left: 40,
        top: 1300,
        width: 1000,
        height: 120,
        text: text("Pay"),
        ..app("android.widget.Button")
    };
    let keys = NodeRecord {
        flags: NodeFlags::ENABLED | NodeFlags::VISIBLE,
        top: 80,
        width: 1080,
        height: 2260,
        class: text("android.widget.FrameLayout"),
        package: text("com.keys"),
        ..NodeRecord::default()
    };
    ScreenCapture {
        took_ms: 7,
        width: 1080,
        height: 2340,
        rotation: 0,
        density: 420,
        expected_windows: 3,
        windows: vec![
            WindowRecord {
                id: 13,
                kind: window_type::INPUT_METHOD,
                layer: 6,
                title: text("Keys"),
                bounds: bounds(0, 1517, 1080, 823),
                touchable: vec![bounds(0, 1517, 1080, 823), bounds(900, 1400, 180, 117)],
                nodes: vec![keys],
                ..WindowRecord::default()
            },
            WindowRecord {
                id: 12,
                kind: window_type::APPLICATION,
                layer: 2,
                flags: WindowFlags::ACTIVE | WindowFlags::FOCUSED,
                title: text("Pay"),
                bounds: bounds(0, 0, 1080, 2340),
                unreadable: 1,
                nodes: vec![root, field, list, row, button],
                ..WindowRecord::default()
            },
            WindowRecord {
                id: 10,
                kind: window_type::SYSTEM,
                layer: -1,
                flags: WindowFlags::UNREADABLE_ROOT | WindowFlags::PICTURE_IN_PICTURE,
                bounds: bounds(0, 0, 1080, 80),
                ..WindowRecord::default()
            },
        ],
        other_displays: vec![OtherScreen { id: 2, windows: 1 }],
    }
}

/// The full screen with another text, and its first two windows the other way round.
fn edited_screen() -> ScreenCapture {
    let mut screen = full_screen();
    screen.windows[1].nodes[1].text = text("13 €");
    screen.windows.swap(0, 1);
    screen
}

/// All golden frames.
pub(crate) fn all() -> Vec<Golden> {
    let asks = |name, words, request| Golden {
        name,
        words,
        id: 7,
        content: Content::Request(request, 5_000),
    };
    let answers = |name, words, kind, answer| Golden {
        name,
        words,
        id: 7,
        content: Content::Answer(kind, answer),
    };
    let token: Vec<u8> = (0..32).collect();
    vec![
        Golden {
            name: "hello",
            words: "HELLO, id 1: versions 1 to 8, token 00 01 … 1f",
            id: 1,
            content: Content::Request(Request::Hello(Hello::with_token(&token)), 0),
        },
        Golden {
            name: "listen",
            words: "LISTEN, id 1: versions 1 to 8, token 00 01 … 1f, event types 0x40001033",
            id: 1,
            content: Content::Request(Request::Listen(Hello::with_token(&token), 0x4000_1033), 0),
        },
        asks("ping", "PING, id 7, limit 5000 ms", Request::Ping),
        asks(
            "observe",
            "OBSERVE, id 7, limit 5000 ms: display 0, known revision 300",
            Request::Observe {
                display: 0,
                known: 300,
            },
        ),
        asks(
            "act-set-text",
            "ACT, id 7, limit 5000 ms: revision 300, node 12, set text \"größe 漢字 😀\"",
            Request::Act {
                revision: 300,
                node: 12,
                action: NodeAction::SetText,
                argument: "größe 漢字 😀".to_owned(),
            },
        ),
        asks(
            "touch-tap",
            "TOUCH, id 7, limit 5000 ms: display 0, 20 ms, one pointer at 540,1200",
            Request::Touch {
                display: 0,
                hold_ms: 0,
                duration_ms: 20,
                rest_ms: 0,
                pointers: vec![vec![(540, 1200)]],
            },
        ),
        asks(
            "touch-pinch",
            "TOUCH, id 7, limit 5000 ms: display 2, 300 ms, rest 60 ms, two pointers, 500,900 to -1,900 and 560,900 to 1000,900",
            Request::Touch {
                display: 2,
                hold_ms: 0,
                duration_ms: 300,
                rest_ms: 60,
                pointers: vec![vec![(500, 900), (-1, 900)], vec![(560, 900), (1000, 900)]],
            },
        ),
        asks(
            "touch-drag",
            "TOUCH, id 7, limit 5000 ms: display 0, hold 700 ms, 300 ms, one pointer, 500,900 to 500,100",
            Request::Touch {
                display: 0,
                hold_ms: 700,
                duration_ms: 300,
                rest_ms: 0,
                pointers: vec![vec![(500, 900), (500, 100)]],
            },
        ),
        asks(
            "key",
            "KEY, id 7, limit 5000 ms: display 0, key 66 (Enter), meta state 4096",
            Request::Key {
                display: 0,
                code: 66,
                meta: 4096,
            },
        ),
        asks(
            "screenshot",
            "SCREENSHOT, id 7, limit 5000 ms: display 0, PNG, full size",
            Request::Screenshot {
                display: 0,
                jpeg_quality: None,
                max_side: None,
            },
        ),
        asks(
            "screenshot-scaled-jpeg",
            "SCREENSHOT, id 7, limit 5000 ms: display 0, JPEG of quality 90, longest side 1024",
            Request::Screenshot {
                display: 0,
                jpeg_quality: Some(90),
                max_side: Some(1024),
            },
        ),
        Golden {
            name: "cancel",
            words: "CANCEL, id 8: of request 7",
            id: 8,
            content: Content::Request(Request::Cancel { id: 7 }, 0),
        },
        asks("quit", "QUIT, id 7, limit 5000 ms", Request::Quit),
        asks(
            "clipboard-get",
            "CLIPBOARD, id 7, limit 5000 ms: get",
            Request::Clipboard { set: None },
        ),
        asks(
            "clipboard-set",
            "CLIPBOARD, id 7, limit 5000 ms: set \"käse\"",
            Request::Clipboard {
                set: Some("käse".to_owned()),
            },
        ),
        asks(
            "rotate",
            "ROTATE, id 7, limit 5000 ms: 3 quarter turns",
            Request::Rotate { turns: Some(3) },
        ),
        asks(
            "rotate-follows",
            "ROTATE, id 7, limit 5000 ms: as the phone is held",
            Request::Rotate { turns: None },
        ),
        answers(
            "answer-hello",
            "done, id 7, to HELLO: version 1, form 1, hash ab…, API 34, process 4711, features 15, 2340x1080, rotation 1, density 420",
            RequestKind::Hello,
            Answer::Hello(HelloAnswer {
                version: 1,
                form: AgentForm::Agent,
                sha256: Some([0xab; 32]),
                sdk: 34,
                pid: 4711,
                features: Features::INPUT
                    | Features::SCREENSHOTS
                    | Features::CLIPBOARD
                    | Features::EDITOR_ACTION,
                width: 2340,
                height: 1080,
                rotation: 1,
                density: 420,
            }),
        ),
        answers(
            "answer-ping",
            "done, id 7, to PING: revision 301",
            RequestKind::Ping,
            Answer::Pong { revision: 301 },
        ),
        answers(
            "answer-observe-unchanged",
            "done, id 7, to OBSERVE: revision 300, unchanged",
            RequestKind::Observe,
            Answer::Observed {
                revision: 300,
                screen: None,
            },
        ),
        answers(
            "answer-observe-full",
            "done, id 7, to OBSERVE: revision 301, three windows, a node with every field, a window without root, a child missing, another display",
            RequestKind::Observe,
            Answer::Observed {
                revision: 301,
                screen: Some(Box::new(full_screen())),
            },
        ),
        Golden {
            name: "answer-observe-edited",
            words: "done, id 7, to OBSERVE: revision 302, an edit of revision 301: another amount, and the app above the keyboard",
            id: 7,
            content: Content::Edit(Answer::Observed {
                revision: 302,
                screen: Some(Box::new(edited_screen())),
            }),
        },
        answers(
            "answer-act",
            "done, id 7, to ACT: no text",
            RequestKind::Act,
            Answer::Acted { text: None },
        ),
        answers(
            "answer-act-text",
            "done, id 7, to ACT: text \"größe\"",
            RequestKind::Act,
            Answer::Acted {
                text: Some("größe".to_owned()),
            },
        ),
        answers(
            "answer-done",
            "done, id 7, to TOUCH, KEY, CANCEL, QUIT: no body",
            RequestKind::Touch,
            Answer::Done,
        ),
        answers(
            "answer-screenshot",
            "done, id 7, to SCREENSHOT: 2x1, four bytes that stand for a PNG",
            RequestKind::Screenshot,
            Answer::Screenshot(ScreenImage {
                width: 2,
                height: 1,
                bytes: b"\x89PNG".to_vec(),
            }),
        ),
        answers(
            "answer-clipboard",
            "done, id 7, to CLIPBOARD: \"käse\"",
            RequestKind::Clipboard,
            Answer::Clipboard {
                text: "käse".to_owned(),
            },
        ),
        Golden {
            name: "error-slot-taken",
            words: "error, id 7: SLOT_TAKEN, nothing was done, \"held by com.x\"",
            id: 7,
            content: Content::Error(AgentError {
                code: AgentErrorCode::SlotTaken,
                dispatch: AgentDispatch::Nothing,
                message: "held by com.x".to_owned(),
            }),
        },
        Golden {
            name: "error-cancelled-touch",
            words: "error, id 7: CANCELLED, partly done, no message",
            id: 7,
            content: Content::Error(AgentError {
                code: AgentErrorCode::Cancelled,
                dispatch: AgentDispatch::Done,
                message: String::new(),
            }),
        },
        Golden {
            name: "change",
            words: "message, id 0: changed, event types 2080",
            id: 0,
            content: Content::Message(Message::Changed(Change { event_types: 0x820 })),
        },
        Golden {
            name: "event-toast",
            words: "message, id 0: event 1, 12 ms ago: a toast \"Gespeichert ✓\" of com.x",
            id: 0,
            content: tells(AppEvent {
                number: 1,
                age_ms: 12,
                kind: AppEventKind::Noticed,
                package: "com.x".to_owned(),
                class: "android.widget.Toast".to_owned(),
                texts: vec!["Gespeichert ✓".to_owned()],
                ..event()
            }),
        },
        Golden {
            name: "event-click",
            words: "message, id 0: event 300 after 2 that were lost, 0 ms ago: the button \"Save\" of com.x was clicked",
            id: 0,
            content: tells(AppEvent {
                number: 300,
                lost: 2,
                package: "com.x".to_owned(),
                class: "android.widget.Button".to_owned(),
                texts: vec!["Save".to_owned()],
                description: "Saves it".to_owned(),
                source: Some(EventSource {
                    window: 7,
                    class: "android.widget.Button".to_owned(),
                    resource_id: "com.x:id/save".to_owned(),
                    text: "Save".to_owned(),
                    description: "Saves it".to_owned(),
                    flags: NodeFlags::ENABLED | NodeFlags::VISIBLE | NodeFlags::CLICKABLE,
                    bounds: bounds(10, -20, 300, 96),
                }),
                ..event()
            }),
        },
        Golden {
            name: "event-scroll",
            words: "message, id 0: event 1, 0 ms ago: a list of com.x was scrolled to 0,640 of 0,4000; its node is gone",
            id: 0,
            content: tells(AppEvent {
                kind: AppEventKind::Scrolled,
                package: "com.x".to_owned(),
                scroll: (0, 640),
                scroll_end: (0, 4000),
                scroll_by: (0, 600),
                ..event()
            }),
        },
        Golden {
            name: "event-key",
            words: "message, id 0: event 2, 3 ms ago: the client pressed key 4 (Back)",
            id: 0,
            content: tells(AppEvent {
                number: 2,
                age_ms: 3,
                kind: AppEventKind::KeyPressed,
                texts: vec!["4".to_owned()],
                ..event()
            }),
        },
    ]
}

fn tells(event: AppEvent) -> Content {
    Content::Message(Message::AppEvent(Box::new(event)))
}

/// A click of which nothing is known.
fn event() -> AppEvent {
    AppEvent {
        number: 1,
        ..AppEvent::new(AppEventKind::Clicked, "")
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

/// Hex digits, 32 bytes a line.
fn written(words: &str, frame: &[u8]) -> String {
    let mut all = format!("{words}\n");
    for line in frame.chunks(32) {
        for byte in line {
            all.push_str(&format!("{byte:02x}"));
        }
        all.push('\n');
    }
    all
}

/// The bytes after the first line.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.lines().skip(1).flat_map(str::chars).collect();
    let byte = |pair: &[char]| {
        let pair: String = pair.iter().collect();
        u8::from_str_radix(&pair, 16).unwrap()
    };
    digits.chunks(2).map(byte).collect()
}

#[test]
fn frames_are_as_written() {
    for golden in all() {
        let path = folder().join(format!("{}.hex", golden.name));
        let frame = golden.frame();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, written(golden.words, &frame)).unwrap();
        }
        let text = std::fs::read_to_string(&path)
            .unwrap()
            .replace("\r\n", "\n");
        assert_eq!(written(golden.words, &frame), text, "{}", golden.name);
        let mut reader = FrameReader::new();
        reader.push(&unhex(&text));
        let read = reader.next_frame().unwrap().unwrap();
        assert!(reader.is_between_frames());
        assert_eq!((read.kind, read.id), (golden.kind(), golden.id));
        assert_eq!(
            golden.decode(&read.body),
            Ok(golden.content),
            "{}",
            golden.name
        );
    }
}

#[test]
fn every_file_is_known() {
    let known: Vec<String> = all()
        .iter()
        .map(|one| format!("{}.hex", one.name))
        .collect();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "{name}");
    }
}
