//! One run of a plan: it takes the device, opens it, runs the plan, observes the screen and answers.

use std::time::Duration;

use async_trait::async_trait;
use contract::{
    DeviceAnswer, Effect, ErrorBody, ErrorCode, Execution, Observe, ParsedExecution,
    ResultEnvelope, Transport, ViaReason, Warning, WarningCode,
};
use driver::Cx;
use tokio_util::sync::CancellationToken;
use uitree::{Refs, UiTree};

use crate::device_lock::DeviceLock;
use crate::devices::{self, DeviceConnection, OpenDevice, Purpose, ResolvedDevice};
use crate::phone::{self, OPEN_WITHIN, SHORTEST_OPENING};
use crate::screen_changes::{self, RunScreens};
use crate::secrets::{self, LearningArtifacts};
use crate::{Event, Service, TransportOptions, TransportUsed, artifacts, log, runtime};

/// What a run saw.
pub(crate) struct RunObservation<'a> {
    pub(crate) envelope: &'a ResultEnvelope,
    /// Its last screen, if it was not run by an app of the phone.
    pub(crate) screen: Option<&'a UiTree>,
    /// The references of the device, if this process gives them.
    pub(crate) refs: Option<&'a Refs>,
}

/// An action on a device after a run with an envelope, while the run still holds the device.
#[async_trait]
pub(crate) trait PostRun: Send {
    /// Does it.
    async fn after_run(&mut self, device: &mut dyn OpenDevice, seen: &RunObservation<'_>, cx: &Cx);
}

/// A plan and the device it runs on.
struct DevicePlan<'a> {
    device: &'a ResolvedDevice,
    execution: &'a Execution,
    transport: &'a TransportOptions,
}

impl DevicePlan<'_> {
    /// Why the device is opened.
    fn purpose(&self) -> Purpose {
        let loads = |effect: &Effect<'_>| matches!(effect, Effect::LoadUri(_));
        match self.execution.actions().first() {
            Some(first) if first.params().facts().effects.iter().any(loads) => Purpose::Load,
            _ => Purpose::Any,
        }
    }
}

