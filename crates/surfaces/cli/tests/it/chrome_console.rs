//! Console errors and failed requests of a page: counted in the result of the next command, and listed on request.

use serde_json::Value;
use testkit::web::{Reply, Web};

use crate::chrome::{User, warning_codes};
use crate::run::{Words, run, until};

const PAGE: &str = r#"<title>Shop</title>
<p id=note></p><input type=password aria-label=Password>
<button onclick="console.error('bad\nthing', { a: 1 }, new Error('inner'))">Log</button>
<button onclick="null.x">Throw</button>
<button onclick="fetch('/api/save?token=query-secret', { method: 'POST' }).then((reply) => { note.textContent = `Answer ${reply.status}` })">Save</button>
<button onclick="fetch('http://127.0.0.1:{closed}/gone')">Reach</button>
<button onclick="console.error('password ' + document.querySelector('input').value)">Leak</button>
<button onclick="console.log('fine'); console.warn('fine'); fetch('/fine')">Fine</button>"#;

struct Shop {
    user: User,
    web: Web,
}

impl Shop {
    fn open(name: &str) -> Self {
        let shop = Self {
            user: User::new(name),
            web: Web::start(),
        };
        let page = PAGE.replace("{closed}", &testkit::closed_port().to_string());
        shop.web.page("/", &page);
        shop.web.page("/fine", "fine");
        let head = "500 Internal Server Error".to_owned();
        shop.web
            .reply("/api/save", Reply::Full(head, Vec::new(), Vec::new()));
        shop.run(&["open", &shop.web.url("/")]);
        shop
    }

    fn run(&self, arguments: &(impl Words + ?Sized)) -> Value {
        let arguments = [arguments.words(), "--device chrome".words()].concat();
        self.user.run(&arguments).success()
    }

    fn errors(&self) -> Vec<String> {
        let listed = self.run("chrome console");
        let data = &listed["envelope"]["stepResults"][0]["data"];
        let errors: Vec<String> = serde_json::from_str(data["errors"].as_str().unwrap()).unwrap();
        assert_eq!(data["count"], errors.len().to_string());
        errors
    }
}

/// The message of the warning about new errors.
fn new_error_warning(answer: &Value) -> Option<&str> {
    let mut warnings = answer["warnings"].as_array().into_iter().flatten();
    let warning = warnings.find(|warning| warning["code"] == "PAGE_ERRORS")?;
    warning["message"].as_str()
}

#[test]
fn errors_are_counted_once_and_listed() {
    let shop = Shop::open("console");
    assert_eq!(new_error_warning(&shop.run("snapshot")), None);
    for name in ["Log", "Throw"] {
        let clicked = shop.run(&["click", "--text", name]);
        let message = "1 console error; read_console lists them";
        assert_eq!(new_error_warning(&clicked), Some(message), "{name}");
    }
    for name in ["Save", "Reach", "Fine"] {
        shop.run(&["click", "--text", name]);
    }
    let mut errors = Vec::new();
    until("the page has its errors", || {
        errors = shop.errors();
        errors.len() == 5
    });
    assert_eq!(
        new_error_warning(&shop.run("snapshot")),
        None,
        "known errors are not counted again"
    );
    let url = shop.web.url("");
    let text = errors.join("\n");
    for part in [
        "bad thing Object Error: inner (/:3)",
        "Uncaught TypeError: Cannot read properties of null (reading 'x') (/:4)",
        "POST /api/save 500",
        "/gone net::ERR_CONNECTION_REFUSED",
        "Uncaught (in promise) TypeError: Failed to fetch",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}\n{url}");
    }
    assert!(!text.contains("query-secret"), "{text}");
    let mut counted = Vec::new();
    for name in ["Log", "Save"] {
        let clicked = shop.run(&["click", "--text", name]);
        counted.extend(new_error_warning(&clicked).map(str::to_owned));
    }
    until("the new errors are counted", || {
        let seen = shop.run("snapshot");
        counted.extend(new_error_warning(&seen).map(str::to_owned));
        counted.concat().contains("POST /api/save 500")
    });
}

#[test]
fn message_of_a_run_names_the_failed_request() {
    let shop = Shop::open("console-news");
    let actions = serde_json::json!([
        { "id": "1", "type": "click", "params": { "matcher": { "textEquals": "Log" } } },
        { "id": "2", "type": "click", "params": { "matcher": { "textEquals": "Save" } } },
        { "id": "3", "type": "wait_for_node", "params": { "matcher": { "textEquals": "Answer 500" } } },
    ]);
    let plan = testkit::plan("c", actions);
    let ran = shop.run(&["exec", &plan.to_string()]);
    assert_eq!(
        new_error_warning(&ran),
        Some("1 console error, 1 failed request (POST /api/save 500); read_console lists them")
    );
}

#[test]
fn text_of_a_password_field_is_masked() {
    let shop = Shop::open("console-password");
    shop.run("type correct-horse --css input");
    shop.run("click --text Leak");
    let mut errors = Vec::new();
    until("the page has its error", || {
        errors = shop.errors();
        !errors.is_empty()
    });
    assert!(errors[0].starts_with("password "), "{errors:?}");
    assert!(!errors[0].contains("correct-horse"), "{errors:?}");
}

#[test]
fn phone_has_no_console() {
    let refused = run("chrome console --device sim").document();
    assert_eq!(refused["code"], "ACTION_NOT_SUPPORTED_HERE", "{refused}");
    assert_eq!(warning_codes(&refused), [""; 0]);
}
