//! The report of the trial, for a bug report: no text of the screen, no serial number.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

/// The outcome of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialStatus {
    /// It works.
    Pass,
    /// It does not work.
    Fail,
    /// It was not tried; the summary says why.
    NotTried,
}

/// Something that was tried with one form of the agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialRow {
    /// Its stable name.
    pub id: &'static str,
    /// `agent` or `app`.
    pub via: &'static str,
    /// Its outcome.
    pub status: TrialStatus,
    /// One sentence.
    pub summary: String,
    /// The data behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Value>,
}

impl TrialRow {
    pub(super) fn new(id: &'static str, via: &'static str, verdict: Verdict) -> Self {
        debug_assert!(
            TRIALS.iter().any(|row| row.id == id),
            "{id} is not in the table of trials"
        );
        Self {
            id,
            via,
            status: verdict.status,
            summary: verdict.summary,
            evidence: verdict.evidence,
        }
    }
}

/// The phone that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialDevice {
    pub model: String,
    /// Such as `14`.
    pub android_version: String,
    /// The API level.
    pub sdk: u32,
    /// The fingerprint of its build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// In pixels, unrotated.
    pub screen: String,
    /// In dpi.
    pub density: u32,
}

/// The report of the trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialReport {
    pub device: TrialDevice,
    /// The SHA-256 of the agent's dex in this program.
    pub program: String,
    /// How long the trial took.
    pub elapsed_ms: f64,
    /// The rows of the agent, then those of the app.
    pub rows: Vec<TrialRow>,
}

/// What was found.
pub(super) struct Verdict {
    status: TrialStatus,
    summary: String,
    evidence: Option<Value>,
}

impl Verdict {
    pub(super) fn pass(summary: impl Into<String>) -> Self {
        Self {
            status: TrialStatus::Pass,
            summary: summary.into(),
            evidence: None,
        }
    }

    pub(super) fn fail(summary: impl Into<String>) -> Self {
        Self {
            status: TrialStatus::Fail,
            ..Self::pass(summary)
        }
    }

    pub(super) fn not_tried(why: impl Into<String>) -> Self {
        Self {
            status: TrialStatus::NotTried,
            ..Self::pass(why)
        }
    }

    /// Passes unless there is a problem.
    pub(super) fn unless(problem: Option<impl Into<String>>, passed: impl Into<String>) -> Self {
        match problem {
            Some(problem) => Self::fail(problem),
            None => Self::pass(passed),
        }
    }

    pub(super) fn with(mut self, evidence: Value) -> Self {
        self.evidence = Some(evidence);
        self
    }
}

/// Milliseconds with one decimal.
pub(super) fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// The median; zero without a time.
pub(super) fn median(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    millis(times.get(times.len() / 2).copied().unwrap_or_default())
}

/// A row of the table of trials.
#[derive(Clone, Copy, Debug)]
pub struct TrialTableRow {
    /// Its stable name.
    pub id: &'static str,
    /// What it tries, in one sentence without a full stop.
    pub tries: &'static str,
}

/// Every trial, in order.
pub const TRIALS: &[TrialTableRow] = &[
    TrialTableRow {
        id: "trial.start",
        tries: "The agent starts anew, and a second connection attaches to it; the app's service answers",
    },
    TrialTableRow {
        id: "trial.webview",
        tries: "The nodes of the WebView that was on the screen; not tried without one",
    },
    TrialTableRow {
        id: "trial.windows",
        tries: "The settings are opened, and every window that the system lists is read: types, layers, bounds",
    },
    TrialTableRow {
        id: "trial.screenshot",
        tries: "A PNG image in full size, and a smaller JPEG image",
    },
    TrialTableRow {
        id: "trial.tap",
        tries: "A tap opens the search of the settings, or puts the focus into its field",
    },
    TrialTableRow {
        id: "trial.keyboard",
        tries: "The window of the keyboard is seen, and does not cover the field",
    },
    TrialTableRow {
        id: "trial.text",
        tries: "Text of ten scripts is set in the search field and read back; the field is emptied",
    },
    TrialTableRow {
        id: "trial.cache",
        tries: "No observation showed an earlier screen",
    },
    TrialTableRow {
        id: "trial.times",
        tries: "Medians of a changed and an unchanged observation, a tap and a screenshot",
    },
    TrialTableRow {
        id: "trial.events",
        tries: "A change is reported after a key of `adb shell input`, and when",
    },
    TrialTableRow {
        id: "trial.rotation",
        tries: "The screen turns to landscape and back; not tried if it is locked in landscape",
    },
    TrialTableRow {
        id: "trial.keys",
        tries: "Back leaves the search, Home leaves the settings",
    },
    TrialTableRow {
        id: "trial.clipboard",
        tries: "A text is put into the clipboard and read; not tried if the clipboard has no text that could be restored",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_time_in_the_middle() {
        let times = [5, 900, 7].map(Duration::from_millis);
        assert_eq!(median(&times), 7.0);
        assert_eq!(median(&[Duration::from_micros(1_240)]), 1.2);
        assert_eq!(median(&[]), 0.0);
    }

    /// The page of the agent says which row tries what cannot be proven without a phone.
    #[test]
    fn page_of_the_agent_names_every_row() {
        let page = include_str!("../../../../../../agent/README.md");
        for row in TRIALS {
            assert!(page.contains(&format!("`{}`", row.id)), "{}", row.id);
        }
        for word in page.split('`').filter(|word| word.starts_with("trial.")) {
            assert!(TRIALS.iter().any(|row| row.id == word), "{word}");
        }
    }
}