impl Service {
    /// Runs an execution on a resolved device.
    pub(crate) async fn run_on(
        &self,
        resolved: &ResolvedDevice,
        requested: Option<&str>,
        parsed: ParsedExecution,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
        then: Option<&mut (dyn PostRun + '_)>,
    ) -> Result<DeviceAnswer, ErrorBody> {
        let ParsedExecution {
            execution,
            mut warnings,
        } = parsed;
        self.options.check_files(&execution)?;
        let device = &*resolved.name;
        warnings.extend_from_slice(&resolved.warnings);
        log::resolved(device, execution.command_id(), requested);
        let plan = DevicePlan {
            device: resolved,
            execution: &execution,
            transport: resolved.transport(&self.options),
        };
        let session = self.session(device);
        let Ok(mut held) = session.device.try_lock() else {
            return Err(conflict(device, &execution, &session.holder()));
        };
        let _holding = session.hold(execution.command_id());
        if session.transport_changed(plan.transport) {
            // It was opened with another transport.
            *held = None;
        }
        let (_lock, opened) = self.lock_and_open(&plan, &mut held, &cancel).await?;
        let mut artifacts = self.artifacts_of(device, &execution);
        // The engine enforces the execution's timeout; the context only has to last longer.
        let cx = Cx::new(
            execution.timeout().to_duration() + Duration::from_secs(60),
            cancel,
        );
        let running = self.perform(&plan, &mut **opened, &mut artifacts, &cx, on_event);
        let (mut report, used) = running.await?;
        let transport = used.as_ref().map(|used| used.transport);
        observe_screen(
            &plan,
            &mut **opened,
            transport,
            &mut report,
            &mut artifacts,
            &cx,
        )
        .await;
        if let Some(transport) = transport {
            log::transport(device, execution.command_id(), transport);
        }
        let via = used.as_ref().map(|used| Via {
            transport: used.transport,
            reason: used.fallback.clone(),
        });
        self.set_transport_used(used);
        warnings.extend(self.save_journal(&**opened));
        warnings.append(&mut report.warnings);
        if let (Some(then), Ok(envelope)) = (then, &report.outcome) {
            let seen = RunObservation {
                envelope,
                screen: report.last.as_deref(),
                refs: artifacts.refs.as_ref(),
            };
            then.after_run(&mut **opened, &seen, &cx).await;
        }
        let succeeded = matches!(&report.outcome, Ok(envelope) if envelope.is_success());
        if opened.is_doubtful() || (!succeeded && opened.outlives_connection()) {
            // Open it again before the next use: its connection may be the cause. The next command reconnects and starts a
            // server that has ended.
            *held = None;
        }
        warnings.extend(devices::release(&mut held, &self.options).await);
        answer(report.outcome, device, via, warnings)
    }

    /// Locks the device against other processes and opens it, unless `held` has it open.
    async fn lock_and_open<'h>(
        &self,
        plan: &DevicePlan<'_>,
        held: &'h mut Option<Box<dyn OpenDevice>>,
        cancel: &CancellationToken,
    ) -> Result<(Option<DeviceLock>, &'h mut Box<dyn OpenDevice>), ErrorBody> {
        // The plan's timeout starts when the device is open, and a short one limits opening, too.
        let timeout = plan.execution.timeout().to_duration().max(SHORTEST_OPENING);
        let cx = Cx::new(OPEN_WITHIN.min(timeout), cancel.clone());
        // No lock is made for a device that does not exist.
        let reached = match held {
            Some(_) => DeviceConnection::default(),
            None => devices::reach(plan.device, &self.options, &cx).await?,
        };
        let device = &*plan.device.name;
        let lock = self.lock(device, plan.execution).await?;
        if let Some(path) = &self.options.sim.journal {
            // Fail before anything is done if the file cannot be written.
            artifacts::write_journal(path, "").map_err(|why| artifacts::no_journal(path, &why))?;
        }
        let opened = match held {
            Some(opened) => opened,
            none => {
                let purpose = plan.purpose();
                let opening =
                    devices::open_reached(plan.device, reached, &self.options, purpose, &cx);
                none.insert(opening.await?)
            }
        };
        if self.options.wake {
            let woken = opened.driver().wake(&cx).await;
            woken.map_err(|error| phone::shell::failed(device, "waking it", &error))?;
        }
        Ok((lock, opened))
    }

    /// Locks the device against other processes; the embedded phone belongs to this process.
    async fn lock(
        &self,
        device: &str,
        execution: &Execution,
    ) -> Result<Option<DeviceLock>, ErrorBody> {
        if devices::kind_of(device).is_embedded() {
            return Ok(None);
        }
        let command_id = execution.command_id();
        let name = devices::kind_of(device).lock_name(device, &self.options);
        let taken = DeviceLock::take(&self.options.adb.locks, &name, device, command_id).await;
        taken
            .map(Some)
            .map_err(|error| error.with_detail("commandId", command_id))
    }

    /// The files, secrets and references of a run.
    fn artifacts_of(&self, device: &str, execution: &Execution) -> LearningArtifacts {
        LearningArtifacts {
            files: artifacts::Folder::new(
                self.options.screenshots.clone(),
                self.options.screenshot_paths.clone(),
                self.options.upload_paths.clone(),
                self.options.replace,
                execution.command_id(),
            ),
            secrets: self.secrets.of(device),
            refs: self.options.gives_refs.then(|| self.refs.of(device)),
        }
    }

    /// Runs the plan, learns secrets from it and logs its steps.
    async fn perform(
        &self,
        plan: &DevicePlan<'_>,
        opened: &mut dyn OpenDevice,
        artifacts: &mut LearningArtifacts,
        cx: &Cx,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<(engine::Report, Option<TransportUsed>), ErrorBody> {
        let (device, execution) = (&*plan.device.name, plan.execution);
        let secrets = artifacts.secrets.clone();
        let mut learn = secrets::watched(&secrets, execution.actions());
        let mut on_event = |event: &Event<'_>| {
            learn(event);
            log::step(device, execution.command_id(), event);
            on_event(event);
        };
        if opened.writes_recordings() && self.options.recordings.is_none() {
            make_recordings(execution)?;
        }
        opened
            .run(execution, plan.transport, artifacts, cx, &mut on_event)
            .await
    }

