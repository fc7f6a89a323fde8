//! A tab of a browser as a device: one page at a time, and the tabs that it opens.
//!
//! A tab that the page in front opens comes to the front, as it does before a person, and is followed; when it closes, the
//! tab that had opened it is in front again. Dialogs of a page are windows with buttons of their own; nothing is answered
//! for anybody.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cdp::TargetId;
use cdp::protocol::browser::GetVersion;
use cdp::protocol::page::{HandleJavaScriptDialog, Navigate};
use driver::{
    Capabilities, Cx, DeviceInfo, Dispatch, DownloadState, Driver, DriverError, Foreground,
    Gesture, Image, Key, NodeAct, NodeRef, Observation, Platform, Result, Revision, ScrollOutcome,
    SideEffect, Target,
};
use uitree::Point;

use crate::browser::{Browser, Download, Downloads, Standing, Tab, rename};
use crate::input::{
    Element, Length, Meaning, Mode, Place, Press, behind, meaning, not_sent, of_act, of_standing,
    on_its_way, waits_for_page,
};
use crate::page::DialogPart;
use crate::view::{Aimed, View};

/// Which files of this computer pages may be opened from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// None: whoever may open pages may not thereby read this computer's files.
    #[default]
    Refused,
    /// All that the browser can read.
    Allowed,
}

/// How long a page may be silent that is to give way to another.
pub const SILENT: Duration = Duration::from_secs(2);

/// A tab of a browser, driven.
pub struct ChromeDriver {
    pub(crate) browser: Browser,
    pub(crate) info: DeviceInfo,
    pub(crate) files: Files,
    pub(crate) downloads: Downloads,
    /// The tabs that were in front before, and the one that is.
    pub(crate) views: BTreeMap<TargetId, View>,
    pub(crate) front: TargetId,
    /// The tabs from which the one in front was opened, the oldest first.
    pub(crate) openers: Vec<TargetId>,
    /// The tabs that came to the front once, because another had opened them.
    pub(crate) followed: BTreeSet<TargetId>,
    pub(crate) css: Vec<Arc<str>>,
    /// Revisions of earlier tabs lie below those of the one in front.
    base: u64,
    highest: u64,
    /// Where the last act pressed the mouse.
    pub(crate) touched: Option<Point>,
    /// What came of the last act that clicked.
    press: Press,
    /// What a list shows in which the last act chose.
    pub(crate) written: Option<String>,
    /// Tabs that were told as opened, and files that were told as downloaded, by how many there were.
    told: BTreeSet<TargetId>,
    told_files: BTreeMap<TargetId, usize>,
    /// Where files lie that were given their names, by the names that the browser has for them.
    pub(crate) named_files: BTreeMap<String, String>,
    /// The status of the response that brought the page of the last `open`.
    pub(crate) http_status: Option<u16>,
}

impl std::fmt::Debug for ChromeDriver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChromeDriver")
            .field("info", &self.info)
            .field("front", &self.front)
            .finish_non_exhaustive()
    }
}

impl ChromeDriver {
    /// Drives the page of a tab that is attached to; [`named`](Self::named) gives it the name by which `--device` takes it.
    ///
    /// # Errors
    /// When the tab is gone or does not answer.
    pub async fn open(tab: Tab, cx: &Cx) -> Result<Self> {
        cx.check()?;
        let (browser, front) = (tab.browser().clone(), tab.id().clone());
        let root = browser.connection().browser();
        let version = root.call(&GetVersion {});
        browser.set_downloads(&Downloads::Denied);
        let view = View::of(cx, tab).await?;
        let model = cx.run(version).await?.map_err(of_act)?.product;
        let info = DeviceInfo {
            id: format!("chrome:{front}"),
            platform: Platform::Web,
            model,
            screen: view.screen,
            density: 160,
            capabilities: Capabilities {
                recording: false,
                events: true,
                css: true,
                observe_settles: false,
            },
        };
        Ok(Self {
            browser,
            info,
            files: Files::default(),
            downloads: Downloads::Denied,
            views: BTreeMap::from([(front.clone(), view)]),
            front,
            openers: Vec::new(),
            followed: BTreeSet::new(),
            css: Vec::new(),
            base: 0,
            highest: 0,
            touched: None,
            press: Press::Clicked,
            written: None,
            told: BTreeSet::new(),
            told_files: BTreeMap::new(),
            named_files: BTreeMap::new(),
            http_status: None,
        })
    }

