//! Notes of the MCP screenshot tool about the shown element.

use serde_json::{Value, json};
use testkit::web::Web;

use crate::chrome::User;
use crate::mcp::RawClient;
use crate::run::program;

const PAGE: &str = "<style>body { margin: 0 } #tall { height: 3000px } button { position: fixed; top: 9px }</style>
<div id=tall role=group aria-label=Tall></div><button id=runs>Runs</button><button style='left: 500px'>Stays</button>
<script>let at = 0; const move = () => { at = (at + 7) % 300; runs.style.left = `${at}px`; requestAnimationFrame(move) }; move()</script>";

/// Runs a step.
fn act(client: &mut RawClient, device: &str, step: Value) {
    client.call(1, "act", json!({ "device": device, "actions": [step] }));
    let answer = client.receive()["result"].clone();
    assert_ne!(answer["isError"], true, "{answer}");
}

/// The text and the structured content of a screenshot of an element.
fn picture(client: &mut RawClient, device: &str, matcher: Value) -> (String, Value) {
    let arguments = json!({ "device": device, "matcher": matcher });
    client.call(2, "screenshot", arguments);
    let answer = client.receive()["result"].clone();
    assert_eq!(answer["content"][0]["type"], "image", "{answer}");
    let text = answer["content"][1]["text"].as_str().unwrap().to_owned();
    (text, answer["structuredContent"].clone())
}

#[test]
fn page_element_is_reported_as_clipped_or_moving() {
    let user = User::new("mcp-pictures");
    let web = Web::start();
    web.page("/", PAGE);
    let mut client = RawClient::from_command(&mut user.command("mcp"));
    let open = json!({ "type": "open_uri", "uri": web.url("/") });
    act(&mut client, "chrome", open);
    let (text, body) = picture(&mut client, "chrome", json!({ "css": "#tall" }));
    assert!(text.contains("; clipped"), "{text}");
    assert_eq!(
        (&body["clipped"], &body["moved"]),
        (&json!("true"), &Value::Null)
    );
    let (text, body) = picture(&mut client, "chrome", json!({ "textEquals": "Runs" }));
    assert!(text.ends_with("; moved"), "{text}");
    assert_eq!(
        (&body["clipped"], &body["moved"]),
        (&Value::Null, &json!("true"))
    );
    let (text, body) = picture(&mut client, "chrome", json!({ "textEquals": "Stays" }));
    assert!(
        !text.contains("clipped") && !text.contains("moved"),
        "{text}"
    );
    assert_eq!(
        (&body["clipped"], &body["moved"]),
        (&Value::Null, &Value::Null)
    );
    client.disconnect();
}

#[test]
fn element_under_message_is_reported_as_covered() {
    let mut client = RawClient::from_command(program().args(["mcp", "--device", "sim"]));
    let open = json!({ "type": "open_uri", "uri": "torture://covered" });
    act(&mut client, "sim", open);
    let (text, body) = picture(&mut client, "sim", json!({ "textEquals": "Pay" }));
    let cover = "the button \"com.example.torture:id/notice\"";
    assert!(text.ends_with(&format!("; covered by: {cover}")), "{text}");
    assert_eq!(body["covered_by"], cover);
    client.disconnect();
}
