//! Android phones over adb. [`AgentDriver`] drives a phone through the agent that it starts there,
//! [`StockDriver`] with its stock tools; [`Operator`] sends whole plans to the Operator app.

mod agent;
pub mod manage;
mod names;
mod operator;
mod phone;
mod profile;
mod record;
mod recorder;
mod screen;
mod shell;
mod stock;

pub use agent::{
    AgentBinary, AgentDriver, AgentSource, AgentUnavailable, AttachTarget, OLDEST_AGENT_SDK,
};
pub use agent_protocol::{APP_PACKAGE, AgentForm, hex};
pub use names::{NameError, check_component, check_package};
pub use operator::{
    DispatchEnd, DispatchResult, InstalledOperator, Operator, OperatorAnswer, OperatorState,
    PayloadTooLong, Presence, Probe, SERVICE, SUPPORTED, Snapshot, Switch, Version, operator_state,
    probe, sibling_package,
};
pub use phone::ui_automation::{IDLE_SECONDS, QuitOutcome, quit_if_running};
pub use profile::Profile;
pub use record::{
    EVENT_RECORDER, EventCounts, Limit, Limits, RecordError, RecordingEvent, RecordingResult,
    Session, TouchSupport, Write, record,
};
pub use recorder::Recorder;
pub use screen::{Lock, ScreenState, wake};
pub use shell::Shell;
pub use stock::StockDriver;