    /// The same for whoever loads another page before anything else: one that does not answer soon, because its scripts are
    /// busy or a dialog stands open that nobody was there to hear of, is left for an empty one.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_to_load(tab: Tab, cx: &Cx) -> Result<Self> {
        if tokio::time::timeout(SILENT, cx.run(tab.ready()))
            .await
            .is_err()
        {
            // An empty page of no site, which gets a process of its own: `about:blank` may be made in the one that is busy,
            // where the page is one that browsers do not keep.
            let leave = tab.session().call(&Navigate {
                url: "data:,".to_owned(),
                frame_id: None,
            });
            cx.run(leave).await?.map_err(of_act)?;
        }
        Self::open(tab, cx).await
    }

    /// The same under another name.
    #[must_use]
    pub fn named(mut self, id: impl Into<String>) -> Self {
        self.info.id = id.into();
        self
    }

    /// The same, with files of this computer opened or not.
    #[must_use]
    pub const fn with_files(mut self, files: Files) -> Self {
        self.files = files;
        self
    }

    /// The same, with files that pages give put into a folder, or denied.
    #[must_use]
    pub fn with_downloads(mut self, downloads: Downloads) -> Self {
        self.browser.set_downloads(&downloads);
        self.downloads = downloads;
        self
    }

    /// The tab that is in front; `None` when it was closed and no other has taken its place yet.
    pub fn tab(&self) -> Option<&Tab> {
        self.views.get(&self.front).map(|view| &view.tab)
    }

    /// What was seen last of the page in front, with its elements; see [`crate::page::PageEye`] for more of it.
    pub fn eye(&mut self) -> Result<&mut crate::page::PageEye> {
        Ok(&mut self.view()?.eye)
    }

    pub(crate) fn view(&mut self) -> Result<&mut View> {
        let gone = || DriverError::Lost {
            message: "the tab was closed".to_owned(),
            dispatch: Dispatch::NotSent,
        };
        self.views.get_mut(&self.front).ok_or_else(gone)
    }

    /// Has a tab in front that can be talked to: one that was opened by the one in front, the one before it when it has
    /// closed, and a page again whose process died.
    pub(crate) async fn stand(&mut self, cx: &Cx) -> Result<()> {
        cx.check()?;
        loop {
            let state = self.view()?.tab.state();
            match state.standing {
                Standing::Lost(_) => {
                    return Err(of_standing(&state.standing, Dispatch::NotSent)
                        .unwrap_or(DriverError::NoWindow));
                }
                Standing::Closed => {
                    self.views.remove(&self.front);
                    self.back_to_another(cx).await?;
                }
                Standing::Crashed => {
                    let view = self.view()?;
                    // What the page held is lost with its process: that is told before it is loaded anew.
                    if !std::mem::replace(&mut view.crash_is_told, true) {
                        return Err(of_standing(&Standing::Crashed, Dispatch::NotSent)
                            .unwrap_or(DriverError::NoWindow));
                    }
                    view.mend(cx).await?;
                    self.count_on();
                }
                Standing::Open => {
                    let mut opened = state.opened.iter().rev();
                    let Some(tab) = opened.find(|tab| !self.followed.contains(&tab.id)) else {
                        return Ok(());
                    };
                    let (opened, opener) = (tab.id.clone(), self.front.clone());
                    match self.bring(cx, &opened).await {
                        Ok(()) => self.openers.push(opener),
                        // It was closed before it could be looked at.
                        Err(DriverError::Lost { .. } | DriverError::Refused(_))
                            if self.is_connected() => {}
                        Err(error) => return Err(error),
                    }
                    self.followed.insert(opened);
                }
            }
        }
    }

    /// Whether the tab in front was closed, while the browser is still there.
    fn has_closed(&self) -> bool {
        let closed = |view: &View| view.tab.state().standing == Standing::Closed;
        self.is_connected() && self.views.get(&self.front).is_none_or(closed)
    }

    fn is_connected(&self) -> bool {
        self.browser.connection().lost().is_none()
    }

    /// Brings a tab to the front.
    pub(crate) async fn bring(&mut self, cx: &Cx, id: &TargetId) -> Result<()> {
        if self.front != *id {
            match self.views.get(id) {
                Some(view) => {
                    let session = view.session();
                    let front = session.call(&cdp::protocol::page::BringToFront {});
                    cx.run(front).await?.map_err(of_act)?;
                }
                None => {
                    let view = View::attach(cx, &self.browser, id).await?;
                    self.views.insert(id.clone(), view);
                }
            }
            self.front = id.clone();
            self.count_on();
        }
        Ok(())
    }

    /// Brings the tab to the front that had opened the one that is gone, or else any other.
    pub(crate) async fn back_to_another(&mut self, cx: &Cx) -> Result<()> {
        let tabs = cx.run(self.browser.tabs()).await?.map_err(of_act)?;
        while let Some(opener) = self.openers.pop() {
            if tabs.iter().any(|tab| tab.id == opener) {
                return self.bring(cx, &opener).await;
            }
        }
        let id = match tabs.first() {
            Some(tab) => tab.id.clone(),
            None => cx
                .run(self.browser.open_tab("about:blank"))
                .await?
                .map_err(of_act)?,
        };
        self.bring(cx, &id).await
    }

    /// What is seen from now on is later than all before.
    pub(crate) fn count_on(&mut self) {
        self.base = self.highest + 1;
    }

    /// An observation of the page in front, with its revision among those of all tabs.
    async fn look(&mut self, cx: &Cx) -> Result<Observation> {
        let css = self.css.clone();
        let base = self.base;
        let view = self.view()?;
        let waits = waits_for_page(view.tab.watch());
        let seen = tokio::select! {
            biased;
            seen = view.eye.observe(cx, &css) => seen?,
            () = waits => return Err(on_its_way()),
        };
        let mut observation = seen.observation.clone();
        observation.revision = Revision(base + observation.revision.0);
        self.highest = self.highest.max(observation.revision.0);
        self.info.screen = observation.tree.screen();
        Ok(observation)
    }

    /// The outermost element of the page in front, which is looked at when it was not yet.
    async fn root(&mut self, cx: &Cx) -> Result<Element> {
        self.view()?.asking(cx).check()?;
        let document = self.view()?.tab.state().document;
        let loader = document.map(|document| document.loader);
        if self.view()?.looked_at != loader {
            self.look(cx).await?;
            self.view()?.looked_at = loader;
        }
        self.view()?.root()
    }

    /// The revision as the eye of the page in front counts it.
    fn own(&self, revision: Revision) -> Result<Revision> {
        let own = revision.0.checked_sub(self.base);
        own.map(Revision).ok_or(DriverError::Stale)
    }

    /// A node of the page in front as its eye counts it.
    async fn seen_in_front(&mut self, cx: &Cx, node: NodeRef) -> Result<NodeRef> {
        let front = self.front.clone();
        self.stand(cx).await?;
        // Another tab has come to the front since the node was seen.
        if self.front != front {
            return Err(DriverError::Stale);
        }
        Ok(NodeRef {
            revision: self.own(node.revision)?,
            ..node
        })
    }

    /// Does something to a part of the dialog that is open.
    async fn answer(&mut self, cx: &Cx, part: DialogPart, act: &NodeAct) -> Result<()> {
        let eye = &self.view()?.eye;
        let dialog = eye.dialog().ok_or(DriverError::Stale)?;
        let accept = match (part, act) {
            (DialogPart::Accept, NodeAct::Click) | (DialogPart::Field, NodeAct::Submit) => true,
            (DialogPart::Dismiss, NodeAct::Click) => false,
            (DialogPart::Field, NodeAct::SetText(text)) => {
                eye.set_prompt(text);
                return Ok(());
            }
            (DialogPart::Field, NodeAct::AppendText(text)) => {
                eye.set_prompt(&format!("{}{text}", dialog.prompt));
                return Ok(());
            }
            (DialogPart::Field, NodeAct::Click | NodeAct::Focus) => return Ok(()),
            (_, NodeAct::SetText(_) | NodeAct::AppendText(_)) => {
                return Err(DriverError::Unwritable(
                    "this part of the dialog takes no text".to_owned(),
                ));
            }
            (DialogPart::Window | DialogPart::Message, _) => {
                return Err(DriverError::Refused(
                    "only the buttons of a dialog can be clicked".to_owned(),
                ));
            }
            (DialogPart::Accept | DialogPart::Dismiss | DialogPart::Field, _) => {
                return Err(DriverError::Refused(
                    "the buttons of a dialog are clicked, and nothing else".to_owned(),
                ));
            }
        };
        self.close_dialog(cx, accept).await
    }

    /// Answers the dialog that is open.
    async fn close_dialog(&mut self, cx: &Cx, accept: bool) -> Result<()> {
        let view = self.view()?;
        let dialog = view.eye.dialog().ok_or(DriverError::Stale)?;
        let session = view.eye.dialog_session().unwrap_or_else(|| view.session());
        let answer = session.call(&HandleJavaScriptDialog {
            accept,
            prompt_text: (dialog.kind == crate::page::DialogKind::Prompt && accept)
                .then(|| dialog.prompt.clone()),
        });
        cx.run(answer).await?.map_err(of_act)?;
        view.eye.dialog_answered(&dialog);
        Ok(())
    }

    /// The device pixel of a place.
    fn pixel(&mut self, at: Place) -> Option<Point> {
        Some(pixel(at, self.view().ok()?.scale()))
    }

    /// A place of the screen in CSS pixels.
    fn place(&mut self, at: Point) -> Result<Place> {
        let screen = self.info.screen;
        let inside = at.x >= 0 && at.y >= 0 && at.x < screen.width && at.y < screen.height;
        if !inside {
            return Err(DriverError::OffScreen(at));
        }
        let scale = self.view()?.scale();
        Ok(Place {
            x: f64::from(at.x) / scale,
            y: f64::from(at.y) / scale,
        })
    }
}

