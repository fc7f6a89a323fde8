//! Mouse, keyboard and touch input.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::Serialize;

use super::{EmptyResult, methods};

/// The type of a mouse event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseEventType {
    MousePressed,
    MouseReleased,
    MouseMoved,
    MouseWheel,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseButton {
    #[default]
    None,
    Left,
    Middle,
    Right,
}

/// Moves, presses and releases the mouse, in CSS pixels of the page's viewport. Called on the session of the
/// page: the browser routes it to out-of-process frames.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchMouseEvent {
    #[serde(rename = "type")]
    pub kind: MouseEventType,
    pub x: f64,
    pub y: f64,
    /// Alt 1, Ctrl 2, Meta 4, Shift 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<u8>,
    pub button: MouseButton,
    /// The pressed buttons: left 1, right 2, middle 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buttons: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub click_count: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_x: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_y: Option<f64>,
    /// `mouse` or `pen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer_type: Option<&'static str>,
}

/// The type of a key event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyEventType {
    KeyDown,
    KeyUp,
    RawKeyDown,
    Char,
}

/// Presses and releases a key.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchKeyEvent {
    #[serde(rename = "type")]
    pub kind: KeyEventType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmodified_text: Option<String>,
    /// Such as `Enter` or `a`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Such as `Enter` or `KeyA`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows_virtual_key_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_repeat: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_keypad: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<u8>,
    /// Editing commands for the key, such as `selectAll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<&'static str>>,
}

impl DispatchKeyEvent {
    /// An event of this type with no other fields.
    pub const fn of(kind: KeyEventType) -> Self {
        Self {
            kind,
            modifiers: None,
            text: None,
            unmodified_text: None,
            key: None,
            code: None,
            windows_virtual_key_code: None,
            auto_repeat: None,
            is_keypad: None,
            location: None,
            commands: None,
        }
    }
}

/// Inserts text at the focus, as an input method does.
#[derive(Clone, Debug, Serialize)]
pub struct InsertText {
    pub text: String,
}

/// The type of a touch event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum TouchEventType {
    TouchStart,
    TouchEnd,
    TouchMove,
    TouchCancel,
}

/// A touch point in CSS pixels of the page's viewport.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TouchPoint {
    pub x: f64,
    pub y: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<f64>,
}

/// Sends a touch event.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchTouchEvent {
    #[serde(rename = "type")]
    pub kind: TouchEventType,
    pub touch_points: Vec<TouchPoint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<u8>,
}

/// Scrolls like a finger or a wheel; answers when the page has settled.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SynthesizeScrollGesture {
    pub x: f64,
    pub y: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prevent_fling: Option<bool>,
    /// In CSS pixels per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<i32>,
    /// `touch` or `mouse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gesture_source_type: Option<&'static str>,
}

methods! {
    DispatchMouseEvent = "Input.dispatchMouseEvent" -> EmptyResult;
    DispatchKeyEvent = "Input.dispatchKeyEvent" -> EmptyResult;
    InsertText = "Input.insertText" -> EmptyResult;
    DispatchTouchEvent = "Input.dispatchTouchEvent" -> EmptyResult;
    SynthesizeScrollGesture = "Input.synthesizeScrollGesture" -> EmptyResult;
}