    /// Writes the journal of the embedded phone, if it is requested.
    fn save_journal(&self, opened: &dyn OpenDevice) -> Option<Warning> {
        let (path, lines) = self.options.sim.journal.as_ref().zip(opened.journal())?;
        // The device was changed, so the outcome is reported in any case.
        let why = artifacts::write_journal(path, &lines).err()?;
        let message = artifacts::no_journal(path, &why).message;
        Some(Warning::new(WarningCode::JournalNotWritten, message))
    }
}

/// Adds the screen or its changes to the result, as the plan requests. The Operator app reports neither screens nor secrets.
async fn observe_screen(
    plan: &DevicePlan<'_>,
    opened: &mut dyn OpenDevice,
    transport: Option<Transport>,
    report: &mut engine::Report,
    artifacts: &mut LearningArtifacts,
    cx: &Cx,
) {
    let Ok(envelope) = &mut report.outcome else {
        return;
    };
    let by_app = transport == Some(Transport::Operator);
    if by_app {
        artifacts.secrets.learn_from(&envelope.step_results);
    }
    let Some(observe) = plan.execution.observe() else {
        return;
    };
    if by_app && observe != Observe::None {
        match screen_changes::read_screen(opened, plan.execution, plan.transport, artifacts, cx)
            .await
        {
            Ok(tree) => report.last = Some(tree),
            Err(warning) => report.warnings.push(warning),
        }
    }
    let screens = RunScreens {
        first: report.first.take(),
        last: report.last.take(),
    };
    screen_changes::add(envelope, observe, &screens, artifacts.refs.as_ref());
}

/// The transport of a run.
struct Via {
    transport: Transport,
    /// Why not the agent, if `auto` could not use it.
    reason: Option<ViaReason>,
}

/// The answer of a run.
fn answer(
    outcome: Result<ResultEnvelope, ErrorBody>,
    device: &str,
    via: Option<Via>,
    warnings: Vec<Warning>,
) -> Result<DeviceAnswer, ErrorBody> {
    let (via, via_reason) = match via {
        Some(via) => (Some(via.transport), via.reason),
        None => (None, None),
    };
    let error = match outcome {
        Ok(envelope) => {
            return Ok(DeviceAnswer {
                via,
                via_reason,
                ..DeviceAnswer::canonical(envelope, device, warnings)
            });
        }
        Err(error) => error,
    };
    let mut error = error.with_detail("deviceId", device);
    if let Some(via) = via {
        error = error.with_detail("via", via.as_str());
    }
    if let Some(reason) = via_reason {
        error = error.with_detail("viaReason", serde_json::json!(reason));
    }
    if !warnings.is_empty() {
        error = error.with_detail("warnings", serde_json::json!(warnings));
    }
    Err(error)
}

/// Makes the folder of recordings if a plan records.
fn make_recordings(execution: &Execution) -> Result<(), ErrorBody> {
    let mut actions = execution.actions().iter();
    let begins = |effect: &Effect<'_>| matches!(effect, Effect::BeginRecording(_));
    if actions.any(|action| action.params().facts().effects.iter().any(begins)) {
        runtime::make_recordings()?;
    }
    Ok(())
}

/// The error of a second run on a device.
pub(crate) fn conflict(device: &str, refused: &Execution, holder: &str) -> ErrorBody {
    let message = format!("{device} is running {holder}");
    ErrorBody::new(ErrorCode::ExecutionConflictInFlight, message)
        .with_default_hint()
        .with_detail("deviceId", device)
        .with_detail("commandId", refused.command_id())
        .with_detail("holderCommandId", holder)
}
