//! User input: aims at elements, and sends events through the browser.

mod dispatcher;
mod element;
mod error_mapping;
mod form_submission;
mod keys;
mod mouse_events;
mod options;
mod script_call;
mod upload;

pub(crate) use dispatcher::CssPoint;
pub(crate) use element::{ClickOutcome, ElementTarget, EntryMode, PressLength};
pub(crate) use error_mapping::{act_error, not_sent, tab_error};
pub(crate) use keys::{KeyEffect, chord_events, key_effect};
pub(crate) use mouse_events::MouseEnd;
pub(crate) use script_call::{
    Element, Interruption, PageInput, Realm, Worlds, blocked_by_dialog, interruption,
    page_is_loading, slow_load,
};

#[cfg(test)]
mod browser_tests;
