//! A driver that records every call to the simulated phone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use driver::{
    ActOutcome, Cx, DeviceInfo, Driver, Foreground, Gesture, Image, Key, NodeAct, NodeRef,
    Observation, OpenOutcome, Orientation, Recording, Result, Revision, Target,
};
use driver_sim::{Phone, SimDriver, WidgetIdentity};
use tokio::time::Instant;
use uitree::{Mark as ScreenMark, Refs, ScreenRefs, UiTree};

use crate::refs::KnownRefs;
use crate::run::{Call, DriverReply, DriverRequest, Mark};

#[derive(Debug, Default)]
struct Records {
    calls: Vec<Call>,
    marks: Vec<Mark>,
    step: Option<usize>,
    /// The references in the plan.
    plan_refs: Vec<String>,
    last_ref: u32,
    refs: KnownRefs,
    /// The last screen of the step, with its widgets.
    screen: Option<(Arc<UiTree>, Vec<WidgetIdentity>)>,
    /// References that were given for two widgets.
    moved_refs: Vec<String>,
}

impl Records {
    /// Learns the references that a step gave, if it gave any.
    fn learn_refs(&mut self, event: &engine::Event<'_>) {
        let (engine::Event::StepEnded { result, .. }, Some((tree, widgets))) =
            (event, &self.screen)
        else {
            return;
        };
        let shows_text = result
            .data
            .get("actual_format")
            .is_some_and(|format| format != "hierarchy_xml");
        if shows_text || self.refs.last() > self.last_ref {
            let (refs, moved) = self.refs.learn(tree, widgets);
            if let Some(mark) = self.marks.last_mut() {
                mark.refs = refs;
            }
            self.moved_refs.extend(moved);
            self.last_ref = self.refs.last();
        }
    }
}

/// Records of the current run, shared by the driver and the event callback.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    records: Arc<Mutex<Records>>,
    epoch: Instant,
}

impl Recorder {
    /// Starts the records of a plan with these references.
    pub(crate) fn start_run(driver: &mut RecordingDriver, plan_refs: Vec<String>) -> Self {
        let refs = std::mem::take(&mut driver.log.records().refs);
        let records = Records {
            plan_refs,
            last_ref: refs.last(),
            refs,
            ..Records::default()
        };
        driver.log = Self {
            records: Arc::new(Mutex::new(records)),
            epoch: driver.log.epoch,
        };
        driver.log.clone()
    }

    /// The table of references.
    pub(crate) fn ref_table(&self) -> Refs {
        self.records().refs.table.clone()
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        // A panic is reported elsewhere; the records are consistent at every lock.
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// Records the start or end of a step.
    pub(crate) fn record_event(&self, event: &engine::Event<'_>) {
        let now = self.now();
        let mut records = self.records();
        match event {
            engine::Event::StepStarted { index, .. } => {
                records.step = Some(*index);
                records.screen = None;
                records.marks.push(Mark {
                    index: *index,
                    started: now,
                    ended: None,
                    refs: ScreenRefs::default(),
                });
            }
            engine::Event::StepEnded { .. } => {
                records.learn_refs(event);
                records.step = None;
                if let Some(record_event) = records.marks.last_mut() {
                    record_event.ended = Some(now);
                }
            }
        }
    }

    /// Returns the calls, the marks and the references of two widgets. The journal range of a dropped call ends at the next call.
    pub(crate) fn finish_run(self, journal: usize) -> (Vec<Call>, Vec<Mark>, Vec<String>) {
        let mut records = self.records();
        let mut calls = std::mem::take(&mut records.calls);
        let mut after = journal;
        for call in calls.iter_mut().rev() {
            if call.reply.is_none() {
                call.journal.end = after;
            }
            after = call.journal.start;
        }
        let moved_refs = std::mem::take(&mut records.moved_refs);
        (calls, std::mem::take(&mut records.marks), moved_refs)
    }
}

/// A call in progress. Sets its end time when its future is dropped.
struct PendingCall {
    log: Recorder,
    index: usize,
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        let now = self.log.now();
        if let Some(call) = self.log.records().calls.get_mut(self.index)
            && call.reply.is_none()
        {
            call.ended = now;
        }
    }
}

/// A [`SimDriver`] whose calls are recorded.
#[derive(Debug)]
pub(crate) struct RecordingDriver {
    inner: SimDriver,
    log: Recorder,
}

impl RecordingDriver {
    pub(crate) fn new(inner: SimDriver, epoch: Instant) -> Self {
        Self {
            inner,
            log: Recorder {
                records: Arc::default(),
                epoch,
            },
        }
    }

    /// What `read` gives for the known references.
    pub(crate) fn with_refs<T>(&self, read: impl FnOnce(&KnownRefs) -> T) -> T {
        read(&self.log.records().refs)
    }

    pub(crate) const fn phone(&mut self) -> &mut Phone {
        self.inner.phone_mut()
    }

    /// Advances the phone's clock to the runtime's.
    pub(crate) fn catch_up(&mut self, now: Instant) {
        let to = now.saturating_duration_since(self.log.epoch);
        self.inner.phone_mut().advance_to(to);
    }

