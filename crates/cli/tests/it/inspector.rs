//! The inspector page of `serve`, used as people use it: one phone is looked at through the page, and the page itself is
//! driven as a web page, by the same program.

use serde_json::{Value, json};

use crate::chrome::User;
use crate::serve::{Served, serve};

/// A person at the page of a server.
struct Person {
    user: User,
    served: Served,
}

impl Person {
    /// Somebody who has the page of a server with these arguments before them.
    fn new(name: &str, arguments: &[&str]) -> Self {
        let (served, _) = serve(arguments, &[]);
        let person = Self {
            user: User::new(name),
            served,
        };
        let url = format!("{}/#sim", person.served.url);
        person
            .user
            .run(&["open", &url, "--device", "chrome"])
            .success();
        person
    }

    /// Does these steps on the page; each must succeed. Gives their data.
    fn does(&self, actions: &[Value]) -> Vec<Value> {
        let mut actions = actions.to_vec();
        for (at, action) in actions.iter_mut().enumerate() {
            action["id"] = format!("s{at}").into();
        }
        let plan = json!({
            "commandId": "look", "taskId": "look", "source": "test",
            "expectedFormat": "android-ui-automator", "timeoutMs": 60000, "actions": actions,
        });
        let plan = plan.to_string();
        let answer = self
            .user
            .run(&["exec", &plan, "--device", "chrome"])
            .success();
        assert_eq!(answer["envelope"]["status"], "success", "{answer}");
        let steps = answer["envelope"]["stepResults"].as_array().unwrap();
        steps
            .iter()
            .map(|step| {
                assert_eq!(step["success"], true, "{answer}");
                step["data"].clone()
            })
            .collect()
    }

    /// The text that the page shows at a selector, once it is there.
    fn reads(&self, css: &str) -> String {
        let read = self.does(&[
            wait(css),
            json!({"type": "read_text", "params": {"matcher": {"css": css}}}),
        ]);
        read[1]["text"].as_str().unwrap().to_owned()
    }

    /// What the server's own phone shows.
    fn phone(&self) -> String {
        let url = format!("{}/snapshot", self.served.url);
        crate::serve::curl(&["-X", "POST", &url])
    }
}

fn wait(css: &str) -> Value {
    json!({"type": "wait_for_node", "params": {"matcher": {"css": css}, "timeoutMs": 20000}})
}

fn click(css: &str) -> Value {
    json!({"type": "click", "params": {"matcher": {"css": css}}})
}

fn fill(css: &str, text: &str) -> Value {
    json!({"type": "enter_text", "params": {"matcher": {"css": css}, "text": text, "submit": true}})
}

/// An entry of the settings.
const CONNECTIONS: &str = "Connections";

#[test]
fn a_node_is_chosen_and_named_and_what_is_done_becomes_a_flow() {
    let person = Person::new("inspector", &["--device", "sim"]);
    // An app is opened, and a node of it is looked for in the tree and chosen.
    person.does(&[
        wait("#frame img"),
        fill("#open-what", "com.android.settings"),
        wait("#flow li"),
        fill("#search", CONNECTIONS),
        click("#tree .row:not(.off)"),
        wait("#node .selector"),
    ]);
    let best: Value = serde_json::from_str(&person.reads("#node .selector code")).unwrap();
    assert_eq!(best, json!({"textEquals": CONNECTIONS}));
    assert_eq!(person.reads("#node .selector .stability"), "75");
    // It is clicked, and the phone goes on.
    person.does(&[click("#node-click"), wait("#flow li:nth-child(2)")]);
    assert_eq!(
        person.reads("#command"),
        "clawperator click --text Connections --device sim"
    );
    let phone = person.phone();
    assert!(phone.contains("Airplane mode"), "{phone}");
    // What was done is an execution that the contract takes, by selectors and without coordinates.
    person.does(&[click("#flow-plan summary"), wait("#flow-json")]);
    let flow: Value = serde_json::from_str(&person.reads("#flow-json")).unwrap();
    let parsed = contract::Execution::from_value(&flow).unwrap();
    assert_eq!(parsed.execution.actions().len(), 2);
    assert_eq!(flow["actions"][1]["params"], json!({"matcher": best}));
    // From where it began it does the same again.
    person.does(&[
        click("#flow-plan summary"),
        click("#record"),
        click("[data-key=back]"),
        click("[data-key=home]"),
        click("#flow-run"),
        wait("#flow-note .good"),
        wait("#flow .done:nth-child(2)"),
    ]);
    let phone = person.phone();
    assert!(phone.contains("Airplane mode"), "{phone}");
    let log = person.reads("#log .run:not(.look) summary");
    assert!(
        log.contains("success") && log.contains("open_app, click"),
        "{log}"
    );
}

#[test]
fn a_click_on_the_picture_is_one_on_the_phone_by_the_best_selector() {
    let person = Person::new("picture", &["--device", "sim"]);
    person.does(&[
        wait("#frame img"),
        fill("#open-what", "com.android.settings"),
        wait("#flow li"),
    ]);
    let before = person.phone();
    // The middle of the screen is a row of the list.
    person.does(&[
        click("#stage .pair label:last-child"),
        click("#frame"),
        wait("#flow li:nth-child(2)"),
    ]);
    assert_ne!(person.phone(), before);
    let command = person.reads("#command");
    assert!(
        command.starts_with("clawperator click --") && !command.contains("--coordinate"),
        "{command}"
    );
    // What is described is found, and what is not there is said to be missing.
    person.does(&[
        click("[data-key=home]"),
        wait("#flow li:nth-child(3)"),
        fill("#try-what", "the mail app"),
        click("#try-answer li:first-child button"),
        wait("#node .selector"),
    ]);
    assert!(person.reads("#node .chosen").contains("Mail"));
    person.does(&[
        fill("#try-what", "flux capacitor"),
        wait("#try-answer .trouble"),
    ]);
    assert!(person.reads("#try-answer").contains("ELEMENT_NOT_FOUND"));
}

#[test]
fn a_token_is_asked_for_once_and_a_server_that_is_gone_is_said_to_be() {
    let person = Person::new("token", &["--device", "sim", "--token", "open-sesame"]);
    person.does(&[
        wait("#token-value"),
        fill("#token-value", "open-barley"),
        wait("#token-wrong"),
        fill("#token-value", "open-sesame"),
        wait("#frame img"),
    ]);
    assert_eq!(person.reads("#link"), "connected");
    let Person { user, served } = person;
    let person = Person {
        user,
        served: served.end(),
    };
    person.does(&[
        wait("#link[data-state=gone]"),
        click("#again"),
        wait("#notice button"),
    ]);
    let notice = person.reads("#notice");
    assert!(notice.contains("The server is gone"), "{notice}");
}
