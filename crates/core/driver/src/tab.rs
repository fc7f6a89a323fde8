//! Tabs of a browser.

/// One tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabEntry {
    /// Its name for `--device`.
    pub device: String,
    /// The title of its page.
    pub title: String,
    /// The URL of its page.
    pub url: String,
    /// Whether it is in front.
    pub current: bool,
    /// Its position among the tabs that opened while the driver was attached, from 1; `None` if it was open before.
    pub opened: Option<usize>,
}
