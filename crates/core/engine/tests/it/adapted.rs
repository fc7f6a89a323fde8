//! The simulated phone with some features of another device.

use std::time::Duration;

use async_trait::async_trait;
use driver::{
    ActOutcome, BackgroundEvent, Browser, Capabilities, Cx, DeviceInfo, Driver, Gesture, Image,
    Key, Loading, NewPageErrors, NodeAct, NodeRef, Observation, OpenOutcome, PageErrors, Result,
    Revision, Target,
};
use driver_sim::SimDriver;

/// What a device does differently from the phone below it.
#[async_trait]
pub(crate) trait Adapter: Send {
    fn change_capabilities(&self, capabilities: &mut Capabilities);

    fn watch_selectors(&mut self, _css: &[&str]) -> Result<()> {
        Ok(())
    }

    fn loading(&mut self, _within: Duration) -> Loading {
        Loading::default()
    }

    async fn observe(&mut self, phone: &mut SimDriver, cx: &Cx) -> Result<Observation> {
        phone.observe(cx).await
    }

    async fn act(
        &mut self,
        phone: &mut SimDriver,
        cx: &Cx,
        node: NodeRef,
        act: &NodeAct,
    ) -> Result<ActOutcome> {
        phone.act(cx, node, act).await
    }
}

/// A phone behind an adapter; what the adapter leaves out goes to the phone.
pub(crate) struct Adapted<A> {
    phone: SimDriver,
    info: DeviceInfo,
    pub(crate) adapter: A,
}

impl<A: Adapter> Adapted<A> {
    pub(crate) fn new(phone: SimDriver, adapter: A) -> Self {
        let mut info = phone.info().clone();
        adapter.change_capabilities(&mut info.capabilities);
        Self {
            phone,
            info,
            adapter,
        }
    }
}

#[async_trait]
impl<A: Adapter> Driver for Adapted<A> {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn browser(&mut self) -> Option<&mut dyn Browser> {
        Some(self)
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        self.adapter.observe(&mut self.phone, cx).await
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        self.phone.screenshot(cx).await
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        self.adapter.act(&mut self.phone, cx, node, act).await
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        self.phone.touch(cx, gesture).await
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        self.phone.key(cx, key).await
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
        self.phone.open(cx, target).await
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        self.phone.close(cx, app).await
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        self.phone.changed(cx, since).await
    }
}

#[async_trait]
impl<A: Adapter> Browser for Adapted<A> {
    fn watch_selectors(&mut self, css: &[&str]) -> Result<()> {
        self.adapter.watch_selectors(css)
    }

    fn loading(&mut self, within: Duration) -> Loading {
        self.adapter.loading(within)
    }

    fn background_events(&mut self) -> Vec<BackgroundEvent> {
        Vec::new()
    }

    async fn click_css(&mut self, _: &Cx, _: &str) -> Result<Option<ActOutcome>> {
        Ok(None)
    }

    async fn page_errors(&mut self, _: &Cx) -> Result<PageErrors> {
        Ok(PageErrors::default())
    }

    async fn new_page_errors(&mut self, _: &Cx) -> NewPageErrors {
        NewPageErrors::default()
    }
}
