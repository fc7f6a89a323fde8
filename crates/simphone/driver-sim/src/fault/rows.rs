//! The rows of the table of faults, in the order in which documents show them.

use std::time::Duration;

use super::kind::{
    Answer, Display, DropPart, FaultKind, Input, Recorder, Revisions, Unseen, Victim,
};
use super::table::{FaultRow, Param, Shape, Value, param};
use super::when::{Calls, Lasts};
use crate::phone::{Permission, Rotation};
use crate::words::Words;

/// A fault that strikes calls, each by itself.
pub(super) const CALL: FaultRow = FaultRow {
    name: "",
    about: "",
    on: Calls::INPUT,
    moment: false,
    lasts: Lasts::Once,
    params: &[],
    example: "",
    chaos: None,
    make: |_| FaultKind::Refuse,
};

/// A fault that happens to the phone.
const MOMENT: FaultRow = FaultRow {
    moment: true,
    chaos: Some(""),
    ..CALL
};

/// Every fault, those of input first, then those of looking, of apps, and of the phone.
pub(super) static ROWS: &[FaultRow] = &[
    FaultRow {
        name: "latency",
        about: "Calls take longer than they should",
        on: Calls::ALL,
        params: &[param(
            "time",
            Shape::Range,
            "200ms..800ms",
            "how much longer",
        )],
        example: "latency observe 200ms..800ms",
        chaos: Some("50ms..300ms"),
        make: |given| {
            let (least, most) = given.range("time");
            FaultKind::Latency { least, most }
        },
        ..CALL
    },
    FaultRow {
        name: "lose_gesture",
        about: "A gesture or click is reported as done and never arrives",
        on: Calls::GESTURE,
        example: "lose_gesture 10%",
        chaos: Some(""),
        make: |_| FaultKind::LoseGesture,
        ..CALL
    },
    FaultRow {
        name: "double_gesture",
        about: "A gesture or click arrives twice",
        on: Calls::GESTURE,
        example: "double_gesture click @2",
        chaos: Some(""),
        make: |_| FaultKind::DoubleGesture,
        ..CALL
    },
    FaultRow {
        name: "drop_text",
        about: "A part of a text that is written does not arrive",
        on: Calls::TEXT,
        params: &[
            param("part", Shape::Word(&["whole"]), "whole", "all of it"),
            Param {
                name: "every",
                shape: Shape::Count,
                default: None,
                about: "each character whose number is a multiple of this",
            },
            Param {
                name: "last",
                shape: Shape::Count,
                default: None,
                about: "this many characters at the end",
            },
        ],
        example: "drop_text last=2 @1",
        chaos: Some("last=1"),
        make: |given| {
            FaultKind::DropText(match (given.count("every"), given.count("last")) {
                (Some(n), _) => DropPart::Every(n),
                (None, Some(n)) => DropPart::Last(n),
                (None, None) => DropPart::Whole,
            })
        },
        ..CALL
    },
    FaultRow {
        name: "refuse",
        about: "The device refuses an input and does nothing",
        example: "refuse click @1",
        chaos: Some(""),
        make: |_| FaultKind::Refuse,
        ..CALL
    },
    FaultRow {
        name: "false_refusal",
        about: "The device does what it was asked and reports that it refused",
        example: "false_refusal click @1",
        make: |_| FaultKind::FalseRefusal,
        ..CALL
    },
    FaultRow {
        name: "unanswered",
        about: "The device does what it was asked and never answers",
        example: "unanswered click @1",
        make: |_| FaultKind::Unanswered,
        ..CALL
    },
    FaultRow {
        name: "disconnect",
        about: "The connection to the device is gone",
        on: Calls::ALL,
        lasts: Lasts::Good,
        params: &[param(
            "call",
            Shape::Word(&["unsent", "answer_lost"]),
            "unsent",
            "whether an input that it strikes had arrived",
        )],
        example: "disconnect @3 for 2s",
        make: |given| {
            FaultKind::Disconnect(match given.text("call") {
                "answer_lost" => Answer::Lost,
                _ => Answer::Unsent,
            })
        },
        ..CALL
    },
    FaultRow {
        name: "short_scroll",
        about: "A swipe stops short",
        on: Calls::SWIPE,
        params: &[param(
            "part",
            Shape::Percent,
            "30%",
            "how much of its way it moves",
        )],
        example: "short_scroll part=30%",
        chaos: Some(""),
        make: |given| FaultKind::ShortScroll {
            part: given.percent("part"),
        },
        ..CALL
    },
    FaultRow {
        name: "reorder",
        about: "The lists of the app in front are in another order when the input arrives",
        on: Calls::GESTURE,
        example: "reorder @1",
        chaos: Some(""),
        make: |_| FaultKind::Reorder,
        ..CALL
    },
    FaultRow {
        name: "half_tree",
        about: "A look at the screen breaks off, and the device says so",
        on: Calls::OBSERVE,
        example: "half_tree 20%",
        chaos: Some(""),
        make: |_| FaultKind::HalfTree,
        ..CALL
    },
    FaultRow {
        name: "missing_subtree",
        about: "The tree comes without one of its parts, and nothing says so",
        on: Calls::OBSERVE,
        params: &[Param {
            name: "of",
            shape: Shape::Text,
            default: None,
            about: "the resource id of the part, without its package; any part without it",
        }],
        example: "missing_subtree of=list @2",
        chaos: Some(""),
        make: |given| FaultKind::MissingSubtree {
            of: given.text("of").to_owned(),
        },
        ..CALL
    },
    FaultRow {
        name: "stale_tree",
        about: "The tree is the one that was seen some time ago",
        on: Calls::OBSERVE,
        lasts: Lasts::For(Duration::from_secs(1)),
        params: &[
            param("age", Shape::Time, "500ms", "how old the tree is at least"),
            param(
                "revision",
                Shape::Word(&["fresh", "old"]),
                "fresh",
                "whether it passes for the screen of now",
            ),
        ],
        example: "stale_tree 2s @3",
        chaos: Some("300ms for 500ms"),
        make: |given| FaultKind::StaleTree {
            age: given.range("age").0,
            revision: match given.text("revision") {
                "old" => Revisions::Old,
                _ => Revisions::Fresh,
            },
        },
        ..CALL
    },
    FaultRow {
        name: "no_window",
        about: "No window can be read",
        on: Calls::OBSERVE.and(Calls::SCREENSHOT),
        lasts: Lasts::For(Duration::from_secs(1)),
        params: &[param(
            "tree",
            Shape::Word(&["none", "empty"]),
            "none",
            "whether the device says so or gives a tree without a node",
        )],
        example: "no_window @2s for 3s",
        chaos: Some("for 500ms"),
        make: |given| {
            FaultKind::NoWindow(match given.text("tree") {
                "empty" => Unseen::Empty,
                _ => Unseen::Refused,
            })
        },
        ..CALL
    },
    FaultRow {
        name: "wrong_window",
        about: "The tree is that of the home screen while an app is in front",
        on: Calls::OBSERVE,
        lasts: Lasts::For(Duration::from_secs(1)),
        example: "wrong_window @2 for 1s",
        chaos: Some("for 500ms"),
        make: |_| FaultKind::WrongWindow,
        ..CALL
    },
    FaultRow {
        name: "never_rests",
        about: "The screen moves without end: a look waits for it to rest, and fails",
        on: Calls::OBSERVE,
        params: &[param("time", Shape::Time, "10s", "how long it waits")],
        example: "never_rests @2",
        make: |given| FaultKind::NeverRests {
            time: given.range("time").0,
        },
        ..CALL
    },
    FaultRow {
        name: "lost_events",
        about: "Changes of the screen are not reported",
        on: Calls::CHANGED,
        example: "lost_events 50%",
        chaos: Some(""),
        make: |_| FaultKind::LostEvents,
        ..CALL
    },
    FaultRow {
        name: "screenshot_fails",
        about: "A screenshot cannot be taken",
        on: Calls::SCREENSHOT,
        example: "screenshot_fails @1",
        chaos: Some(""),
        make: |_| FaultKind::ScreenshotFails,
        ..CALL
    },
    FaultRow {
        name: "black_screenshot",
        about: "A screenshot is black, as of a window with FLAG_SECURE",
        on: Calls::SCREENSHOT,
        example: "black_screenshot in com.example.shop",
        chaos: Some(""),
        make: |_| FaultKind::BlackScreenshot,
        ..CALL
    },
    FaultRow {
        name: "recording_fails",
        about: "A recording cannot be begun or ended",
        on: Calls::START_RECORDING,
        params: &[param(
            "step",
            Shape::Word(&["start", "storage", "stop"]),
            "start",
            "what of it fails",
        )],
        example: "recording_fails storage",
        make: |given| {
            FaultKind::RecordingFails(match given.text("step") {
                "storage" => Recorder::Storage,
                "stop" => Recorder::Stop,
                _ => Recorder::Start,
            })
        },
        ..CALL
    },
    FaultRow {
        name: "slow_start",
        about: "An app that starts takes longer to come up",
        on: Calls::OPEN,
        params: &[param("time", Shape::Range, "2s", "how much longer")],
        example: "slow_start 4s in com.example.shop",
        chaos: Some("500ms..2s"),
        make: |given| {
            let (least, most) = given.range("time");
            FaultKind::SlowStart { least, most }
        },
        ..CALL
    },
    FaultRow {
        name: "launch_fails",
        about: "An app that starts does not come up",
        on: Calls::OPEN,
        example: "launch_fails @1",
        chaos: Some(""),
        make: |_| FaultKind::LaunchFails,
        ..CALL
    },
    FaultRow {
        name: "no_keyboard",
        about: "A field gets the focus and no keyboard comes up",
        on: Calls::ALL,
        example: "no_keyboard 50%",
        chaos: Some(""),
        make: |_| FaultKind::NoKeyboard,
        ..CALL
    },
    FaultRow {
        name: "crash",
        about: "The app in front crashes, and the system says so",
        example: "crash @4",
        make: |_| FaultKind::Crash,
        ..MOMENT
    },
    FaultRow {
        name: "anr",
        about: "The system says that the app in front isn't responding",
        example: "anr @2s",
        make: |_| FaultKind::NotResponding,
        ..MOMENT
    },
    FaultRow {
        name: "freeze",
        about: "Nothing on the screen changes, whatever is done",
        lasts: Lasts::For(Duration::from_secs(2)),
        params: &[param(
            "input",
            Shape::Word(&["queued", "lost"]),
            "queued",
            "what becomes of input meanwhile",
        )],
        example: "freeze lost @3 for 5s",
        chaos: Some("for 800ms"),
        make: |given| {
            FaultKind::Freeze(match given.text("input") {
                "lost" => Input::Lost,
                _ => Input::Queued,
            })
        },
        ..MOMENT
    },
    FaultRow {
        name: "permission",
        about: "The system asks whether the app in front may do something",
        params: &[param(
            "name",
            Shape::Word(Permission::WORDS),
            "camera",
            "the permission",
        )],
        example: "permission camera @2",
        make: |given| {
            let known = Permission::of_word(given.text("name"));
            FaultKind::Permission(known.unwrap_or(Permission::Camera))
        },
        ..MOMENT
    },
    FaultRow {
        name: "rotate",
        about: "The phone is turned",
        params: &[param(
            "to",
            Shape::Word(Rotation::WORDS),
            "landscape",
            "how it is held then",
        )],
        example: "rotate @2",
        make: |given| {
            let known = Rotation::of_word(given.text("to"));
            FaultKind::Rotate(known.unwrap_or(Rotation::Landscape))
        },
        ..MOMENT
    },
    FaultRow {
        name: "fold",
        about: "The phone is folded or unfolded: its screen has another size",
        params: &[param(
            "to",
            Shape::Word(Display::WORDS),
            "inner",
            "the display: 1800x2208 inside, 1080x2340 outside",
        )],
        example: "fold @2",
        chaos: None,
        make: |given| {
            let known = Display::of_word(given.text("to"));
            FaultKind::Fold(known.unwrap_or(Display::Inner))
        },
        ..MOMENT
    },
    FaultRow {
        name: "update",
        about: "A sheet comes up that asks for an update of the app in front",
        example: "update @2",
        make: |_| FaultKind::Update,
        ..MOMENT
    },
    FaultRow {
        name: "banner",
        about: "A notification comes down over the top of the screen",
        params: &[
            param("title", Shape::Text, "Messages", "its first line"),
            param("text", Shape::Text, "New message", "its second line"),
        ],
        example: "banner title=\"Ada\" text=\"Where are you?\" @1s",
        make: |given| FaultKind::Banner {
            title: given.text("title").to_owned(),
            text: given.text("text").to_owned(),
        },
        ..MOMENT
    },
    FaultRow {
        name: "low_memory",
        about: "The system ends processes; an app that is returned to starts anew",
        params: &[param(
            "kills",
            Shape::Word(&["background", "front", "all"]),
            "background",
            "whose",
        )],
        example: "low_memory front @3",
        make: |given| {
            FaultKind::LowMemory(match given.text("kills") {
                "front" => Victim::Front,
                "all" => Victim::All,
                _ => Victim::Background,
            })
        },
        ..MOMENT
    },
    FaultRow {
        name: "interrupt",
        about: "Another app comes to the front by itself",
        params: &[param(
            "app",
            Shape::Text,
            "com.android.launcher3",
            "its package",
        )],
        example: "interrupt app=com.android.settings @1500ms",
        chaos: None,
        make: |given| FaultKind::Interrupt {
            app: given.text("app").to_owned(),
        },
        ..MOMENT
    },
    FaultRow {
        name: "screen_off",
        about: "The screen goes dark until the power key is pressed",
        example: "screen_off @30s",
        chaos: None,
        make: |_| FaultKind::ScreenOff,
        ..MOMENT
    },
    FaultRow {
        name: "clock_jump",
        about: "The clock on the wall jumps; times that were measured stay as they are",
        params: &[param(
            "by",
            Shape::Jump,
            "1h",
            "by how much, back when it is negative",
        )],
        example: "clock_jump by=-1h @1s",
        make: |given| FaultKind::ClockJump {
            by_ms: match given.0.get("by") {
                Some(Value::Jump(by)) => *by,
                _ => 0,
            },
        },
        ..MOMENT
    },
];
