//! The rows of the table of faults, in the order in which documents show them.

use std::time::Duration;

use super::kind::{
    Answer, Display, DropPart, FaultKind, Input, Recorder, Revisions, Unseen, Victim,
};
use super::table::{FaultRow, Param, Shape, Value, param};
use super::when::{Calls, Lasts};
use crate::choices::Rotation;
use crate::prompt::Permission;
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
        about: "Calls are delayed",
        on: Calls::ALL,
        params: &[param("time", Shape::Range, "200ms..800ms", "the delay")],
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
        about: "A gesture or click is reported as done but never arrives",
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
        about: "A part of a typed text is lost",
        on: Calls::TEXT,
        params: &[
            param("part", Shape::Word(&["whole"]), "whole", "all of it"),
            Param {
                name: "every",
                shape: Shape::Count,
                default: None,
                about: "every n-th character",
            },
            Param {
                name: "last",
                shape: Shape::Count,
                default: None,
                about: "the last n characters",
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
        about: "The device refuses an input",
        example: "refuse click @1",
        chaos: Some(""),
        make: |_| FaultKind::Refuse,
        ..CALL
    },
    FaultRow {
        name: "false_refusal",
        about: "The device executes an input and reports a refusal",
        example: "false_refusal click @1",
        make: |_| FaultKind::FalseRefusal,
        ..CALL
    },
    FaultRow {
        name: "unanswered",
        about: "The device executes an input and never answers",
        example: "unanswered click @1",
        make: |_| FaultKind::Unanswered,
        ..CALL
    },
    FaultRow {
        name: "disconnect",
        about: "The connection to the device breaks",
        on: Calls::ALL,
        lasts: Lasts::Good,
        params: &[param(
            "call",
            Shape::Word(Answer::WORDS),
            "unsent",
            "whether the input was executed: `unsent` or `answer_lost`",
        )],
        example: "disconnect @3 for 2s",
        make: |given| FaultKind::Disconnect(given.word("call", Answer::Unsent)),
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
            "the share of the distance",
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
        about: "The lists of the foreground app are reordered before the input arrives",
        on: Calls::GESTURE,
        example: "reorder @1",
        chaos: Some(""),
        make: |_| FaultKind::Reorder,
        ..CALL
    },
    FaultRow {
        name: "half_tree",
        about: "An observation fails with an incomplete tree",
        on: Calls::OBSERVE,
        example: "half_tree 20%",
        chaos: Some(""),
        make: |_| FaultKind::HalfTree,
        ..CALL
    },
    FaultRow {
        name: "missing_subtree",
        about: "A part of the tree is missing, without an error",
        on: Calls::OBSERVE,
        params: &[Param {
            name: "of",
            shape: Shape::Text,
            default: None,
            about: "the resource id of the part without its package; default: a random part",
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
        about: "An observation returns an old tree",
        on: Calls::OBSERVE,
        lasts: Lasts::For(Duration::from_secs(1)),
        params: &[
            param("age", Shape::Time, "500ms", "the minimum age of the tree"),
            param(
                "revision",
                Shape::Word(Revisions::WORDS),
                "fresh",
                "its revision: `fresh` or `old`",
            ),
        ],
        example: "stale_tree 2s @3",
        chaos: Some("300ms for 500ms"),
        make: |given| FaultKind::StaleTree {
            age: given.range("age").0,
            revision: given.word("revision", Revisions::Fresh),
        },
        ..CALL
    },
    FaultRow {
        name: "no_window",
        about: "Windows cannot be read",
        on: Calls::OBSERVE.and(Calls::SCREENSHOT),
        lasts: Lasts::For(Duration::from_secs(1)),
        params: &[param(
            "tree",
            Shape::Word(Unseen::WORDS),
            "none",
            "`none`: an error; `empty`: a tree without nodes",
        )],
        example: "no_window @2s for 3s",
        chaos: Some("for 500ms"),
        make: |given| FaultKind::NoWindow(given.word("tree", Unseen::Refused)),
        ..CALL
    },
    FaultRow {
        name: "wrong_window",
        about: "An observation returns the home screen while an app is in front",
        on: Calls::OBSERVE,
        lasts: Lasts::For(Duration::from_secs(1)),
        example: "wrong_window @2 for 1s",
        chaos: Some("for 500ms"),
        make: |_| FaultKind::WrongWindow,
        ..CALL
    },
    FaultRow {
        name: "never_rests",
        about: "The screen never becomes idle: observations wait and fail",
        on: Calls::OBSERVE,
        params: &[param("time", Shape::Time, "10s", "the wait")],
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
        about: "Screenshots fail",
        on: Calls::SCREENSHOT,
        example: "screenshot_fails @1",
        chaos: Some(""),
        make: |_| FaultKind::ScreenshotFails,
        ..CALL
    },
    FaultRow {
        name: "black_screenshot",
        about: "Screenshots are black, as with FLAG_SECURE",
        on: Calls::SCREENSHOT,
        example: "black_screenshot in com.example.shop",
        chaos: Some(""),
        make: |_| FaultKind::BlackScreenshot,
        ..CALL
    },
    FaultRow {
        name: "recording_fails",
        about: "Recordings fail",
        on: Calls::START_RECORDING,
        params: &[param(
            "step",
            Shape::Word(Recorder::WORDS),
            "start",
            "the step that fails: `start`, `storage` or `stop`",
        )],
        example: "recording_fails storage",
        make: |given| FaultKind::RecordingFails(given.word("step", Recorder::Start)),
        ..CALL
    },
    FaultRow {
        name: "slow_start",
        about: "Apps start slowly",
        on: Calls::OPEN,
        params: &[param("time", Shape::Range, "2s", "the delay")],
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
        about: "Apps fail to start",
        on: Calls::OPEN,
        example: "launch_fails @1",
        chaos: Some(""),
        make: |_| FaultKind::LaunchFails,
        ..CALL
    },
    FaultRow {
        name: "no_keyboard",
        about: "A field gets the focus but no keyboard appears",
        on: Calls::ALL,
        example: "no_keyboard 50%",
        chaos: Some(""),
        make: |_| FaultKind::NoKeyboard,
        ..CALL
    },
    FaultRow {
        name: "crash",
        about: "The foreground app crashes, and the system shows its dialog",
        example: "crash @4",
        make: |_| FaultKind::Crash,
        ..MOMENT
    },
    FaultRow {
        name: "anr",
        about: "The system reports that the foreground app isn't responding",
        example: "anr @2s",
        make: |_| FaultKind::NotResponding,
        ..MOMENT
    },
    FaultRow {
        name: "freeze",
        about: "The screen freezes",
        lasts: Lasts::For(Duration::from_secs(2)),
        params: &[param(
            "input",
            Shape::Word(Input::WORDS),
            "queued",
            "input meanwhile: `queued` or `lost`",
        )],
        example: "freeze lost @3 for 5s",
        chaos: Some("for 800ms"),
        make: |given| FaultKind::Freeze(given.word("input", Input::Queued)),
        ..MOMENT
    },
    FaultRow {
        name: "permission",
        about: "The system shows a permission prompt for the foreground app",
        params: &[param(
            "name",
            Shape::Word(Permission::WORDS),
            "camera",
            "the permission",
        )],
        example: "permission camera @2",
        make: |given| FaultKind::Permission(given.word("name", Permission::Camera)),
        ..MOMENT
    },
    FaultRow {
        name: "rotate",
        about: "The phone is rotated",
        params: &[param(
            "to",
            Shape::Word(Rotation::WORDS),
            "landscape",
            "the new rotation",
        )],
        example: "rotate @2",
        make: |given| FaultKind::Rotate(given.word("to", Rotation::Landscape)),
        ..MOMENT
    },
    FaultRow {
        name: "fold",
        about: "The phone is folded or unfolded, which changes the screen size",
        params: &[param(
            "to",
            Shape::Word(Display::WORDS),
            "inner",
            "the display: 1800x2208 inside, 1080x2340 outside",
        )],
        example: "fold @2",
        chaos: None,
        make: |given| FaultKind::Fold(given.word("to", Display::Inner)),
        ..MOMENT
    },
    FaultRow {
        name: "update",
        about: "A sheet asks for an update of the foreground app",
        example: "update @2",
        make: |_| FaultKind::Update,
        ..MOMENT
    },
    FaultRow {
        name: "banner",
        about: "A heads-up notification appears",
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
        about: "The system kills processes; an app that is opened again restarts",
        params: &[param(
            "kills",
            Shape::Word(Victim::WORDS),
            "background",
            "which: `background`, `front` or `all`",
        )],
        example: "low_memory front @3",
        make: |given| FaultKind::LowMemory(given.word("kills", Victim::Background)),
        ..MOMENT
    },
    FaultRow {
        name: "interrupt",
        about: "Another app comes to the front",
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
        about: "The screen turns off until the power key is pressed",
        example: "screen_off @30s",
        chaos: None,
        make: |_| FaultKind::ScreenOff,
        ..MOMENT
    },
    FaultRow {
        name: "clock_jump",
        about: "The wall clock jumps; monotonic time does not",
        params: &[param(
            "by",
            Shape::Jump,
            "1h",
            "the offset, may be negative",
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
