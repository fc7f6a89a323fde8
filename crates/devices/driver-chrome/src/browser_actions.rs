//! What only a browser can do: CSS selectors, the mouse, lists and files of pages, tabs, windows, the console.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use driver::{
    ActOutcome, BackgroundEvent, Browser, Cx, Dispatch, DriverError, Image, ImageRequest, Loading,
    MouseAct, MouseTarget, NewPageErrors, NodeRef, OpenOutcome, PageErrors, Result, ScrollOutcome,
    TabEntry,
};
use uitree::Size;

use crate::browser::{TabInfo, TabStatus, device_of};
use crate::driver::{ChromeDriver, pixel};
use crate::input::{ClickOutcome, CssPoint, ElementTarget, act_error};
use crate::navigate::check_uri;
use crate::tab_view::ActTarget;

#[async_trait]
impl Browser for ChromeDriver {
    fn watch_selectors(&mut self, css: &[&str]) -> Result<()> {
        self.css = css.iter().map(|selector| Arc::from(*selector)).collect();
        Ok(())
    }

    async fn click_css(&mut self, cx: &Cx, css: &str) -> Result<Option<ActOutcome>> {
        // Content of other documents, and the front tab, require an observation.
        let state = self.view()?.tab.state();
        let mut opened = state.opened.iter();
        let is_current =
            state.status == TabStatus::Open && opened.all(|tab| self.followed.contains(&tab.id));
        if css.contains(">>>") || !is_current {
            return Ok(None);
        }
        let view = self.view()?;
        let page = view.session();
        let mut input = view.input(cx);
        let Some((at, scale, press)) = input.click_selector(&page, css).await? else {
            return Ok(None);
        };
        Ok(Some(ActOutcome {
            touched: Some(pixel(at, scale)),
            missed: press != ClickOutcome::Clicked,
            refused_form: input.refusal.take(),
            ..ActOutcome::default()
        }))
    }

    async fn full_page_screenshot(&mut self, cx: &Cx, wanted: ImageRequest) -> Result<Image> {
        self.ensure_front(cx).await?;
        self.capture_full_page(cx, wanted).await
    }

    async fn page_errors(&mut self, cx: &Cx) -> Result<PageErrors> {
        let tab = &self.view()?.tab;
        cx.run(tab.sync_errors()).await?;
        Ok(tab.errors())
    }

    async fn new_page_errors(&mut self, cx: &Cx) -> NewPageErrors {
        if let Ok(view) = self.view() {
            // After the deadline, the errors known so far are reported.
            let _ = cx.run(view.tab.sync_errors()).await;
        }
        let mut all = NewPageErrors::default();
        // The errors of a background tab are reported once it is in front again.
        let shown = self.views.iter().filter(|(id, _)| !self.left.contains(id));
        for (_, view) in shown {
            all.add(view.tab.take_new_errors());
        }
        all
    }

    fn loading(&mut self, within: Duration) -> Loading {
        let view = self.views.get(&self.front);
        view.map(|view| view.loading(within)).unwrap_or_default()
    }

    fn background_events(&mut self) -> Vec<BackgroundEvent> {
        std::mem::take(&mut self.background_events)
    }

