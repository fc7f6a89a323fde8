//! A driver that stands between the engine and the phone and writes down every call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use driver::{
    Cx, DeviceInfo, Driver, Foreground, Gesture, Image, Key, NodeAct, NodeRef, Observation,
    Recording, Result, Revision, Target,
};
use driver_sim::{Phone, SimDriver};
use tokio::time::Instant;

use super::trial::{Call, DriverReply, DriverRequest, Mark};

/// What is written down of one run.
#[derive(Debug, Default)]
struct Notes {
    calls: Vec<Call>,
    marks: Vec<Mark>,
    step: Option<usize>,
}

/// The notes of the run that goes on, shared by the driver and those who hear of its steps.
#[derive(Clone, Debug)]
pub(super) struct Log {
    notes: Arc<Mutex<Notes>>,
    epoch: Instant,
}

impl Log {
    /// Begins new notes.
    pub(super) fn begin(driver: &mut Witness) -> Self {
        driver.log = Self {
            notes: Arc::default(),
            epoch: driver.log.epoch,
        };
        driver.log.clone()
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // A panic of the phone is found elsewhere; the notes are whole at every moment.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// A step begins or ends.
    pub(super) fn mark(&self, event: &engine::Event<'_>) {
        let now = self.now();
        let mut notes = self.notes();
        match event {
            engine::Event::StepStarted { index, .. } => {
                notes.step = Some(*index);
                notes.marks.push(Mark {
                    index: *index,
                    began: now,
                    ended: None,
                });
            }
            engine::Event::StepEnded { .. } => {
                notes.step = None;
                if let Some(mark) = notes.marks.last_mut() {
                    mark.ended = Some(now);
                }
            }
        }
    }

    /// Ends the notes; what a dropped call has written is known now.
    pub(super) fn end(self, journal: usize) -> (Vec<Call>, Vec<Mark>) {
        let mut notes = self.notes();
        let mut calls = std::mem::take(&mut notes.calls);
        let mut after = journal;
        for call in calls.iter_mut().rev() {
            if call.done.is_none() {
                call.journal.end = after;
            }
            after = call.journal.start;
        }
        (calls, std::mem::take(&mut notes.marks))
    }
}

/// A call that goes on: where nobody waits for it any more it ends at that moment, without an answer.
struct Begun {
    log: Log,
    place: usize,
}

impl Drop for Begun {
    fn drop(&mut self) {
        let now = self.log.now();
        if let Some(call) = self.log.notes().calls.get_mut(self.place)
            && call.done.is_none()
        {
            call.ended = now;
        }
    }
}

/// The phone, watched.
#[derive(Debug)]
pub(super) struct Witness {
    inner: SimDriver,
    log: Log,
}

impl Witness {
    pub(super) fn new(inner: SimDriver, epoch: Instant) -> Self {
        Self {
            inner,
            log: Log {
                notes: Arc::default(),
                epoch,
            },
        }
    }

    pub(super) const fn phone(&mut self) -> &mut Phone {
        self.inner.phone_mut()
    }

    /// Lets the phone's time catch up.
    pub(super) fn catch_up(&mut self, now: Instant) {
        let to = now.saturating_duration_since(self.log.epoch);
        self.inner.phone_mut().advance_to(to);
    }

    /// Notes that a call begins; gives its place in the notes, which know when it is dropped.
    fn begin(&self, what: DriverRequest) -> Begun {
        let before = self.inner.phone().journal().len();
        let frozen = self.inner.phone().faults().is_frozen();
        let barred = match what {
            DriverRequest::Touch(Gesture::Tap { at } | Gesture::LongPress { at }) => {
                self.inner.phone().is_under_bar(at)
            }
            _ => false,
        };
        let now = self.log.now();
        let mut notes = self.log.notes();
        let step = notes.step;
        notes.calls.push(Call {
            step,
            began: now,
            ended: now,
            journal: before..before,
            what,
            done: None,
            frozen,
            barred,
            front: None,
            truth: None,
        });
        Begun {
            log: self.log.clone(),
            place: notes.calls.len() - 1,
        }
    }

