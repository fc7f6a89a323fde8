//! Tabs of a browser.

/// One tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabEntry {
    /// The name by which `--device` takes it.
    pub device: String,
    /// The title of its page.
    pub title: String,
    /// The URL of its page.
    pub url: String,
    /// Whether it is in front.
    pub current: bool,
    /// Its position among the tabs that were seen to open, from 1; `None` if it was open before.
    pub opened: Option<usize>,
}