#[async_trait]
impl Driver for ChromeDriver {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn watch_selectors(&mut self, css: &[&str]) -> Result<()> {
        self.css = css.iter().map(|selector| Arc::from(*selector)).collect();
        Ok(())
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        loop {
            self.stand(cx).await?;
            match self.look(cx).await {
                // The tab in front closed while it was looked at; another is in front now.
                Err(DriverError::Lost { .. }) if self.has_closed() => {}
                // Who looks does nothing, however far the question has come.
                seen => return seen.map_err(not_sent),
            }
        }
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        self.stand(cx).await?;
        self.picture(cx, None).await
    }

    async fn full_page_screenshot(&mut self, cx: &Cx) -> Result<Image> {
        self.stand(cx).await?;
        self.whole_picture(cx).await
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<()> {
        self.touched = None;
        self.press = Press::Clicked;
        self.written = None;
        cx.check()?;
        let node = self.seen_in_front(cx, node).await?;
        let goal = match self.view()?.aim(node)? {
            Aimed::Element(goal) => goal,
            Aimed::Dialog(part) => return self.answer(cx, part, act).await,
        };
        let view = self.view()?;
        let page = view.session();
        let mut asking = view.asking(cx);
        let pressed = match act {
            NodeAct::Click => asking.click(&page, &goal, Length::Short).await?,
            NodeAct::LongClick => asking.click(&page, &goal, Length::Long).await?,
            NodeAct::Focus => return asking.focus(&goal).await,
            NodeAct::SetText(text) => {
                self.written = asking.enter(&goal, Mode::Set, text).await?;
                return Ok(());
            }
            NodeAct::AppendText(text) => {
                self.written = asking.enter(&goal, Mode::Append, text).await?;
                return Ok(());
            }
            NodeAct::Submit => return asking.submit(&goal).await,
        };
        if let Some((at, press)) = pressed {
            self.touched = self.pixel(at);
            self.press = press;
        }
        Ok(())
    }

    async fn click_css(&mut self, cx: &Cx, css: &str) -> Result<bool> {
        self.touched = None;
        self.press = Press::Clicked;
        self.written = None;
        // What lies in other documents, and which tab is in front, is seen by a look.
        let state = self.view()?.tab.state();
        let mut opened = state.opened.iter();
        let stands =
            state.standing == Standing::Open && opened.all(|tab| self.followed.contains(&tab.id));
        if css.contains(">>>") || !stands {
            return Ok(false);
        }
        let view = self.view()?;
        let page = view.session();
        let Some((at, scale, press)) = view.asking(cx).click_only(&page, css).await? else {
            return Ok(false);
        };
        self.press = press;
        self.touched = Some(pixel(at, scale));
        Ok(true)
    }

    fn last_touch(&self) -> Option<Point> {
        self.touched
    }

    fn last_click_landed(&self) -> bool {
        self.press == Press::Clicked
    }

    fn last_text(&self) -> Option<&str> {
        self.written.as_deref()
    }

    fn side_effects(&mut self) -> Vec<SideEffect> {
        let mut effects = Vec::new();
        for (id, view) in &self.views {
            let state = view.tab.state();
            let opened = state.opened.into_iter().map(|tab| tab.id);
            for tab in opened.filter(|tab| self.told.insert(tab.clone())) {
                effects.push(SideEffect::TabOpened(format!("chrome:{tab}")));
            }
            let told = self.told_files.entry(id.clone()).or_default();
            for file in state.downloads.into_iter().skip(*told) {
                *told += 1;
                let state = match (&self.downloads, file.done) {
                    (Downloads::Denied, _) => DownloadState::Denied,
                    (Downloads::Into(_), None) => DownloadState::InProgress,
                    (Downloads::Into(_), Some(true)) => DownloadState::Completed,
                    (Downloads::Into(_), Some(false)) => DownloadState::Canceled,
                };
                let path = placed(&self.downloads, &mut self.named_files, &file);
                effects.push(SideEffect::Downloaded(driver::Download {
                    name: file.name,
                    path,
                    bytes: file.bytes,
                    state,
                }));
            }
        }
        effects
    }

    async fn reveal(&mut self, cx: &Cx, node: NodeRef) -> Result<()> {
        cx.check()?;
        let node = self.seen_in_front(cx, node).await?;
        let Aimed::Element(goal) = self.view()?.aim(node)? else {
            return Err(DriverError::Stale);
        };
        let view = self.view()?;
        let page = view.session();
        view.asking(cx).reveal(&page, &goal.element).await
    }

    async fn scroll(
        &mut self,
        cx: &Cx,
        container: NodeRef,
        by: (i32, i32),
    ) -> Result<Option<ScrollOutcome>> {
        cx.check()?;
        let container = self.seen_in_front(cx, container).await?;
        let view = self.view()?;
        let element = view.scroller(container)?;
        let (page, scale) = (view.session(), view.scale());
        let by = Place {
            x: f64::from(by.0) / scale,
            y: f64::from(by.1) / scale,
        };
        let outcome = view.asking(cx).scroll(&page, &element, by).await?;
        Ok(Some(outcome))
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        self.stand(cx).await?;
        let at = match gesture {
            Gesture::Tap { at } | Gesture::LongPress { at } => self.place(*at)?,
            // A mouse that is drawn has its button held: it would press what it begins or ends on.
            Gesture::Swipe { .. } => return Err(DriverError::Unsupported("swipes")),
        };
        let root = self.root(cx).await?;
        let view = self.view()?;
        let page = view.session();
        let mut asking = view.asking(cx);
        asking.painted(&root).await?;
        match gesture {
            Gesture::LongPress { .. } => asking.hold_at(&page, at).await,
            Gesture::Tap { .. } | Gesture::Swipe { .. } => asking.click_at(&page, at).await,
        }
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<()> {
        self.stand(cx).await?;
        let meaning = meaning(key);
        if let Some(dialog) = self.view()?.eye.dialog() {
            return match key {
                Key::Enter => self.close_dialog(cx, true).await,
                Key::Escape | Key::Back => self.close_dialog(cx, false).await,
                _ => match meaning {
                    Meaning::Nothing(what) => Err(DriverError::Unsupported(what)),
                    Meaning::Press(_) | Meaning::Back => Err(behind(&dialog.message)),
                },
            };
        }
        match meaning {
            Meaning::Press(press) => {
                let root = self.root(cx).await?;
                let view = self.view()?;
                let page = view.session();
                let mut asking = view.asking(cx);
                asking.painted(&root).await?;
                // Only what a browser is told itself takes it out of the full screen, and keys of ours are told the page.
                if key == Key::Escape && asking.windowed(&root).await? {
                    return Ok(());
                }
                asking.press(&page, &[press]).await
            }
            Meaning::Back => self.go_back(cx).await,
            Meaning::Nothing(what) => Err(DriverError::Unsupported(what)),
        }
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<()> {
        self.http_status = None;
        self.stand(cx).await?;
        match target {
            Target::App(host) => self.open_host(cx, host).await,
            Target::Uri(uri) => {
                self.http_status = self.open_uri(cx, uri).await?;
                Ok(())
            }
        }
    }

    fn http_status(&self) -> Option<u16> {
        self.http_status
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        self.stand(cx).await?;
        self.close_host(cx, app).await
    }

    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        self.stand(cx).await?;
        let document = self.view()?.tab.state().document;
        let host = document.map(|document| dom::host(&document.url));
        Ok(Foreground {
            app: host.filter(|host| !host.is_empty()),
        })
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        self.stand(cx).await?;
        // What was seen of another tab is not what is in front now.
        let Ok(own) = self.own(since) else {
            return Ok(());
        };
        let known = self.followed.clone();
        let view = self.view()?;
        let mut state = view.tab.watch();
        let other = state.wait_for(|state| {
            state.standing != Standing::Open
                || state.opened.iter().any(|tab| !known.contains(&tab.id))
        });
        tokio::select! {
            biased;
            _ = other => Ok(()),
            changed = view.eye.changed(cx, own) => changed.map(drop).map_err(not_sent),
        }
    }
}

/// Where a file lies that is whole, or will lie that still comes: under the browser's name for it until it is whole, and under
/// that of its page from when it is told on.
pub(crate) fn placed(
    downloads: &Downloads,
    named: &mut BTreeMap<String, String>,
    file: &Download,
) -> Option<String> {
    if let Some(path) = named.get(&file.guid) {
        return Some(path.clone());
    }
    let Downloads::Into(folder) = downloads else {
        return None;
    };
    let own = folder.join(&file.guid);
    let path = match file.done {
        None => own,
        Some(false) => return None,
        // One that cannot be renamed stays as it is.
        Some(true) => rename(&own, &file.name).unwrap_or(own),
    };
    let path = path.display().to_string();
    named.insert(file.guid.clone(), path.clone());
    Some(path)
}

/// The device pixel of a place.
fn pixel(at: Place, scale: f64) -> Point {
    Point::new((at.x * scale).floor() as i32, (at.y * scale).floor() as i32)
}