    /// Notes how a call ended.
    fn end(&self, place: &Begun, done: DriverReply, truth: Option<Observation>) {
        let after = self.inner.phone().journal().len();
        let frozen = self.inner.phone().faults().is_frozen();
        let front = self.inner.phone().foreground();
        let now = self.log.now();
        if let Some(call) = self.log.notes().calls.get_mut(place.place) {
            call.done = Some(done);
            call.journal.end = after;
            call.ended = now;
            call.frozen |= frozen;
            call.front = front;
            call.truth = truth.map(Arc::new);
        }
    }

    /// Notes how a call ended that has no answer but that it was done.
    fn end_plain(&mut self, place: &Begun, result: &Result<()>, truth: Option<Observation>) {
        let done = match result {
            Ok(()) => DriverReply::Well,
            Err(error) => DriverReply::Badly(error.clone()),
        };
        self.end(place, done, truth);
    }

    fn end_recorded(&self, place: &Begun, result: &Result<Recording>) {
        let done = match result {
            Ok(recording) => DriverReply::Recorded(recording.clone()),
            Err(error) => DriverReply::Badly(error.clone()),
        };
        self.end(place, done, None);
    }
}

#[async_trait]
impl Driver for Witness {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        let place = self.begin(DriverRequest::Observe);
        let result = self.inner.observe(cx).await;
        let done = match &result {
            Ok(seen) => DriverReply::Seen(Arc::new(seen.clone())),
            Err(error) => DriverReply::Badly(error.clone()),
        };
        self.end(&place, done, None);
        result
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        let place = self.begin(DriverRequest::Screenshot);
        let result = self.inner.screenshot(cx).await;
        let done = match &result {
            Ok(image) => DriverReply::Picture {
                same: self.inner.phone_mut().draw().to_png() == image.png,
                png: Arc::new(image.png.clone()),
            },
            Err(error) => DriverReply::Badly(error.clone()),
        };
        self.end(&place, done, None);
        result
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<()> {
        let place = self.begin(DriverRequest::Act(node, act.clone()));
        let result = self.inner.act(cx, node, act).await;
        let looks = match act {
            NodeAct::Focus | NodeAct::SetText(_) | NodeAct::AppendText(_) => result.is_ok(),
            NodeAct::Click | NodeAct::LongClick | NodeAct::Submit => false,
        };
        let truth = if looks {
            self.inner.phone_mut().peek()
        } else {
            None
        };
        self.end_plain(&place, &result, truth);
        result
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        let place = self.begin(DriverRequest::Touch(*gesture));
        let result = self.inner.touch(cx, gesture).await;
        self.end_plain(&place, &result, None);
        result
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<()> {
        let place = self.begin(DriverRequest::Key(key));
        let result = self.inner.key(cx, key).await;
        self.end_plain(&place, &result, None);
        result
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<()> {
        let place = self.begin(DriverRequest::Open(target.clone()));
        let result = self.inner.open(cx, target).await;
        self.end_plain(&place, &result, None);
        result
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        let place = self.begin(DriverRequest::Close(app.to_owned()));
        let result = self.inner.close(cx, app).await;
        self.end_plain(&place, &result, None);
        result
    }

    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        let place = self.begin(DriverRequest::Foreground);
        let result = self.inner.foreground(cx).await;
        let done = match &result {
            Ok(_) => DriverReply::Well,
            Err(error) => DriverReply::Badly(error.clone()),
        };
        self.end(&place, done, None);
        result
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        let place = self.begin(DriverRequest::Changed);
        let result = self.inner.changed(cx, since).await;
        self.end_plain(&place, &result, None);
        result
    }

    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let place = self.begin(DriverRequest::StartRecording(
            session.map(ToOwned::to_owned),
        ));
        let result = self.inner.start_recording(cx, session).await;
        self.end_recorded(&place, &result);
        result
    }

    async fn stop_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let place = self.begin(DriverRequest::StopRecording(session.map(ToOwned::to_owned)));
        let result = self.inner.stop_recording(cx, session).await;
        self.end_recorded(&place, &result);
        result
    }
}
