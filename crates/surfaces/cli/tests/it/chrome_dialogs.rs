//! Dialogs of pages between commands.

use crate::chrome::{User, warning_codes};
use crate::run::until;

#[test]
fn open_dialog_is_kept_for_the_next_command() {
    let user = User::new("dialog");
    user.open(
        "Ask",
        "<button onclick=\"document.title=confirm('Sure?')\">Delete</button>",
    );
    let clicked = user
        .run(&["click", "--text", "Delete", "--device", "chrome"])
        .success();
    assert_eq!(warning_codes(&clicked), ["DIALOG_OPEN"]);
    assert!(
        clicked["warnings"].to_string().contains("Sure?"),
        "{clicked}"
    );
    // A command that only reads the screen does not answer it, and says so in text, too.
    let text = user.run(&["snapshot", "--view", "text", "--device", "chrome"]);
    for part in ["Sure?", "\"OK\"", "DIALOG_OPEN: "] {
        assert!(text.stdout.contains(part), "{}", text.stdout);
    }
    // It hides the page.
    let found = user
        .run(&["inspect", "ok button", "--device", "chrome"])
        .success();
    assert_eq!(found["elements"][0]["selectors"][0]["verified"], true);
    user.run(&["inspect", "delete button", "--device", "chrome"])
        .failure("ELEMENT_NOT_FOUND");
    user.run(&["click", "--text", "OK", "--device", "chrome"])
        .success();
    until("the page continues with the answer", || {
        user.browsers()[0]["tabs"][0]["title"] == "true"
    });
    assert!(user.snapshot("chrome").contains("Delete"));
}

#[test]
fn dialog_stays_open_after_a_failed_run() {
    let user = User::new("dialog-failed");
    user.open("Ask", "<button onclick=\"alert('Stop!')\">Go</button>");
    let plan = r#"{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":30000,
        "actions":[{"id":"go","type":"click","params":{"matcher":{"textEquals":"Go"}}},
                   {"id":"no","type":"click","params":{"matcher":{"textEquals":"Nowhere"}}}]}"#;
    let failed = user.run(&["exec", plan, "--device", "chrome"]).document();
    assert_eq!(
        failed["envelope"]["errorCode"], "NODE_NOT_FOUND",
        "{failed}"
    );
    assert_eq!(warning_codes(&failed), ["DIALOG_OPEN"], "{failed}");
    user.run(&["click", "--text", "OK", "--device", "chrome"])
        .success();
    assert!(user.snapshot("chrome").contains("Go"));
}

#[test]
fn dialog_of_the_first_page_is_reported_to_the_next_command() {
    let user = User::new("dialog-first");
    // After four seconds the daemon that the command started is attached. `chrome list` does not attach.
    user.open(
        "Ask",
        "<script>setTimeout(() => { document.title = 'asking'; setTimeout(() => document.title = confirm('Stay?'), 50) }, 4000)</script>",
    );
    until("the page asks", || {
        user.browsers()[0]["tabs"][0]["title"] == "asking"
    });
    user.run(&["wait", "--text", "OK", "--device", "chrome"])
        .success();
    user.run(&["click", "--text", "OK", "--device", "chrome"])
        .success();
    until("the page continues with the answer", || {
        user.browsers()[0]["tabs"][0]["title"] == "true"
    });
}
