//! What the files of the actions import.

pub(super) use schemars::JsonSchema;
pub(super) use serde::Serialize;

pub(super) use super::ActionParams;
pub(super) use super::facts::{
    APP_NAMES, DeviceKind, Effect, KindFacts, Performer, Requirement, ReturnedData, StepFacts,
    click_type_gap, click_type_requirement, clipboard_of_phones, container_gap, no_such_action,
};
pub(super) use crate::chord::KeyPress;
pub(super) use crate::coordinate::Coordinate;
pub(super) use crate::limits;
pub(super) use crate::matcher::NodeMatcher;
pub(super) use crate::number::{Millis, Ratio, format_number};
pub(super) use crate::params::ParamReader;
pub(super) use crate::payload_keys::ParamKey;
pub(super) use crate::place::Place;
pub(super) use crate::read::FieldValue;
pub(super) use crate::retry::{Retry, RetryParams};
pub(super) use crate::step_data::StepData;
pub(super) use crate::tab_selector::TabSelector;
pub(super) use crate::words::{ClickType, Direction, Key, Orientation, ScreenView, words};
