//! Inspecting the screen of a device: a run with a snapshot, and the inspection after it.

use std::borrow::Cow;

use async_trait::async_trait;
use contract::{ErrorBody, ErrorCode, Inspection, ParsedExecution, ResultEnvelope};
use driver::Cx;
use tokio_util::sync::CancellationToken;
use uitree::UiTree;

use crate::devices::{self, OpenDevice, ResolvedDevice};
use crate::inspect::{InspectOutput, SubjectCache, Target, TargetRef};
use crate::plan_run::{PostRun, RunObservation};
use crate::{Event, Service};

/// Inspects the screen after the run, before the device is released.
struct InspectAfterRun<'a> {
    target: TargetRef<'a>,
    subjects: &'a SubjectCache,
    result: Option<Result<Inspection, ErrorBody>>,
}

#[async_trait]
impl PostRun for InspectAfterRun<'_> {
    async fn after_run(&mut self, device: &mut dyn OpenDevice, seen: &RunObservation<'_>, cx: &Cx) {
        let result = match device.page() {
            Some(page) => {
                let on_page = self.target.on_page(page, seen.refs, self.subjects, cx);
                on_page.await
            }
            None => match screen(seen) {
                Ok(screen) => self.target.on_screen(screen, seen.refs).await,
                Err(error) => Err(error),
            },
        };
        self.result = Some(result);
    }
}

/// The screen of a run with a snapshot.
///
/// # Errors
/// Reading the screen failed, or the document of an app is malformed.
fn screen<'a>(seen: &RunObservation<'a>) -> Result<Cow<'a, UiTree>, ErrorBody> {
    let document = hierarchy(seen.envelope)?;
    if let Some(screen) = seen.screen {
        return Ok(Cow::Borrowed(screen));
    }
    let tree = UiTree::parse_hierarchy_xml(document.as_bytes(), None).map_err(|error| {
        let message = format!("the screen cannot be read: {error}");
        ErrorBody::new(ErrorCode::SnapshotExtractionFailed, message).with_default_hint()
    })?;
    Ok(Cow::Owned(tree))
}

/// The document of a snapshot.
fn hierarchy(envelope: &ResultEnvelope) -> Result<&str, ErrorBody> {
    let step = envelope.step_results.first();
    match step {
        Some(step) if step.success => Ok(step.data.get("text").unwrap_or_default()),
        step => {
            let code = envelope.error_code.as_deref().and_then(ErrorCode::parse);
            let text = step.and_then(|step| step.data.get("message"));
            let message = text
                .or(envelope.error.as_deref())
                .unwrap_or("the screen could not be read");
            let code = code.unwrap_or(ErrorCode::SnapshotExtractionFailed);
            Err(ErrorBody::new(code, message).with_default_hint())
        }
    }
}

impl Service {
    /// Finds the element of a description, or names a known element, on the screen that `snapshot_plan`, an execution with one
    /// `snapshot_ui`, reads. On a page, the daemon does so if there is one.
    ///
    /// # Errors
    /// Those of [`execute`](Self::execute); `REFERENCE_NOT_FOUND`, `STABLE_SELECTOR_NOT_FOUND`. No match or several are an
    /// answer that is not [good](InspectOutput::good).
    pub async fn find(
        &self,
        device: Option<&str>,
        snapshot_plan: ParsedExecution,
        target: &Target,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<InspectOutput, ErrorBody> {
        let options = &self.options;
        let kind = devices::kind_for(device, options);
        let delegated =
            kind.delegate_find(device, options, &snapshot_plan, target, &cancel, on_event);
        if let Some(found) = delegated.await {
            return found;
        }
        let target = match target {
            Target::Described(description) => TargetRef::Described(description),
            Target::Known(known, naming) => TargetRef::Known(known, *naming),
        };
        let resolved = devices::resolve(device, options).await?;
        let inspected = self.inspect_on(&resolved, device, snapshot_plan, target, cancel, on_event);
        InspectOutput::new(&inspected.await?)
    }

    /// Inspects a resolved device.
    pub(crate) async fn inspect_on(
        &self,
        resolved: &ResolvedDevice,
        named: Option<&str>,
        snapshot_plan: ParsedExecution,
        target: TargetRef<'_>,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<Inspection, ErrorBody> {
        let mut after_run = InspectAfterRun {
            target,
            subjects: &self.subjects,
            result: None,
        };
        let answer = self
            .run_on(
                resolved,
                named,
                snapshot_plan,
                cancel,
                on_event,
                Some(&mut after_run),
            )
            .await?;
        let device = answer.device_id;
        match after_run.result {
            Some(Ok(mut inspection)) => {
                inspection.device_id = device;
                inspection.via = answer.via;
                inspection.via_reason = answer.via_reason;
                inspection.warnings = answer.warnings;
                Ok(inspection)
            }
            Some(Err(error)) => Err(error.with_detail("deviceId", device)),
            None => Err(hierarchy(&answer.envelope)
                .err()
                .unwrap_or_else(|| {
                    ErrorBody::new(ErrorCode::InternalError, "the screen was not inspected")
                })
                .with_detail("deviceId", device)),
        }
    }
}
