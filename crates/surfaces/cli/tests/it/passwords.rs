//! Events mask a password of a web page, even if the page reveals it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::chrome::User;
use crate::run::TIME_LIMIT;
use crate::serve::{curl, serve};

/// Fields with and without an id, filled by the page and by a step, and the button that shows them all.
const PAGE: &str = "<title>Vault</title><label>Old <input id=old type=password value=hunter2-old></label>\
    <label>New <input type=password></label><label>PIN <input id=pin type=password value=12></label><p>12 tries</p>\
    <button onclick=\"for(const i of document.querySelectorAll('input'))i.type='text'\">Show</button>";

#[test]
fn events_mask_revealed_password() {
    let user = User::new("passwords");
    user.run("chrome start").success();
    let folder = user.file("").display().to_string();
    let places = ["XDG_RUNTIME_DIR", "HOME", "TMPDIR"].map(|name| (name, &*folder));
    let (served, _) = serve(&["--device", "chrome"], &places);
    let page: String = PAGE.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let mut stream = TcpStream::connect(served.url.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(TIME_LIMIT)).unwrap();
    stream
        .write_all(b"GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .unwrap();
    let mut lines = BufReader::new(stream).lines();
    let (mut answers, mut events) = (String::new(), String::new());
    let mut run = |command: &str, actions: Value| {
        let mut plan = testkit::plan(command, actions);
        plan["timeoutMs"] = 60_000.into();
        let body = json!({ "execution": plan }).to_string();
        let url = format!("{}/execute", served.url);
        let answer = curl(&["-H", "content-type: application/json", "-d", &body, &url]);
        assert!(answer.contains("\"status\":\"success\""), "{answer}");
        answers.push_str(&answer);
        loop {
            let line = lines.next().unwrap().unwrap();
            events.push_str(&line);
            if line.contains("\"input\"") && line.contains(command) {
                return;
            }
        }
    };
    let url = format!("data:text/html,{page}");
    let new = json!({ "css": "label:nth-of-type(2) input" });
    run(
        "opens",
        json!([
            { "id": "1", "type": "open_uri", "params": { "uri": url } },
            { "id": "2", "type": "enter_text", "params": { "matcher": new, "text": "hunter2-new" } },
            { "id": "3", "type": "snapshot_ui" },
        ]),
    );
    run(
        "shows",
        json!([
            { "id": "1", "type": "click", "params": { "matcher": { "textEquals": "Show" } } },
            { "id": "2", "type": "read_text", "params": { "matcher": { "css": "#old" } } },
            { "id": "3", "type": "read_text", "params": { "matcher": { "textEquals": "hunter2-new" } } },
            { "id": "4", "type": "enter_text", "params": { "matcher": new, "text": "correct horse" } },
            { "id": "5", "type": "snapshot_ui" },
        ]),
    );
    for secret in ["hunter2", "correct horse"] {
        assert!(!events.contains(secret), "{secret} in {events}");
        // The result is not masked.
        assert!(answers.contains(secret), "{secret} not in {answers}");
    }
    assert!(
        events.contains("12 tries") && !events.contains("text=\\\"12\\\""),
        "{events}"
    );
}
