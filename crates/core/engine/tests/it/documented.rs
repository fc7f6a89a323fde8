//! The examples of the documentation run on the phone unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use contract::Execution;
use driver::{Cx, Driver};
use driver_sim::SimDriver;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use uitree::{Node, NodeId, Query, Rect, State, UiTree};

use crate::phone::{json_of, phone, plan, run};

/// Every documented action, the screen to run it on, and the result there.
const ACTIONS: &[(&str, StartScreen, &str)] = &[
    ("action-click-coordinate", StartScreen::Settings, "success"),
    ("action-click-double", StartScreen::Home, "NODE_NOT_FOUND"),
    ("action-click-long", StartScreen::Home, "success"),
    (
        "action-click-long",
        StartScreen::Settings,
        "NODE_NOT_CLICKABLE",
    ),
    ("action-click-retry", StartScreen::Home, "success"),
    ("action-close-app", StartScreen::Settings, "success"),
    ("action-drag", StartScreen::Home, "NODE_NOT_FOUND"),
    ("action-enter-text", StartScreen::Settings, "NODE_NOT_FOUND"),
    ("action-enter-text", StartScreen::Example, "success"),
    (
        "action-enter-text-focused",
        StartScreen::Example,
        "TEXT_NOT_ENTERED",
    ),
    (
        "action-hover",
        StartScreen::Home,
        "ACTION_NOT_SUPPORTED_HERE",
    ),
    ("action-open-app", StartScreen::Home, "success"),
    ("action-open-uri", StartScreen::Home, "success"),
    ("action-press-key", StartScreen::Settings, "success"),
    (
        "action-press-key-chord",
        StartScreen::Home,
        "ACTION_NOT_SUPPORTED_HERE",
    ),
    (
        "action-read-key-value-pair",
        StartScreen::Settings,
        "NODE_NOT_FOUND",
    ),
    (
        "action-read-key-value-pair",
        StartScreen::Example,
        "success",
    ),
    (
        "action-read-key-value-pair-plain",
        StartScreen::Example,
        "success",
    ),
    (
        "action-read-text-in-container",
        StartScreen::Home,
        "success",
    ),
    (
        "action-read-text-in-container",
        StartScreen::Settings,
        "CONTAINER_NOT_FOUND",
    ),
    (
        "action-read-text-in-container",
        StartScreen::Example,
        "success",
    ),
    (
        "action-read-text-regex",
        StartScreen::Settings,
        "NODE_NOT_FOUND",
    ),
    (
        "action-read-text-regex",
        StartScreen::Example,
        "VALIDATOR_MISMATCH",
    ),
    ("action-scroll", StartScreen::Home, "success"),
    (
        "action-scroll",
        StartScreen::Settings,
        "CONTAINER_NOT_FOUND",
    ),
    ("action-scroll", StartScreen::Example, "success"),
    (
        "action-scroll-and-click",
        StartScreen::Settings,
        "NODE_NOT_FOUND",
    ),
    ("action-scroll-and-click", StartScreen::Example, "success"),
    ("action-scroll-until", StartScreen::Settings, "success"),
    (
        "action-scroll-until-in-container",
        StartScreen::Home,
        "success",
    ),
    (
        "action-scroll-until-in-container",
        StartScreen::Settings,
        "CONTAINER_NOT_FOUND",
    ),
    (
        "action-scroll-until-in-container",
        StartScreen::Example,
        "success",
    ),
    (
        "action-select-options",
        StartScreen::Home,
        "ACTION_NOT_SUPPORTED_HERE",
    ),
    ("action-sleep", StartScreen::Home, "success"),
    ("action-snapshot-ui", StartScreen::Home, "success"),
    ("action-start-recording", StartScreen::Home, "success"),
    (
        "action-stop-recording",
        StartScreen::Home,
        "RECORDING_NOT_IN_PROGRESS",
    ),
    ("action-take-screenshot", StartScreen::Settings, "success"),
    (
        "action-upload",
        StartScreen::Home,
        "ACTION_NOT_SUPPORTED_HERE",
    ),
    (
        "action-wait-for-navigation",
        StartScreen::Settings,
        "success",
    ),
    (
        "action-wait-for-navigation",
        StartScreen::Home,
        "NAVIGATION_TIMEOUT",
    ),
    (
        "action-wait-for-navigation-both",
        StartScreen::Settings,
        "success",
    ),
    ("action-wait-for-node", StartScreen::Settings, "success"),
    (
        "action-wait-for-node",
        StartScreen::Example,
        "NODE_NOT_FOUND",
    ),
];

