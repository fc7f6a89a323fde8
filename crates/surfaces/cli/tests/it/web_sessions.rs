//! Pages between runs: the tab state of an attached server, and pages blocked while no client was attached.

use serde_json::{Value, json};
use testkit::web::Web;

use crate::chrome::{User, close_tab, new_tab};
use crate::mcp::Raw;
use crate::run::until;

/// A page blocked by a dialog once its server was notified.
const ASKS: &str = "<title>Asks</title><button>Stay</button><script>
  setTimeout(() => {
    const told = new XMLHttpRequest();
    told.open('GET', '/asking', false);
    told.send();
    alert('Your session ends');
  }, 200);
</script>";

/// A server with its own browser and tab.
struct TestServer {
    user: User,
    web: Web,
    endpoint: String,
    tab: String,
    raw: Raw,
    calls: u32,
}

impl TestServer {
    fn new(name: &str) -> Self {
        let user = User::new(name);
        let started = user.run(&["chrome", "start"]).success();
        let endpoint = started["endpoint"].as_str().unwrap().to_owned();
        let web = Web::start();
        web.page("/", "<title>First</title><button>One</button>");
        web.page("/second", "<title>Second</title><button>Two</button>");
        web.page("/asks", ASKS);
        web.page("/asking", "");
        Self {
            raw: Raw::met_in(&["--cdp", &endpoint], &std::env::temp_dir()),
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
        self.raw.hear()["result"]["structuredContent"].clone()
    }

    /// Opens a test page through the server.
    fn open(&mut self, path: &str) {
        let uri = self.web.url(path);
        let opened = self.act(&json!([{ "type": "open_uri", "uri": uri }]));
        assert_eq!(opened["envelope"]["status"], "success", "{opened}");
    }

    /// The same with a command.
    fn open_beside(&self, path: &str) -> Value {
        let uri = self.web.url(path);
        self.user
            .run(&["open", &uri, "--device", &self.device()])
            .success()
    }

    /// Waits until the page of [`ASKS`] is blocked, or about to be.
    fn until_it_asks(&self) {
        until("the page asks", || {
            let asked = self.web.requests();
            asked.iter().any(|request| request.path == "/asking")
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
    served.open_beside("/second");
    let clicked = served.act(&click("Two"));
    assert_eq!(clicked["envelope"]["status"], "success", "{clicked}");
    close_tab(&served.endpoint, &served.tab);
    let gone = served.act(&click("Two"));
    assert_eq!(gone["code"], "TAB_NOT_FOUND", "{gone}");
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
    served.open("/asks");
    served.until_it_asks();
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
    served.open("/asks");
    served.until_it_asks();
    let asks = json!({ "type": "wait_for_node", "matcher": { "textContains": "session ends" } });
    let asked = served.act(&json!([asks]));
    assert_eq!(asked["warnings"][0]["code"], "DIALOG_OPEN", "{asked}");
    let device = served.device();
    let (status, messages) = served.raw.go();
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
    let alone = |arguments: &[&str]| {
        let own = ["--device", &*device, "--log-level", "warn"];
        served.user.run(&[arguments, &own].concat())
    };
    alone(&["open", &served.web.url("/asks")]).success();
    served.until_it_asks();
    let seen = alone(&["snapshot", "--timeout", "1500"]).failure("CHROME_UNREACHABLE");
    let hint = seen["hint"].as_str().unwrap();
    assert!(hint.contains("clawperator open <url>"), "{hint}");
    alone(&["open", &served.web.url("/second")]).success();
    assert!(alone(&["snapshot"]).success().to_string().contains("Two"));
}
