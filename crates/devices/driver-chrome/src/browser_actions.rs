//! What only a browser can do: CSS selectors, the mouse, lists and files of pages, tabs, windows, the console.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use driver::{
    ActOutcome, Browser, Cx, DriverError, Image, Loading, MouseAct, MouseTarget, NewPageErrors,
    News, NodeRef, OpenOutcome, PageErrors, Result, ScrollOutcome, TabEntry,
};
use uitree::Size;

use crate::browser::TabStatus;
use crate::driver::{ChromeDriver, pixel};
use crate::input::{ClickOutcome, CssPoint, ElementTarget};
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
            text: None,
            refused_form: input.refusal.take(),
        }))
    }

    async fn full_page_screenshot(&mut self, cx: &Cx) -> Result<Image> {
        self.ensure_front(cx).await?;
        self.capture_full_page(cx).await
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

    fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
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
        self.list_tabs(cx).await
    }

    async fn open_tab(&mut self, cx: &Cx, uri: &str) -> Result<OpenOutcome> {
        self.load_in_new_tab(cx, uri).await
    }

    async fn choose_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        self.show_tab(cx, device).await
    }

    async fn close_tab(&mut self, cx: &Cx, device: &str) -> Result<()> {
        self.remove_tab(cx, device).await
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
}
