//! The text view of a screen: the same on the command line, over HTTP and over MCP.

use serde_json::{Value, json};

use crate::chrome::User;
use crate::mcp::RawClient;
use crate::run::run;
use crate::serve::{curl, serve};

/// What `snapshot` prints with these flags.
fn printed(flags: &[&str]) -> String {
    let ran = run(&[&["snapshot", "--device", "sim"], flags].concat());
    assert_eq!(ran.exit, 0, "{}", ran.stdout);
    ran.stdout
}

/// The text of the only step.
fn text(document: &Value) -> &str {
    let step = &document["envelope"]["stepResults"][0];
    step["data"]["text"].as_str().unwrap()
}

#[test]
fn text_view_is_the_same_on_every_surface() {
    let shown = printed(&["--view", "text"]);
    assert!(
        shown.starts_with("application com.android.launcher3"),
        "{shown}"
    );
    // On a terminal, and with `--output pretty`, the screen is text whatever its format.
    assert_eq!(printed(&["--output", "pretty"]), shown);
    let document: Value = serde_json::from_str(&printed(&["--view", "text", "--json"])).unwrap();
    assert_eq!(text(&document), shown);
    let data = &document["envelope"]["stepResults"][0]["data"];
    assert_eq!(data["actual_format"], "text");

    let (served, _) = serve(&["--device", "sim"], &[]);
    let url = format!("{}/snapshot", served.url);
    let json = "Content-Type: application/json";
    let answer = curl(&[&url, "-H", json, "-d", r#"{"view":"text"}"#]);
    let served_view: Value = serde_json::from_str(&answer).unwrap();
    let served_view = text(&served_view);
    assert_eq!(names(served_view), names(&shown));
    assert!(
        served_view.contains("listitem \"Shop\" e1"),
        "{served_view}"
    );
    let answer = curl(&[&url, "-H", json, "-d", r#"{"view":"actionable"}"#]);
    let actionable: Value = serde_json::from_str(&answer).unwrap();
    let actionable = text(&actionable);

    let mut client =
        RawClient::from_command(crate::run::program().args(["mcp", "--device", "sim"]));
    client.call(1, "snapshot", json!({}));
    let answer = client.receive();
    let content = answer["result"]["content"][0]["text"].as_str().unwrap();
    let screen = content.split_once("screen data:\n").unwrap().1;
    assert_eq!(screen, served_view.trim_end());
    let body = &answer["result"]["structuredContent"];
    let data = &body["envelope"]["stepResults"][0]["data"];
    assert_eq!(data["actual_format"], "text", "{body}");
    assert!(!body.to_string().contains("listitem"), "{body}");
    client.call(2, "snapshot", json!({ "actionable": true, "budget": 200 }));
    let answer = client.receive();
    let content = answer["result"]["content"][0]["text"].as_str().unwrap();
    let lines = content.split_once("screen data:\n").unwrap().1;
    for line in lines.lines() {
        let known = actionable.lines().any(|other| other == line);
        assert!(
            known || line.ends_with("(raise budget, or use matcher)"),
            "{line} in {content}"
        );
    }
}

/// The names and texts of a view, in order. With references the same ones are on fewer lines, and what the code of a page calls
/// elements, which is left out here, is written once.
pub(crate) fn names(view: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut name: Option<String> = None;
    let mut is_code = false;
    let mut letters = view.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (&mut name, letter) {
            (None, '"') => {
                name = Some(String::new());
                is_code = view[..at].ends_with("code=");
            }
            (None, _) => {}
            (Some(_), '"') => names.extend(name.take().filter(|_| !is_code)),
            (Some(text), letter) => {
                text.push(letter);
                if letter == '\\' {
                    text.extend(letters.next().map(|(_, letter)| letter));
                }
            }
        }
    }
    names
}

#[test]
fn budget_leaves_out_lines_and_counts_them() {
    let whole = printed(&["--view", "text"]);
    let document = printed(&["--view", "text", "--budget", "80", "--json"]);
    let document: Value = serde_json::from_str(&document).unwrap();
    let shown = text(&document);
    let data = &document["envelope"]["stepResults"][0]["data"];
    let omitted: usize = data["omitted_lines"].as_str().unwrap().parse().unwrap();
    // The last line counts those left out.
    assert_eq!(
        shown.lines().count() - 1 + omitted,
        whole.lines().count(),
        "{shown}"
    );
    assert!(
        shown
            .lines()
            .last()
            .unwrap()
            .ends_with("(raise budget, or use matcher)"),
        "{shown}"
    );
}

#[test]
fn act_returns_what_changed_since_the_last_screen() {
    let mut client =
        RawClient::from_command(crate::run::program().args(["mcp", "--device", "sim"]));
    let mut id = 0;
    let mut act = |observe: &str, actions: Value| {
        id += 1;
        client.call(id, "act", json!({ "actions": actions, "observe": observe }));
        let answer = client.receive();
        let content = answer["result"]["content"][0]["text"].as_str().unwrap();
        (
            content.to_owned(),
            answer["result"]["structuredContent"].clone(),
        )
    };
    let bluetooth = json!([{ "type": "click", "matcher": { "textEquals": "Bluetooth" } }]);
    let open = json!([
        { "type": "open_app", "applicationId": "com.android.settings" },
        { "type": "click", "matcher": { "textEquals": "Connections" } },
    ]);
    // The client has no screen yet.
    let (first, body) = act("diff", open);
    assert!(
        first.contains("screen data:\napplication com.android.settings"),
        "{first}"
    );
    assert!(
        first.contains("listitem \"Wi-Fi\" \"On\" e") && first.contains(" switch checked e"),
        "{first}"
    );
    assert!(body["envelope"].get("screen").is_none(), "{body}");
    let (changed, body) = act("diff", bluetooth.clone());
    assert!(
        changed.starts_with("ok click \"Bluetooth\" · "),
        "{changed}"
    );
    let changes = changed.split_once("screen data, changes:\n").unwrap().1;
    assert!(
        changes.contains("+ listitem \"Bluetooth\" \"Off\" e")
            && changes.contains(" switch unchecked e"),
        "{changes}"
    );
    assert!(
        changes.lines().count() < 6 && body["envelope"].get("changes").is_none(),
        "{changes}"
    );
    let pause = json!([{ "type": "sleep", "durationMs": 10 }]);
    let (unchanged, _) = act("diff", pause.clone());
    assert!(
        unchanged.ends_with("\nno line of the screen changed"),
        "{unchanged}"
    );
    let (silent, body) = act("none", bluetooth);
    assert_eq!(silent.lines().count(), 1, "{silent}");
    assert_eq!(
        silent,
        "ok click \"Bluetooth\" · switch \"Bluetooth\" is on"
    );
    assert!(body["envelope"].get("screen").is_none(), "{body}");
    let (whole, _) = act("screen", pause);
    assert!(whole.contains("listitem \"Bluetooth\" \"On\" e"), "{whole}");
    assert!(whole.contains(" lines as before\n"), "{whole}");
    let look = json!([
        { "type": "snapshot_ui" },
        { "type": "click", "matcher": { "textEquals": "Bluetooth" } },
        { "type": "snapshot_ui" },
    ]);
    let (steps, body) = act("diff", look);
    assert!(!body.to_string().contains("listitem"), "{body}");
    let lines: Vec<&str> = steps.lines().collect();
    assert_eq!(
        lines[..2],
        ["ok snapshot_ui", "no line of the screen changed"],
        "{steps}"
    );
    assert!(
        lines[4].starts_with("+ listitem \"Bluetooth\" \"Off\" e")
            && steps.ends_with("\nno line of the screen changed"),
        "{steps}"
    );
}

#[test]
fn page_counts_what_is_beyond_its_edges_and_behind_a_dialog() {
    let user = User::new("beyond");
    let rows: String = (1..=60)
        .map(|row| format!("<li><button>Row {row}</button>"))
        .collect();
    let ask = "<button onclick='sure.showModal()'>Ask</button>";
    let dialog = "<dialog id=sure aria-label=Sure><button>Yes</button></dialog>";
    user.open("Long", &format!("{ask}{dialog}<ul>{rows}</ul>"));
    let view = || {
        let shown = user.run("snapshot --view text --device chrome");
        assert_eq!(shown.exit, 0, "{}", shown.stdout);
        shown.stdout
    };
    let page = view();
    assert!(
        page.contains(" rows below)") && page.contains("\"Row 1\""),
        "{page}"
    );
    user.run("click --text Ask --device chrome").success();
    let asked = view();
    assert!(asked.contains("button \"Yes\""), "{asked}");
    assert!(asked.contains("\nbehind the dialog: "), "{asked}");
    assert!(!asked.contains("\"Row 1\""), "{asked}");
}
