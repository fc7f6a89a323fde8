//! Dialogs of pages between commands.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use crate::chrome::{User, warning_codes};
use crate::run::until;

#[test]
fn open_dialog_is_kept_for_the_next_command() {
    let user = User::new("dialog");
    user.open(
        "Ask",
        "<button onclick=\"document.title=confirm('Sure?')\">Delete</button>",
    );
    let clicked = user.run("click --text Delete --device chrome").success();
    assert_eq!(warning_codes(&clicked), ["DIALOG_OPEN"]);
    assert!(
        clicked["warnings"].to_string().contains("Sure?"),
        "{clicked}"
    );
    // A command that only reads the screen does not answer it, and says so in text, too.
    let text = user.run("snapshot --view text --device chrome");
    for part in ["Sure?", "\"OK\"", "DIALOG_OPEN: "] {
        assert!(text.stdout.contains(part), "{}", text.stdout);
    }
    // It hides the page.
    let found = user.run("inspect 'ok button' --device chrome").success();
    assert_eq!(found["elements"][0]["selectors"][0]["verified"], true);
    user.run("inspect 'delete button' --device chrome")
        .failure("ELEMENT_NOT_FOUND");
    user.run("click --text OK --device chrome").success();
    until("the page continues with the answer", || {
        user.browsers()[0]["tabs"][0]["title"] == "true"
    });
    assert!(user.snapshot("chrome").contains("Delete"));
}

#[test]
fn dialog_stays_open_after_a_failed_run() {
    let user = User::new("dialog-failed");
    user.open("Ask", "<button onclick=\"alert('Stop!')\">Go</button>");
    let actions = serde_json::json!([
        {"id": "go", "type": "click", "params": {"matcher": {"textEquals": "Go"}}},
        {"id": "no", "type": "click", "params": {"matcher": {"textEquals": "Nowhere"}}},
    ]);
    let plan = testkit::plan("c", actions).to_string();
    let failed = user.run(&["exec", &plan, "--device", "chrome"]).document();
    assert_eq!(
        failed["envelope"]["errorCode"], "NODE_NOT_FOUND",
        "{failed}"
    );
    assert_eq!(warning_codes(&failed), ["DIALOG_OPEN"], "{failed}");
    user.run("click --text OK --device chrome").success();
    assert!(user.snapshot("chrome").contains("Go"));
}

#[test]
fn dialog_of_the_first_page_is_reported_to_the_next_command() {
    let user = User::new("dialog-first");
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", server.local_addr().unwrap());
    // The page asks when its second request is answered.
    let script = "addEventListener('load', () => fetch('/go').finally(() => document.title = confirm('Stay?')))";
    let (sender, go) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in server.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            // Browsers open connections that they may not use.
            let Some(first) = request.first() else {
                continue;
            };
            if first.starts_with("GET /go ") {
                sender.send(stream).unwrap();
                continue;
            }
            let page = format!("<title>Ask</title><script>{script}</script>");
            let length = page.len();
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{page}"
            );
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    user.run(&["open", &url, "--device", "chrome"]).success();
    user.wait_for_daemon(None);
    let mut answer = go.recv().unwrap();
    answer
        .write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        .unwrap();
    drop(answer);
    user.run("wait --text OK --device chrome").success();
    user.run("click --text OK --device chrome").success();
    until("the page continues with the answer", || {
        user.browsers()[0]["tabs"][0]["title"] == "true"
    });
}
