//! The matchers of a step, whatever they are there for.

use super::{ClickTarget, Params};
use crate::matcher::NodeMatcher;

impl Params {
    /// Every matcher in these params: what is meant, where to look, what is waited for.
    pub fn matchers(&self) -> impl Iterator<Item = &NodeMatcher> {
        let (one, other) = match self {
            Self::Click(params) => {
                let meant = match &params.target {
                    ClickTarget::Node(matcher) => Some(matcher),
                    ClickTarget::Point(_) => None,
                };
                (meant, params.container.as_ref())
            }
            Self::WaitForNode(params) => (Some(&params.matcher), params.container.as_ref()),
            Self::ScrollAndClick(params) => (Some(&params.matcher), params.container.as_ref()),
            Self::Scroll(params) => (None, params.container.as_ref()),
            Self::ScrollUntil(params) => (params.matcher.as_ref(), params.container.as_ref()),
            Self::ReadText(params) => (Some(&params.matcher), params.container.as_ref()),
            Self::EnterText(params) => (Some(&params.matcher), params.container.as_ref()),
            Self::WaitForNavigation(params) => (params.expected_node.as_ref(), None),
            Self::ReadKeyValuePair(params) => {
                (Some(&params.label_matcher), params.container.as_ref())
            }
            Self::OpenApp(_)
            | Self::OpenUri(_)
            | Self::CloseApp(_)
            | Self::StartRecording(_)
            | Self::StopRecording(_)
            | Self::SnapshotUi(_)
            | Self::TakeScreenshot(_)
            | Self::Sleep(_)
            | Self::PressKey(_) => (None, None),
        };
        one.into_iter().chain(other)
    }

    /// Every CSS selector in these params, each once.
    #[must_use]
    pub fn css(&self) -> Vec<&str> {
        let mut selectors: Vec<&str> = self
            .matchers()
            .filter_map(|matcher| matcher.css.as_deref())
            .collect();
        selectors.dedup();
        selectors
    }
}
