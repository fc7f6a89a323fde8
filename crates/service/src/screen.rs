//! The screen as text for a reader who pays for every word, beside the answer of a run that took snapshots.

use async_trait::async_trait;
use contract::{ActionKind, DeviceAnswer, ErrorBody, Parsed, ResultEnvelope};
use driver::Cx;
use tokio_util::sync::CancellationToken;
use uitree::UiTree;

use crate::backends::{Backend, Meant};
use crate::{Afterwards, Event, Service};

/// Keeps what the last snapshot showed, before the device is let go of.
#[derive(Default)]
struct Reading(Option<String>);

#[async_trait]
impl Afterwards for Reading {
    async fn look(&mut self, backend: &mut Backend, envelope: &ResultEnvelope, _: &Cx) {
        let steps = envelope.step_results.iter().rev();
        let mut shots =
            steps.filter(|step| step.success && step.action_type == ActionKind::SnapshotUi);
        let Some(shot) = shots.next() else {
            return;
        };
        self.0 = match backend {
            // A page knows more of itself than its hierarchy tells: roles, for one.
            Backend::Chrome(tab) => {
                let eye = tab.eye().ok();
                let last = eye.and_then(|eye| eye.last().cloned());
                last.map(|seen| seen.observation.tree.to_compact())
            }
            Backend::Sim(_) | Backend::Android(_) => shot
                .data
                .get("text")
                .and_then(|hierarchy| UiTree::parse_hierarchy_xml(hierarchy.as_bytes(), None).ok())
                .map(|tree| tree.to_compact()),
        };
    }
}

impl Service {
    /// Runs a plan on a device that is known; gives its answer, and what the last of its snapshots showed in the compact
    /// notation.
    ///
    /// # Errors
    /// Those of [`execute`](Self::execute).
    pub(crate) async fn read_on(
        &self,
        meant: &Meant,
        named: Option<&str>,
        parsed: Parsed,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<(DeviceAnswer, Option<String>), ErrorBody> {
        let mut reading = Reading::default();
        let answer = self
            .run_on(meant, named, parsed, cancel, on_event, Some(&mut reading))
            .await?;
        Ok((answer, reading.0))
    }
}