/// Every documented execution; all of them succeed.
const EXECUTIONS: &[&str] = &[
    "execution-aliases",
    "execution-minimal",
    "execution-open-settings-and-snapshot",
    "execution-snapshot-request",
];

/// The screen in front when an example begins.
#[derive(Clone, Copy, Debug)]
enum StartScreen {
    Home,
    Settings,
    /// An app built from the texts of the examples.
    Example,
}

const EXAMPLE: &str = "
app: com.example
label: Example
start: home
state: { search: \"\" }
data: { orders: { repeat: 40, item: { n: \"= n\" } } }
screens:
  home:
    title: Example
    body:
      - field: { id: search, hint: \"Search\", bind: search }
      - list:
          id: android:id/list
          children:
            - item: \"Battery\"
              summary: \"83%\"
            - item: \"Order of the day\"
            - column: { height: 400 }
            - item: \"One\"
            - column: { height: 400 }
            - item: \"Two\"
            - column: { height: 400 }
            - button: { text: \"Submit\" }
            - item: \"About phone\"
";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/contract/testdata/examples/valid")
}

fn example(name: &str) -> Value {
    let text = fs::read_to_string(folder().join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The names of the documented examples with this prefix.
fn examples(head: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| name.starts_with(head))
        .collect();
    names.sort();
    names
}

async fn at(place: StartScreen) -> SimDriver {
    let mut phone = phone([EXAMPLE].into_iter());
    let app = match place {
        StartScreen::Home => return phone,
        StartScreen::Settings => "com.android.settings",
        StartScreen::Example => "com.example",
    };
    let open = json!([{"id": "open", "type": "open_app", "params": {"applicationId": app}}]);
    let answer = json_of(&run(&mut phone, &plan(open, None)).await);
    assert_eq!(answer["status"], "success", "{answer:#}");
    phone
}

#[tokio::test(start_paused = true)]
async fn documented_actions_have_documented_results() {
    let mut known: Vec<&str> = ACTIONS.iter().map(|(name, ..)| *name).collect();
    known.dedup();
    assert_eq!(examples("action-"), known);
    for (name, place, expected) in ACTIONS {
        let mut phone = at(*place).await;
        let answer = json_of(&run(&mut phone, &plan(json!([example(name)]), None)).await);
        let came_to = match answer["status"].as_str() {
            Some("success") => &answer["status"],
            Some(_) => &answer["errorCode"],
            None => &answer["code"],
        };
        assert_eq!(came_to, expected, "{name} at {place:?}: {answer:#}");
    }
}

#[tokio::test(start_paused = true)]
async fn documented_executions_succeed() {
    assert_eq!(examples("execution-"), EXECUTIONS);
    for name in EXECUTIONS {
        let execution = Execution::from_value(&example(name)).unwrap().execution;
        let mut phone = at(StartScreen::Home).await;
        let answer = json_of(&run(&mut phone, &execution).await);
        assert_eq!(answer["status"], "success", "{name}: {answer:#}");
        assert_eq!(answer["commandId"], execution.command_id());
        assert_eq!(answer["taskId"], execution.task_id());
        let steps = answer["stepResults"].as_array().unwrap();
        assert_eq!(steps.len(), execution.actions().len());
        for (step, action) in steps.iter().zip(execution.actions()) {
            assert_eq!(step["id"], action.id());
            assert_eq!(step["actionType"], action.kind().as_str());
            assert_eq!(step["success"], true);
            for (key, value) in step["data"].as_object().unwrap() {
                assert!(value.is_string(), "{name}: {key} is {value}");
            }
        }
        let last = &steps[steps.len() - 1]["data"];
        assert_eq!(last["actual_format"], "hierarchy_xml");
        assert!(last["text"].as_str().unwrap().contains("<hierarchy "));
    }
}

/// The keys of the documented snapshot, and their values for the settings.
#[tokio::test(start_paused = true)]
async fn snapshot_has_documented_keys() {
    let mut phone = at(StartScreen::Settings).await;
    let snap = json!([{"id": "snap1", "type": "snapshot_ui"}]);
    let answer = json_of(&run(&mut phone, &plan(snap, None)).await);
    let step = &answer["stepResults"][0];
    assert_eq!(step["actionType"], "snapshot_ui");
    let keys: Vec<&str> = step["data"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected_keys = [
        "actual_format",
        "foreground_package",
        "has_overlay",
        "window_count",
        "text",
    ];
    assert_eq!(keys[..expected_keys.len()], expected_keys);
    assert_eq!(step["data"]["foreground_package"], "com.android.settings");
    assert_eq!(step["data"]["has_overlay"], "false");
    let text = step["data"]["text"].as_str().unwrap();
    assert!(text.starts_with("<?xml version="), "{text}");
    assert!(text.contains("<hierarchy rotation=\"0\">"), "{text}");
    assert!(text.trim_end().ends_with("</hierarchy>"), "{text}");
    assert_eq!(text, text.trim_end().to_owned() + "\n");
}

struct Screen(Arc<UiTree>);

impl Screen {
    fn id(&self, query: &Query) -> NodeId {
        let found = self.0.find(query);
        found.unwrap_or_else(|| panic!("nothing matches {query:?}"))
    }

    fn node(&self, query: &Query) -> &Node {
        self.0.node(self.id(query))
    }

    fn parent(&self, query: &Query) -> &Node {
        self.0.node(self.node(query).parent.unwrap())
    }

    /// Asserts the bounds of a text line, except its right edge, which depends on the font.
    fn assert_line(&self, text: &str, id: &str, [left, top, bottom]: [i32; 3]) {
        let node = self.node(&Query::new().text(text));
        let bounds = node.bounds.unwrap();
        assert_eq!(
            [bounds.left, bounds.top, bounds.bottom],
            [left, top, bottom],
            "{text}"
        );
        assert_eq!(&*node.id, id);
        assert_eq!(&*node.class, "android.widget.TextView");
        assert!(!node.is(State::CLICKABLE) && node.is(State::ENABLED));
        assert!(node.label.is_empty());
    }
}

/// The annotated example of the snapshot page was taken from a real phone; the built-in settings look like it.
#[tokio::test(start_paused = true)]
async fn settings_screen_matches_annotated_example() {
    let mut phone = at(StartScreen::Settings).await;
    let cx = Cx::new(std::time::Duration::from_secs(5), CancellationToken::new());
    let screen = Screen(phone.observe(&cx).await.unwrap().tree);
    let root = screen.0.node(screen.0.get(0).unwrap());
    assert_eq!(root.bounds, Some(Rect::new(0, 0, 1080, 2340)));
    assert_eq!(&*root.class, "android.widget.FrameLayout");
    assert_eq!(&*root.owner, "com.android.settings");

    let list = screen.node(&Query::new().id("com.android.settings:id/recycler_view"));
    assert_eq!(list.bounds, Some(Rect::new(0, 884, 1080, 2196)));
    assert_eq!(&*list.class, "androidx.recyclerview.widget.RecyclerView");
    assert!(list.is(State::SCROLLABLE) && list.is(State::FOCUSABLE));
    assert!(!list.is(State::CLICKABLE));

    let search = screen.node(&Query::new().label("Search settings"));
    assert_eq!(search.bounds, Some(Rect::new(912, 692, 1080, 884)));
    assert_eq!(&*search.class, "android.widget.Button");
    assert!(search.text.is_empty() && search.id.is_empty());
    assert!(search.is(State::CLICKABLE) && search.is(State::FOCUSABLE));

    for (title, bounds) in [
        ("Connections", Rect::new(30, 1252, 1050, 1461)),
        ("Connected devices", Rect::new(30, 1461, 1050, 1721)),
    ] {
        let row = screen.parent(&Query::new().text(title));
        assert_eq!(row.bounds, Some(bounds), "{title}");
        assert_eq!(&*row.class, "android.widget.LinearLayout");
        assert!(row.text.is_empty() && row.id.is_empty() && row.label.is_empty());
        assert!(row.is(State::CLICKABLE) && !row.is(State::SCROLLABLE));
    }
    let (title, summary) = ("android:id/title", "android:id/summary");
    screen.assert_line("Connections", title, [216, 1294, 1364]);
    screen.assert_line(
        "Wi-Fi  •  Bluetooth  •  SIM manager",
        summary,
        [216, 1364, 1419],
    );
    screen.assert_line("Connected devices", title, [216, 1503, 1573]);
    screen.assert_line(
        "Quick Share  •  Samsung DeX  •  Android Auto",
        summary,
        [216, 1573, 1679],
    );
}
