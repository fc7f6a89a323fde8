//! The calls of a step to the device. Each change is recorded before it is sent, and again with its answer.

use driver::{
    ActOutcome, Dispatch, DriverError, Gesture, Key, MouseAct, MouseTarget, NodeAct, NodeRef,
    OpenOutcome, ScrollOutcome, Target,
};

use crate::context::StepContext;
use crate::effect::Purpose;
use crate::failure::Failure;

impl StepContext<'_> {
    /// Records that the device is about to be changed.
    pub(crate) async fn begin_change(&mut self) {
        self.begin(Purpose::Act).await;
    }

    /// Records that the device is about to be changed by scrolling.
    pub(crate) async fn begin_scroll(&mut self) {
        self.begin(Purpose::Scroll).await;
    }

    async fn begin(&mut self, purpose: Purpose) {
        let purpose = match self.is_read_only {
            true => Purpose::Read,
            false => purpose,
        };
        self.observe_before_change().await;
        // Side effects so far belong to an earlier change.
        self.collect_effects();
        self.history.before_change(self.index, purpose);
        self.device.begin_change();
    }

    /// Collects side effects for the last step that changed the device.
    pub(crate) fn collect_effects(&mut self) {
        let effects = self.device.driver().0.side_effects();
        self.history.add_side_effects(self.index, effects);
    }

    /// Records the progress of a change of the device, from its answer.
    pub(crate) fn record_answer<T>(&mut self, done: Result<T, DriverError>) -> Result<T, Failure> {
        if self.device.record_answer(&done) {
            self.history.interrupt_rest();
        }
        if self.device.dispatch() != Dispatch::NotSent {
            let is_by_rule = self.interrupts.answering;
            self.history.after_change(self.index, is_by_rule);
        }
        Ok(done?)
    }

    /// Acts on a node.
    pub(crate) async fn act(
        &mut self,
        node: NodeRef,
        act: &NodeAct,
    ) -> Result<ActOutcome, Failure> {
        self.begin_change().await;
        let (driver, cx) = self.device.driver();
        let done = driver.act(cx, node, act).await;
        self.record_answer(done)
    }

    /// Scrolls a container without a gesture; `None` when the device needs a gesture and nothing was done.
    pub(crate) async fn scroll_node(
        &mut self,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<Option<ScrollOutcome>, Failure> {
        self.begin_scroll().await;
        let (browser, cx) = self.device.browser();
        let done = match browser.scroll(cx, container, by).await {
            Err(DriverError::Unsupported(_)) => Ok(None),
            done => done.map(Some),
        };
        if let Ok(None | Some(ScrollOutcome::AtEdge)) = done {
            self.device.cancel_change();
            return Ok(done?);
        }
        self.record_answer(done)
    }

    /// Touches the screen.
    pub(crate) async fn touch(&mut self, gesture: &Gesture) -> Result<(), Failure> {
        self.begin_change().await;
        let (driver, cx) = self.device.driver();
        let done = driver.touch(cx, gesture).await;
        self.record_answer(done)
    }

    /// Presses a key.
    pub(crate) async fn key(&mut self, key: Key) -> Result<ActOutcome, Failure> {
        self.begin_change().await;
        let (driver, cx) = self.device.driver();
        let done = driver.key(cx, key).await;
        self.record_answer(done)
    }

    /// Uses the mouse.
    pub(crate) async fn mouse(
        &mut self,
        at: MouseTarget,
        act: MouseAct,
    ) -> Result<ActOutcome, Failure> {
        self.begin_change().await;
        let (browser, cx) = self.device.browser();
        let done = browser.mouse(cx, at, act).await;
        self.record_answer(done)
    }

    /// Opens an app or a URI.
    pub(crate) async fn open(&mut self, target: &Target) -> Result<OpenOutcome, Failure> {
        self.begin_change().await;
        self.history.before_open();
        let (driver, cx) = self.device.driver();
        let done = driver.open(cx, target).await;
        let opened = self.record_answer(done)?;
        self.history.opened();
        Ok(opened)
    }

    /// Stops an app.
    pub(crate) async fn close(&mut self, app: &str) -> Result<(), Failure> {
        self.begin_change().await;
        let (driver, cx) = self.device.driver();
        let done = driver.close(cx, app).await;
        self.record_answer(done)
    }
}
