//! Pages between runs: the tab state of an attached server, and pages blocked while no client was attached.

use serde_json::{Value, json};
use testkit::web::{Reply, Web};

use crate::chrome::{User, close_tab, new_tab};
use crate::mcp::RawClient;
use crate::run::{until, wait_for_value};

/// A page that notifies its server and then opens a dialog, which blocks it.
const BLOCKING_PAGE: &str = "<title>Dialog</title><button>Stay</button><script>
  setTimeout(() => {
    const request = new XMLHttpRequest();
    request.open('GET', '/notified', false);
    request.send();
    alert('Your session ends');
  }, 200);
</script>";

/// A server with its own browser and tab.
struct TestServer {
    user: User,
    web: Web,
    endpoint: String,
    tab: String,
    raw: RawClient,
    calls: u32,
}

impl TestServer {
    fn new(name: &str) -> Self {
        let user = User::new(name);
        let started = user.run("chrome start").success();
        let endpoint = started["endpoint"].as_str().unwrap().to_owned();
        let web = Web::start();
        web.page("/", "<title>First</title><button>One</button>");
        web.page("/second", "<title>Second</title><button>Two</button>");
        web.page("/dialog", BLOCKING_PAGE);
        web.page("/notified", "");
        Self {
            raw: RawClient::initialized_in(&["--cdp", &endpoint], &std::env::temp_dir()),
            tab: new_tab(&endpoint, "about:blank"),
            calls: 0,
            endpoint,
            web,
            user,
        }
    }

    fn device(&self) -> String {
        format!("chrome:{}", self.tab)
    }

    /// The server's result for these actions.
    fn act(&mut self, actions: &Value) -> Value {
        self.calls += 1;
        let arguments = json!({ "device": self.device(), "actions": actions });
        self.raw.call(self.calls, "act", arguments);
        self.raw.receive()["result"]["structuredContent"].clone()
    }

    /// Opens a test page through the server.
    fn open(&mut self, path: &str) {
        let uri = self.web.url(path);
        let opened = self.act(&json!([{ "type": "open_uri", "uri": uri }]));
        assert_eq!(opened["envelope"]["status"], "success", "{opened}");
    }

    /// Opens a test page by a command.
    fn open_by_command(&self, path: &str) -> Value {
        let uri = self.web.url(path);
        self.user
            .run(&["open", &uri, "--device", &self.device()])
            .success()
    }

    /// Waits until [`BLOCKING_PAGE`] has notified its server: it is blocked or about to be.
    fn wait_until_page_blocks(&self) {
        until("the page notifies its server", || {
            let answered = self.web.requests();
            answered.iter().any(|request| request.path == "/notified")
        });
    }
}

fn click(name: &str) -> Value {
    json!([{ "type": "click", "matcher": { "textEquals": name } }])
}

#[test]
fn server_sees_external_tab_changes() {
    let mut served = TestServer::new("others");
    served.open("/");
    let clicked = served.act(&click("One"));
    assert_eq!(clicked["envelope"]["status"], "success", "{clicked}");
    served.open_by_command("/second");
    let clicked = served.act(&click("Two"));
    assert_eq!(clicked["envelope"]["status"], "success", "{clicked}");
    close_tab(&served.endpoint, &served.tab);
    let gone = served.act(&click("Two"));
    assert_eq!(gone["code"], "TAB_NOT_FOUND", "{gone}");
}

/// A form that its script builds anew after each press, with a list of plain elements.
const REBUILT_FORM: &str = "<title>Plan</title><h1>Plan</h1><div id=app></div><p id=out>idle</p><script>
let chosen = 'Monthly', opened = false;
const option = name => `<div style='cursor:pointer' onclick=\"chosen='${name}';opened=false;build()\">${name}</div>`;
function build() {
  app.innerHTML = `<p>Billing</p><div class=list style='cursor:pointer' onclick='opened=!opened;build()'>${chosen}</div>`
    + (opened ? ['Monthly', 'Yearly', 'Never'].map(option).join('') : '')
    + `<button onclick=\"out.textContent='saved '+chosen\">Save plan</button>`;
}
build();</script>";

