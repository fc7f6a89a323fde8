//! The bare protocol: the cost of a click without waiting or checks.

use std::time::Instant;

use cdp::protocol::runtime::Evaluate;
use cdp::{ObjectId, Session};
use serde_json::{Value, json};

use crate::numbers::ms;

/// The cost of a click in the protocol: scroll if needed, get the box, move the mouse, press and release.
/// Nothing is checked, and the move is not awaited, which would cost a frame.
pub async fn click(session: &Session, node: i64) -> Result<f64, String> {
    let started = Instant::now();
    press(session, &json!({ "backendNodeId": node }), Wait::Pressed).await?;
    Ok(ms(started.elapsed()))
}

/// Like [`click`], but waits for each answer before the next call, as programs without pipelining do.
pub async fn click_in_turn(session: &Session, node: i64) -> Result<f64, String> {
    let started = Instant::now();
    press(session, &json!({ "backendNodeId": node }), Wait::Each).await?;
    Ok(ms(started.elapsed()))
}

/// Like [`click`], for the match of `selector`, which is looked up first.
pub async fn find_and_click(session: &Session, selector: &str) -> Result<f64, String> {
    let started = Instant::now();
    let object = object(session, selector).await?;
    press(session, &json!({ "objectId": object }), Wait::Pressed).await?;
    Ok(ms(started.elapsed()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// Those of the box and the press.
    Pressed,
    /// Every answer, before the next call.
    Each,
}

async fn press(session: &Session, element: &Value, wait: Wait) -> Result<(), String> {
    let event = |kind: &str, at: &Value| {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let clicks = i32::from(button == "left");
        let (x, y) = (&at[0], &at[1]);
        json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": clicks })
    };
    let scrolled = session.call_raw("DOM.scrollIntoViewIfNeeded", element);
    let quads = if wait == Wait::Each {
        scrolled.await.map_err(words)?;
        session.call_raw("DOM.getContentQuads", element).await
    } else {
        let quads = session.call_raw("DOM.getContentQuads", element);
        scrolled.await.map_err(words)?;
        quads.await
    };
    let quads = quads.map_err(words)?;
    let corner = |place: usize| quads["quads"][0][place].as_f64();
    let middle = |one: usize, other: usize| Some(f64::midpoint(corner(one)?, corner(other)?));
    let (Some(x), Some(y)) = (middle(0, 4), middle(1, 5)) else {
        return Err("the element has no box".to_owned());
    };
    let at = json!([x, y]);
    let kinds = ["mouseMoved", "mousePressed", "mouseReleased"];
    let mut calls = kinds.map(|kind| event(kind, &at)).into_iter();
    if wait == Wait::Each {
        for event in calls {
            let done = session.call_raw("Input.dispatchMouseEvent", &event).await;
            done.map_err(words)?;
        }
        return Ok(());
    }
    if let Some(moved) = calls.next() {
        drop(session.call_raw("Input.dispatchMouseEvent", &moved));
    }
    let pressed: Vec<_> = calls
        .map(|event| session.call_raw("Input.dispatchMouseEvent", &event))
        .collect();
    for done in pressed {
        done.await.map_err(words)?;
    }
    Ok(())
}

/// The backend node id of the match of `selector`.
pub async fn node(session: &Session, selector: &str) -> Result<i64, String> {
    let object = object(session, selector).await?;
    let described = session.call_raw("DOM.describeNode", &json!({ "objectId": object }));
    let described = described.await.map_err(words)?;
    let node = described["node"]["backendNodeId"].as_i64();
    node.ok_or_else(|| format!("{selector} is no element"))
}

/// The match of `selector`, as an object.
async fn object(session: &Session, selector: &str) -> Result<ObjectId, String> {
    let evaluate = Evaluate {
        expression: format!("document.querySelector({})", Value::from(selector)),
        ..Evaluate::default()
    };
    let found = session.call(&evaluate).await.map_err(words)?;
    let object = found.result.object_id;
    object.ok_or_else(|| format!("{selector} hits nothing"))
}

/// The text of the match of `selector`.
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
    let evaluated = evaluated.map_err(words)?;
    match &evaluated.exception_details {
        Some(thrown) => Err(thrown.message().to_owned()),
        None => Ok(evaluated.result.value),
    }
}

fn words(error: cdp::Error) -> String {
    error.to_string()
}