    fn start_call(&self, request: DriverRequest) -> PendingCall {
        let before = self.inner.phone().journal().len();
        let frozen = self.inner.phone().faults().is_frozen();
        let on_system_bar = match request {
            DriverRequest::Touch(Gesture::Tap { at } | Gesture::LongPress { at }) => {
                self.inner.phone().is_under_bar(at)
            }
            _ => false,
        };
        let now = self.log.now();
        let mut records = self.log.records();
        let step = records.step;
        records.calls.push(Call {
            step,
            started: now,
            ended: now,
            journal: before..before,
            request,
            reply: None,
            frozen,
            on_system_bar,
            foreground: None,
            screen_after: None,
        });
        PendingCall {
            log: self.log.clone(),
            index: records.calls.len() - 1,
        }
    }

    fn finish_call<T>(
        &self,
        pending: &PendingCall,
        result: Result<T>,
        reply: impl FnOnce(&T) -> DriverReply,
    ) -> Result<T> {
        let phone = self.inner.phone();
        let now = self.log.now();
        let reply = match &result {
            Ok(value) => reply(value),
            Err(error) => DriverReply::Failed(error.clone()),
        };
        if let Some(call) = self.log.records().calls.get_mut(pending.index) {
            call.reply = Some(reply);
            call.journal.end = phone.journal().len();
            call.ended = now;
            call.frozen |= phone.faults().is_frozen();
            call.foreground = phone.foreground();
        }
        result
    }

    /// Marks the widgets of the plan's references for the judge.
    fn mark_widgets(&self, mut observation: Observation) -> Observation {
        let mut widgets = self.inner.phone().widget_identities(observation.revision);
        let mut records = self.log.records();
        records.refs.complete(&mut widgets);
        let tree = &observation.tree;
        let marks = records.refs.marks(&records.plan_refs, tree, &widgets);
        let marks: Vec<ScreenMark> = marks.collect();
        records.screen = Some((Arc::clone(tree), widgets));
        if !marks.is_empty() {
            let marked = UiTree::clone(tree).with_marks(marks);
            observation.tree = Arc::new(marked);
        }
        observation
    }

    fn finish_recording(
        &self,
        pending: &PendingCall,
        result: Result<Recording>,
    ) -> Result<Recording> {
        self.finish_call(pending, result, |recording| {
            DriverReply::Recording(recording.clone())
        })
    }
}

/// Makes a call and records it; its value is not judged.
macro_rules! record {
    ($driver:ident, $request:expr, $method:ident($($argument:expr),*)) => {{
        let pending = $driver.start_call($request);
        let result = $driver.inner.$method($($argument),*).await;
        $driver.finish_call(&pending, result, |_| DriverReply::Done)
    }};
}

#[async_trait]
impl Driver for RecordingDriver {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        let pending = self.start_call(DriverRequest::Observe);
        let result = self.inner.observe(cx).await;
        self.finish_call(&pending, result, |observation| {
            DriverReply::Observed(Arc::new(self.mark_widgets(observation.clone())))
        })
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        let pending = self.start_call(DriverRequest::Screenshot);
        let result = self.inner.screenshot(cx).await;
        let drawn = result
            .is_ok()
            .then(|| self.inner.phone_mut().draw().to_png());
        self.finish_call(&pending, result, |image| DriverReply::Screenshot {
            matches_screen: drawn.as_ref() == Some(&image.bytes),
            png: Arc::new(image.bytes.clone()),
        })
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        let pending = self.start_call(DriverRequest::Act(node, act.clone()));
        let result = self.inner.act(cx, node, act).await;
        let records_screen = match act {
            NodeAct::Focus | NodeAct::SetText(_) | NodeAct::AppendText(_) => result.is_ok(),
            NodeAct::Click | NodeAct::LongClick | NodeAct::Submit => false,
        };
        if records_screen {
            let screen = self.inner.phone_mut().peek().map(Arc::new);
            if let Some(call) = self.log.records().calls.get_mut(pending.index) {
                call.screen_after = screen;
            }
        }
        self.finish_call(&pending, result, |_| DriverReply::Done)
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        record!(self, DriverRequest::Touch(*gesture), touch(cx, gesture))
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        record!(self, DriverRequest::Key(key), key(cx, key))
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
        record!(self, DriverRequest::Open(target.clone()), open(cx, target))
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        record!(self, DriverRequest::Close(app.to_owned()), close(cx, app))
    }

    async fn clipboard(&mut self, cx: &Cx) -> Result<String> {
        record!(self, DriverRequest::Clipboard, clipboard(cx))
    }

    async fn set_clipboard(&mut self, cx: &Cx, text: &str) -> Result<()> {
        let request = DriverRequest::SetClipboard(text.to_owned());
        record!(self, request, set_clipboard(cx, text))
    }

    async fn set_orientation(&mut self, cx: &Cx, orientation: Orientation) -> Result<()> {
        let request = DriverRequest::SetOrientation(orientation);
        record!(self, request, set_orientation(cx, orientation))
    }

    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        record!(self, DriverRequest::Foreground, foreground(cx))
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        record!(self, DriverRequest::Changed, changed(cx, since))
    }

    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let request = DriverRequest::StartRecording(session.map(ToOwned::to_owned));
        let pending = self.start_call(request);
        let result = self.inner.start_recording(cx, session).await;
        self.finish_recording(&pending, result)
    }

    async fn stop_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let request = DriverRequest::StopRecording(session.map(ToOwned::to_owned));
        let pending = self.start_call(request);
        let result = self.inner.stop_recording(cx, session).await;
        self.finish_recording(&pending, result)
    }
}
