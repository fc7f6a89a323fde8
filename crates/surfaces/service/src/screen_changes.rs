//! What a run changed on the screen, for answers and for clients that know an earlier screen.

use std::sync::Arc;

use contract::{ActionKind, ErrorBody, Execution, Observe, ResultEnvelope, Warning, WarningCode};
use driver::Cx;
use engine::ObservedScreen;
use uitree::{Refs, UiTree};

use crate::devices::OpenDevice;
use crate::secrets::LearningArtifacts;
use crate::{TransportOptions, plans};

pub(crate) struct RunScreens {
    /// Before the first step.
    pub(crate) first: Option<Arc<UiTree>>,
    /// After the last step.
    pub(crate) last: Option<Arc<UiTree>>,
}

/// Adds the screen or its changes, as the plan requests.
pub(crate) fn add(
    envelope: &mut ResultEnvelope,
    observe: Observe,
    screens: &RunScreens,
    refs: Option<&Refs>,
) {
    let Some(last) = &screens.last else {
        return;
    };
    let before = match observe {
        Observe::None => return,
        Observe::Diff => screens.first.as_deref(),
        Observe::Screen => None,
    };
    match ObservedScreen::since(before, last, refs) {
        ObservedScreen::Changes(changes) => envelope.changes = Some(changes),
        ObservedScreen::Screen(screen) => envelope.screen = Some(screen),
    }
}

/// Reads the screen with a snapshot, on a device whose runs report no screens.
///
/// # Errors
/// A warning that says why it could not be read.
pub(crate) async fn read_screen(
    opened: &mut dyn OpenDevice,
    execution: &Execution,
    transport: &TransportOptions,
    artifacts: &mut LearningArtifacts,
    cx: &Cx,
) -> Result<Arc<UiTree>, Warning> {
    let failed = |why: &str| {
        let message = format!("the screen after the last step was not observed: {why}");
        Warning::new(WarningCode::ScreenNotObserved, message)
    };
    let id = execution.command_id();
    let parsed = plans::named(id, execution.source(), ActionKind::SnapshotUi, None, None);
    let parsed = parsed.map_err(|error: ErrorBody| failed(&error.message))?;
    let mut quiet = |_: &engine::Event<'_>| {};
    let run = opened.run(&parsed.execution, transport, artifacts, cx, &mut quiet);
    let (report, _) = run.await.map_err(|error| failed(&error.message))?;
    let envelope = report.outcome.map_err(|error| failed(&error.message))?;
    let step = envelope.step_results.first();
    let Some(hierarchy) = step
        .filter(|step| step.success)
        .and_then(|step| step.data.get("text"))
    else {
        return Err(failed(
            envelope.error.as_deref().unwrap_or("the snapshot failed"),
        ));
    };
    let tree = UiTree::parse_hierarchy_xml(hierarchy.as_bytes(), None);
    tree.map(Arc::new)
        .map_err(|error| failed(&error.to_string()))
}
