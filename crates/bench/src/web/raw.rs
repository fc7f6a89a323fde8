//! The protocol alone: what a click costs when nothing is looked up, waited for or checked.

use std::time::Instant;

use cdp::Session;
use cdp::protocol::runtime::Evaluate;
use serde_json::{Value, json};

use crate::numbers::ms;

/// Presses and releases the left button at a place in CSS pixels, and waits until the browser has taken both.
///
/// # Errors
///
/// In words, when the browser refuses.
pub async fn click(session: &Session, (x, y): (f64, f64)) -> Result<f64, String> {
    let event = |kind: &str| json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
    let began = Instant::now();
    let pressed = session.call_raw("Input.dispatchMouseEvent", &event("mousePressed"));
    let released = session.call_raw("Input.dispatchMouseEvent", &event("mouseReleased"));
    pressed.await.map_err(|error| error.to_string())?;
    released.await.map_err(|error| error.to_string())?;
    Ok(ms(began.elapsed()))
}

/// The middle of the element that `selector` hits, in CSS pixels.
///
/// # Errors
///
/// In words, when there is none.
pub async fn middle(session: &Session, selector: &str) -> Result<(f64, f64), String> {
    let script = format!(
        "(() => {{ const box = document.querySelector({}).getBoundingClientRect();\
         return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
        Value::from(selector)
    );
    let place = evaluate(session, &script).await?;
    match (place[0].as_f64(), place[1].as_f64()) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => Err(format!("{selector} is nowhere")),
    }
}

/// What is written in the element that `selector` hits.
///
/// # Errors
///
/// In words, when there is none.
pub async fn text(session: &Session, selector: &str) -> Result<String, String> {
    let script = format!(
        "document.querySelector({}).textContent",
        Value::from(selector)
    );
    match evaluate(session, &script).await? {
        Value::String(text) => Ok(text),
        other => Err(format!("{selector} gave {other}")),
    }
}

async fn evaluate(session: &Session, script: &str) -> Result<Value, String> {
    let evaluate = Evaluate {
        expression: script.to_owned(),
        return_by_value: Some(true),
        ..Evaluate::default()
    };
    let evaluated = session.call(&evaluate).await;
    let evaluated = evaluated.map_err(|error| error.to_string())?;
    match &evaluated.exception_details {
        Some(thrown) => Err(thrown.message().to_owned()),
        None => Ok(evaluated.result.value),
    }
}