#[test]
fn references_stay_when_an_option_is_chosen() {
    let mut served = TestServer::new("choice");
    served.web.page("/form", REBUILT_FORM);
    let text = |served: &mut TestServer, actions: Value| {
        served.calls += 1;
        let device = served.device();
        let arguments = json!({ "device": device, "actions": actions, "observe": "screen" });
        served.raw.call(served.calls, "act", arguments);
        let answer = served.raw.receive();
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let uri = served.web.url("/form");
    let screen = text(&mut served, json!([{ "type": "open_uri", "uri": uri }]));
    let reference = |words: &str| {
        let (_, rest) = screen
            .split_once(words)
            .unwrap_or_else(|| panic!("{screen}"));
        rest.split_whitespace().next().unwrap().to_owned()
    };
    let [list, save] = ["\"Monthly\" ", "button \"Save plan\" "].map(reference);
    let opened = text(&mut served, json!([{ "type": "click", "ref": list }]));
    assert!(opened.contains("\"Yearly\""), "{opened}");
    let saved = text(
        &mut served,
        json!([
            { "type": "click", "matcher": { "textEquals": "Yearly" } },
            { "type": "click", "ref": save },
        ]),
    );
    assert!(saved.contains("\"saved Yearly\""), "{saved}");
}

#[test]
fn closed_tab_is_not_found() {
    let mut served = TestServer::new("closing");
    for _ in 0..30 {
        served.tab = new_tab(&served.endpoint, &served.web.url("/"));
        let (endpoint, tab) = (served.endpoint.clone(), served.tab.clone());
        let closing = std::thread::spawn(move || close_tab(&endpoint, &tab));
        let acted = served.act(&json!([{ "type": "snapshot_ui" }]));
        closing.join().unwrap();
        // After attaching, the run reports its progress.
        let ran = acted.get("envelope").is_some();
        assert!(ran || acted["code"] == "TAB_NOT_FOUND", "{acted}");
    }
}

#[test]
fn server_run_sees_earlier_dialog() {
    let mut served = TestServer::new("between");
    served.open("/dialog");
    served.wait_until_page_blocks();
    let clicked = served.act(&json!([
        { "type": "wait_for_node", "matcher": { "textContains": "session ends" } },
        { "type": "click", "matcher": { "textEquals": "OK" } },
        { "type": "click", "matcher": { "textEquals": "Stay" } },
    ]));
    assert_eq!(clicked["envelope"]["status"], "success", "{clicked}");
    assert_eq!(clicked.get("warnings"), None, "{clicked}");
}

#[test]
fn server_shutdown_dismisses_dialog() {
    let mut served = TestServer::new("ends");
    served.open("/dialog");
    served.wait_until_page_blocks();
    let asks = json!({ "type": "wait_for_node", "matcher": { "textContains": "session ends" } });
    let answer = served.act(&json!([asks]));
    assert_eq!(answer["warnings"][0]["code"], "DIALOG_OPEN", "{answer}");
    let device = served.device();
    let (status, messages) = served.raw.disconnect();
    assert_eq!(status, Some(0), "{messages}");
    let clicked = served
        .user
        .run(&["click", "--text", "Stay", "--device", &device])
        .success();
    assert_eq!(clicked.get("warnings"), None, "{clicked}");
}

#[test]
fn blocked_page_is_replaced_by_open() {
    let served = TestServer::new("still");
    let device = served.device();
    // A command with its own log does not use the daemon, so no client is attached in between.
    let without_daemon = |arguments: &[&str]| {
        let own = ["--device", &*device, "--log-level", "warn"];
        served.user.run(&[arguments, &own].concat())
    };
    without_daemon(&["open", &served.web.url("/dialog")]).success();
    served.wait_until_page_blocks();
    let seen = without_daemon(&["snapshot", "--timeout", "1500"]).failure("CHROME_UNREACHABLE");
    let hint = seen["hint"].as_str().unwrap();
    assert!(hint.contains("clawperator open <url>"), "{hint}");
    without_daemon(&["open", &served.web.url("/second")]).success();
    assert!(
        without_daemon(&["snapshot"])
            .success()
            .to_string()
            .contains("Two")
    );
}

#[test]
fn dialog_of_a_tab_that_was_left_is_reported_and_answered_later() {
    let mut served = TestServer::new("left");
    served.web.page(
        "/asks",
        "<title>Asks</title><p>Waiting</p><script>
           fetch('/go').finally(() => { const sure = confirm('Delete everything?'); document.title = sure; fetch('/' + sure) });
         </script>",
    );
    served
        .web
        .reply("/go", Reply::Held(Box::new(Reply::Nothing)));
    served.web.page("/true", "");
    served.open("/asks");
    let other = json!([{ "type": "tab", "op": "open", "uri": served.web.url("/second") }]);
    let left = served.act(&other);
    assert_eq!(left.get("warnings"), None, "{left}");
    served.web.release("/go");
    let asking = served.device();
    served.tab = "Second".to_owned();
    let seen = wait_for_value("a warning about the dialog", || {
        let seen = served.act(&json!([{ "type": "snapshot_ui" }]));
        seen.get("warnings").map(|_| seen.clone())
    });
    assert_eq!(seen["warnings"][0]["code"], "DIALOG_OPEN", "{seen}");
    let message = seen["warnings"][0]["message"].as_str().unwrap();
    for part in [&*asking, "Delete everything?", "OK or Cancel"] {
        assert!(message.contains(part), "{message}");
    }
    let answered = served.act(&json!([
        { "type": "tab", "op": "choose", "tab": { "device": asking } },
        { "type": "click", "matcher": { "textEquals": "OK" } },
    ]));
    assert_eq!(answered["envelope"]["status"], "success", "{answered}");
    assert_eq!(answered.get("warnings"), None, "{answered}");
    until("the page continues with the answer", || {
        let asked = served.web.requests();
        asked.iter().any(|request| request.path == "/true")
    });
}
