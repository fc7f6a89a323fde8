//! What a recording is made from.

use driver_android::{AgentForm, EVENT_RECORDER, POLLING_RECORDER};
use serde::{Deserialize, Serialize};

/// What a recorder records by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordBy {
    /// The phone's own tools.
    #[default]
    Stock,
    /// What the agent reports.
    Agent,
    /// What the agent's app reports.
    App,
}

impl From<AgentForm> for RecordBy {
    fn from(form: AgentForm) -> Self {
        match form {
            AgentForm::Agent => Self::Agent,
            AgentForm::App => Self::App,
        }
    }
}

impl RecordBy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Stock, Self::Agent, Self::App];

    /// Its name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Agent => "agent",
            Self::App => "app",
        }
    }

    /// The name of the recorder in session files.
    pub(crate) const fn recorder(self) -> &'static str {
        match self {
            Self::Stock => POLLING_RECORDER,
            Self::Agent | Self::App => EVENT_RECORDER,
        }
    }
}
