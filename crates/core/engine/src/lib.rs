//! Runs a validated execution on a driver, step by step.
//!
//! Connects the contract and a device. It knows no concrete driver and does no IO of its own.
#![warn(missing_docs)]

mod actions;
mod ambiguous_match;
mod answer_interrupts;
mod backoff;
mod changes;
mod click;
mod click_target;
mod close_control;
mod conditions;
mod context;
mod cover;
mod describe;
mod device_session;
mod effect;
mod event;
mod failure;
mod find_with_retries;
mod fnv;
mod formatted_text;
mod interrupts;
mod jitter;
mod labeled_value;
mod matcher_to_query;
mod near_miss;
mod node_rest;
mod observe;
mod observed_screen;
mod picture;
pub mod plan_from_recording;
mod progress;
mod report;
mod requirements;
mod resolve_refs;
mod run;
mod screen_history;
mod screen_lookup;
mod scroll;
mod settle;
mod side_effects;
mod skip;
mod slider;
mod text;
mod typed_text;
mod validators;

pub use actions::push_screen;
pub use actions::take_screenshot::image_request;
pub use context::Artifacts;
pub use cover::covering;
pub use event::Event;
pub use matcher_to_query::matches_without_css;
pub use observed_screen::ObservedScreen;
pub use picture::convert as convert_picture;
pub use report::Report;
pub use requirements::{refuse_for_platform, refuse_unsupported};
pub use run::run;
