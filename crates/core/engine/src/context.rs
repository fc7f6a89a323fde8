//! The context of a step: the device, the screens so far, and what the run reports.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use contract::keys::ParamKey;
use contract::{Action, ErrorCode, Execution, NodeMatcher, Warning, WarningCode};
use driver::{Cx, Driver, DriverError};
use uitree::{NodeId, Refs, UiTree};

use crate::describe::{quoted, truncated};
use crate::device_session::DeviceSession;
use crate::failure::Failure;
use crate::interrupts::Interrupts;
use crate::jitter::JitterRng;
use crate::screen_history::ScreenHistory;
use crate::{ambiguous_match, side_effects};

/// Receives the files and observations of a run.
pub trait Artifacts: Send {
    /// Saves a screenshot, at `path` if the plan names one, and returns its path.
    fn keep_screenshot(&mut self, path: Option<&str>, file: &[u8]) -> Result<String, String>;

    /// The absolute path of a file that the plan names for a page.
    fn upload(&self, path: &str) -> Result<PathBuf, String> {
        Err(format!("{path}: this program gives no files to pages"))
    }

    /// Called for each observation.
    fn screen_observed(&mut self, _screen: &UiTree) {}

    /// The text without the contents of password fields that were seen on the device.
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    /// The references that were given for the device; `None` if this process gives none.
    fn refs(&self) -> Option<Refs> {
        None
    }
}

/// The references of a step's matchers.
#[derive(Debug, Default)]
pub(crate) struct StepRefs {
    pub(crate) references: Vec<String>,
    /// The matchers of printed elements.
    pub(crate) printed: Vec<NodeMatcher>,
    /// The last screen.
    pub(crate) seen: Option<Arc<UiTree>>,
    /// The last screen, and the references that were stale on it.
    pub(crate) stale: Option<(Arc<UiTree>, Vec<String>)>,
}

/// The running step: the device, the screens so far, and what belongs to the step alone.
pub(crate) struct StepContext<'a> {
    pub(crate) device: DeviceSession<'a>,
    pub(crate) history: ScreenHistory,
    pub(crate) artifacts: &'a mut dyn Artifacts,
    pub(crate) rng: JitterRng,
    pub(crate) warnings: Vec<Warning>,
    /// The step's index in the plan.
    pub(crate) index: usize,
    /// Whether the step changes nothing, except by scrolling to its target.
    pub(crate) is_read_only: bool,
    /// The references of the step.
    pub(crate) refs: StepRefs,
    /// The rules for interruptions.
    pub(crate) interrupts: Interrupts<'a>,
}

impl<'a> StepContext<'a> {
    /// The context of the first step of a run.
    pub(crate) fn new(
        driver: &'a mut dyn Driver,
        execution: &'a Execution,
        artifacts: &'a mut dyn Artifacts,
        cx: Cx,
    ) -> Self {
        StepContext {
            device: DeviceSession::new(driver, cx),
            history: ScreenHistory::new(execution.observes()),
            artifacts,
            rng: JitterRng::new(execution.command_id()),
            warnings: Vec::new(),
            index: 0,
            is_read_only: false,
            refs: StepRefs::default(),
            interrupts: Interrupts::new(execution),
        }
    }

    /// Prepares for the step at `index`.
    pub(crate) fn begin_step(&mut self, index: usize, action: &Action) {
        self.index = index;
        self.is_read_only = action.params().facts().effects.is_empty();
        self.device.begin_step();
    }
}

impl StepContext<'_> {
    /// Sets the CSS selectors of the step on the device.
    pub(crate) fn watch_selectors(&mut self, css: &[&str]) -> Result<(), Failure> {
        match self.device.browser().0.watch_selectors(css) {
            Err(DriverError::Unsupported(_)) => {
                let selector = css.first().copied().unwrap_or_default();
                Err(Failure::new(
                    ErrorCode::SelectorNotSupported,
                    format!(
                        "this device shows no web page, so nothing matches the CSS selector {}; nothing was done",
                        quoted(selector)
                    ),
                ))
            }
            done => Ok(done?),
        }
    }

    /// Warns about new console errors and failed requests of the page, and about events that no action of the run caused.
    pub(crate) async fn warn_of_page(&mut self) {
        let (browser, cx) = self.device.browser();
        let new = browser.new_page_errors(cx).await;
        let background = browser.background_events();
        if !new.is_empty() {
            let message = format!("{new}; read_console lists them");
            let message = self.artifacts.mask(&message).into_owned();
            self.warnings
                .push(Warning::new(WarningCode::PageErrors, message));
        }
        self.warnings
            .extend(side_effects::background_warnings(background));
    }

    /// The references for messages, if the plan requests effects: then its reader knows references, too.
    pub(crate) fn refs_for_answers(&self) -> Option<Refs> {
        let is_read = self.history.effects.is_requested();
        self.artifacts.refs().filter(|_| is_read)
    }

    /// Warns, once per step, that a single-node matcher matches several nodes that no modal dialog covers.
    pub(crate) fn warn_on_several_matches(
        &mut self,
        key: ParamKey,
        matcher: &NodeMatcher,
        (tree, all): (&UiTree, &[NodeId]),
        chosen: (NodeId, &str),
    ) {
        let path = format!("actions.{}.params.{}", self.index, key.as_str());
        // Only the last lookup of a step counts.
        self.warnings.retain(|warning| {
            warning.code != WarningCode::SeveralMatches || warning.path.as_deref() != Some(&*path)
        });
        let all = tree.uncovered(all);
        let count = all.len();
        if count > 1 {
            let refs = self.refs_for_answers();
            let (node, which) = chosen;
            let message = format!(
                "{} matches {count} nodes; {which} is meant: {}",
                truncated(matcher),
                ambiguous_match::describe(tree, all, node, refs.as_ref())
            );
            self.warnings
                .push(Warning::new(WarningCode::SeveralMatches, message).at(path));
        }
    }

    /// Drops the step's warnings about several matches: its node was missing in the end.
    pub(crate) fn forget_several_matches(&mut self) {
        let step = format!("actions.{}.", self.index);
        self.warnings.retain(|warning| {
            let path = warning.path.as_deref().unwrap_or_default();
            warning.code != WarningCode::SeveralMatches || !path.starts_with(&step)
        });
    }
}