    async fn scroll(
        &mut self,
        cx: &Cx,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<ScrollOutcome> {
        cx.check()?;
        let container = self.node_in_front(cx, container).await?;
        let view = self.view()?;
        let element = view.scroller(container)?;
        let (page, scale) = (view.session(), view.scale());
        let by = CssPoint {
            x: f64::from(by.0) / scale,
            y: f64::from(by.1) / scale,
        };
        view.input(cx).scroll(&page, &element, by).await
    }

    async fn mouse(&mut self, cx: &Cx, at: MouseTarget, act: MouseAct) -> Result<ActOutcome> {
        cx.check()?;
        self.use_mouse(cx, at, act).await
    }

    async fn select_options(
        &mut self,
        cx: &Cx,
        list: NodeRef,
        options: &[String],
    ) -> Result<Vec<String>> {
        let target = self.element_in_front(cx, list).await?;
        let mut input = self.view()?.input(cx);
        input.select_options(&target, options).await
    }

    async fn upload(&mut self, cx: &Cx, node: NodeRef, files: &[PathBuf]) -> Result<()> {
        let target = self.element_in_front(cx, node).await?;
        let view = self.view()?;
        let page = view.session();
        view.input(cx).upload(&page, &target, files).await
    }

    async fn tabs(&mut self, cx: &Cx) -> Result<Vec<TabEntry>> {
        self.ensure_front(cx).await?;
        let tabs = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
        self.note_opened();
        let shown = self.view()?.tab.state().document;
        let entry = |tab: TabInfo| {
            let current = tab.id == self.front;
            let opened = self.opened.iter().position(|id| *id == tab.id);
            TabEntry {
                device: device_of(&tab.id),
                title: tab.title,
                // A navigating tab is listed with its destination.
                url: match &shown {
                    Some(document) if current => document.url.clone(),
                    _ => tab.url,
                },
                current,
                opened: opened.map(|position| position + 1),
            }
        };
        Ok(tabs.into_iter().map(entry).collect())
    }

    async fn open_tab(&mut self, cx: &Cx, uri: &str) -> Result<OpenOutcome> {
        check_uri(uri, self.file_access)?;
        self.ensure_front(cx).await?;
        self.note_opened();
        let opener = self.front.clone();
        let created = cx.run(self.browser.open_tab("about:blank")).await?;
        let id = created.map_err(act_error)?;
        self.opened.push(id.clone());
        let attached = self.bring_to_front(cx, &id).await;
        attached.map_err(|error| in_new_tab(uri, error))?;
        self.openers.push(opener);
        let loaded = self.open_uri(cx, uri).await;
        loaded.map_err(|error| in_new_tab(uri, error))
    }

    async fn choose_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let tab = self.open_tab_of(cx, device).await?;
        self.bring_to_front(cx, &tab.id).await
    }

    async fn close_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        let tab = self.open_tab_of(cx, device).await?;
        self.close_tabs(cx, &[tab]).await
    }

    async fn resize_window(&mut self, cx: &Cx, page: Size) -> Result<()> {
        self.ensure_front(cx).await?;
        self.view()?.resize(cx, page).await
    }
}

impl ChromeDriver {
    /// The element of a node of the front page.
    async fn element_in_front(&mut self, cx: &Cx, node: NodeRef) -> Result<Box<ElementTarget>> {
        cx.check()?;
        let node = self.node_in_front(cx, node).await?;
        match self.view()?.act_target(node)? {
            ActTarget::Element(target) => Ok(target),
            ActTarget::Dialog(_) => Err(DriverError::Unwritable(
                "a part of a dialog is no list and no file input".to_owned(),
            )),
        }
    }

    /// Records the tabs that other tabs have opened.
    fn note_opened(&mut self) {
        for view in self.views.values() {
            for tab in view.tab.state().opened {
                if !self.opened.contains(&tab.id) {
                    self.opened.push(tab.id);
                }
            }
        }
    }

    /// The open tab of a device.
    async fn open_tab_of(&mut self, cx: &Cx, device: &str) -> Result<TabInfo> {
        self.ensure_front(cx).await?;
        let tabs = cx.run(self.browser.tabs()).await?.map_err(act_error)?;
        let mut tabs = tabs.into_iter();
        tabs.find(|tab| device_of(&tab.id) == device)
            .ok_or_else(|| DriverError::Refused(format!("the tab {device} was closed meanwhile")))
    }
}

/// The error of a page in a new tab: the tab was opened, so it must not be opened again.
fn in_new_tab(uri: &str, error: DriverError) -> DriverError {
    match error {
        DriverError::NotLoaded { reason, .. } => DriverError::NotLoaded {
            uri: uri.to_owned(),
            reason: format!("{reason}; its new tab stays open"),
            dispatch: Dispatch::Sent,
        },
        DriverError::Refused(reason) | DriverError::NotHandled(reason) => {
            DriverError::Partial(format!("a tab was opened: {reason}"))
        }
        other => other,
    }
}
