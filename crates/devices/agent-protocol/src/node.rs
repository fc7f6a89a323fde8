//! A node of an observation.

use std::sync::Arc;

use bitflags::bitflags;

use crate::body::{BodyReader, BodyWriter, Decoded, TextTable, Texts};
use crate::decode_error::Problem;

/// Maximum number of extras of a node.
pub const MAX_EXTRAS: usize = 64;
/// Minimum number of bytes of a node: three numbers and four of its bounds.
pub(crate) const MIN_NODE_BYTES: usize = 7;

bitflags! {
    /// The states of a node.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct NodeFlags: u32 {
        /// Enabled.
        const ENABLED = 1 << 0;
        /// Visible to the user.
        const VISIBLE = 1 << 1;
        /// Takes clicks.
        const CLICKABLE = 1 << 2;
        /// Takes long clicks.
        const LONG_CLICKABLE = 1 << 3;
        /// Can take the focus.
        const FOCUSABLE = 1 << 4;
        /// Has the focus.
        const FOCUSED = 1 << 5;
        /// Can be checked.
        const CHECKABLE = 1 << 6;
        /// Is checked.
        const CHECKED = 1 << 7;
        /// Is selected.
        const SELECTED = 1 << 8;
        /// Scrolls.
        const SCROLLABLE = 1 << 9;
        /// Masks its text.
        const PASSWORD = 1 << 10;
        /// Takes text.
        const EDITABLE = 1 << 11;
        /// Is a heading.
        const HEADING = 1 << 12;
        /// Shows its hint as its text.
        const SHOWING_HINT = 1 << 13;
        /// Has the accessibility focus.
        const ACCESSIBILITY_FOCUSED = 1 << 14;
        /// Can be dismissed.
        const DISMISSABLE = 1 << 15;
        /// Takes several lines.
        const MULTI_LINE = 1 << 16;
        /// Its content is invalid.
        const CONTENT_INVALID = 1 << 17;
        /// Is important for accessibility.
        const IMPORTANT = 1 << 18;
        /// A screen reader stops at it.
        const SCREEN_READER_FOCUSABLE = 1 << 19;
        /// Is partially checked.
        const PARTIALLY_CHECKED = 1 << 20;
    }
}

bitflags! {
    /// What can be done with a node: the platform's actions.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct NodeActions: u64 {
        /// The platform's action bits 0 to 21.
        const PLATFORM = (1 << 22) - 1;
        /// Click.
        const CLICK = 1 << 4;
        /// Scroll forward, on whichever axis it scrolls.
        const SCROLL_FORWARD = 1 << 12;
        /// Scroll backward, on whichever axis it scrolls.
        const SCROLL_BACKWARD = 1 << 13;
        /// Show on screen.
        const SHOW_ON_SCREEN = 1 << 32;
        /// Scroll up.
        const SCROLL_UP = 1 << 33;
        /// Scroll down.
        const SCROLL_DOWN = 1 << 34;
        /// Scroll left.
        const SCROLL_LEFT = 1 << 35;
        /// Scroll right.
        const SCROLL_RIGHT = 1 << 36;
        /// The editor action.
        const EDITOR_ACTION = 1 << 37;
        /// Set the progress.
        const SET_PROGRESS = 1 << 38;
    }
}

bitflags! {
    /// The fields that follow the place of a node.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct Fields: u32 {
        const CLASS = 1 << 0;
        const PACKAGE = 1 << 1;
        const RESOURCE_ID = 1 << 2;
        const TEXT = 1 << 3;
        const HINT = 1 << 4;
        const DESCRIPTION = 1 << 5;
        const STATE_DESCRIPTION = 1 << 6;
        const ERROR = 1 << 7;
        const PANE_TITLE = 1 << 8;
        const TOOLTIP = 1 << 9;
        const UNIQUE_ID = 1 << 10;
        const INPUT_TYPE = 1 << 11;
        const MAX_TEXT = 1 << 12;
        const COLLECTION = 1 << 13;
        const ITEM = 1 << 14;
        const RANGE = 1 << 15;
        const SELECTION = 1 << 16;
        const LIVE_REGION = 1 << 17;
        const ACTIONS = 1 << 18;
        const EXTRAS = 1 << 19;
    }
}

/// A list or grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collection {
    pub rows: i32,
    pub columns: i32,
    /// The platform's selection mode.
    pub selection_mode: u32,
}

/// The place of a node in a list or grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectionItem {
    /// Its first row.
    pub row: i32,
    /// The number of its rows.
    pub row_span: i32,
    /// Its first column.
    pub column: i32,
    /// The number of its columns.
    pub column_span: i32,
}

/// The value of a slider or progress bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The platform's type.
    pub kind: u32,
    /// The lowest value.
    pub lowest: f32,
    pub highest: f32,
    pub current: f32,
}

/// The selected part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    pub start: i32,
    pub end: i32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeRecord {
    /// The number of its children, each of which follows with its own subtree.
    pub children: u32,
    /// Its states.
    pub flags: NodeFlags,
    /// Its first column, relative to its parent.
    pub left: i32,
    /// Its first row, relative to its parent.
    pub top: i32,
    pub width: i32,
    pub height: i32,
    pub class: Option<Arc<str>>,
    /// The package of its app.
    pub package: Option<Arc<str>>,
    pub resource_id: Option<Arc<str>>,
    pub text: Option<Arc<str>>,
    pub hint: Option<Arc<str>>,
    /// Its content description.
    pub description: Option<Arc<str>>,
    pub state_description: Option<Arc<str>>,
    /// The error that it shows.
    pub error: Option<Arc<str>>,
    pub pane_title: Option<Arc<str>>,
    pub tooltip: Option<Arc<str>>,
    pub unique_id: Option<Arc<str>>,
    /// The platform's input type.
    pub input_type: Option<u32>,
    /// The most characters that it takes.
    pub longest_text: Option<u32>,
    /// If it is a list or grid.
    pub collection: Option<Collection>,
    /// If it is in one.
    pub item: Option<CollectionItem>,
    /// If it has a value.
    pub range: Option<Range>,
    /// The selected part of its text.
    pub selection: Option<Selection>,
    /// The platform's live region.
    pub live_region: Option<u32>,
    /// What can be done with it.
    pub actions: Option<NodeActions>,
    /// Keys and values of its extras.
    pub extras: Vec<(Arc<str>, Arc<str>)>,
}

impl NodeRecord {
    fn texts(&self) -> [(Fields, Option<&Arc<str>>); 11] {
        [
            (Fields::CLASS, self.class.as_ref()),
            (Fields::PACKAGE, self.package.as_ref()),
            (Fields::RESOURCE_ID, self.resource_id.as_ref()),
            (Fields::TEXT, self.text.as_ref()),
            (Fields::HINT, self.hint.as_ref()),
            (Fields::DESCRIPTION, self.description.as_ref()),
            (Fields::STATE_DESCRIPTION, self.state_description.as_ref()),
            (Fields::ERROR, self.error.as_ref()),
            (Fields::PANE_TITLE, self.pane_title.as_ref()),
            (Fields::TOOLTIP, self.tooltip.as_ref()),
            (Fields::UNIQUE_ID, self.unique_id.as_ref()),
        ]
    }

    fn fields(&self) -> Fields {
        let mut fields = Fields::empty();
        for (field, text) in self.texts() {
            fields.set(field, text.is_some());
        }
        fields.set(Fields::INPUT_TYPE, self.input_type.is_some());
        fields.set(Fields::MAX_TEXT, self.longest_text.is_some());
        fields.set(Fields::COLLECTION, self.collection.is_some());
        fields.set(Fields::ITEM, self.item.is_some());
        fields.set(Fields::RANGE, self.range.is_some());
        fields.set(Fields::SELECTION, self.selection.is_some());
        fields.set(Fields::LIVE_REGION, self.live_region.is_some());
        fields.set(Fields::ACTIONS, self.actions.is_some());
        fields.set(Fields::EXTRAS, !self.extras.is_empty());
        fields
    }

    pub(crate) fn encode(&self, body: &mut BodyWriter, table: &mut TextTable) {
        body.uint(self.children);
        body.uint(self.flags.bits());
        body.uint(self.fields().bits());
        for edge in [self.left, self.top, self.width, self.height] {
            body.int(edge);
        }
        for (_, text) in self.texts() {
            if text.is_some() {
                body.uint(table.reference(text));
            }
        }
        for number in [self.input_type, self.longest_text].into_iter().flatten() {
            body.uint(number);
        }
        if let Some(collection) = self.collection {
            body.int(collection.rows);
            body.int(collection.columns);
            body.uint(collection.selection_mode);
        }
        if let Some(item) = self.item {
            for number in [item.row, item.row_span, item.column, item.column_span] {
                body.int(number);
            }
        }
        if let Some(range) = self.range {
            body.uint(range.kind);
            for number in [range.lowest, range.highest, range.current] {
                body.float(number);
            }
        }
        if let Some(selection) = self.selection {
            body.int(selection.start);
            body.int(selection.end);
        }
        if let Some(live_region) = self.live_region {
            body.uint(live_region);
        }
        if let Some(actions) = self.actions {
            body.uint(actions.bits());
        }
        if !self.extras.is_empty() {
            body.count(self.extras.len());
            for (key, value) in &self.extras {
                body.uint(table.reference(Some(key)));
                body.uint(table.reference(Some(value)));
            }
        }
    }

    pub(crate) fn decode(body: &mut BodyReader<'_>, texts: &Texts) -> Decoded<Self> {
        let children = body.number("number of children")?;
        let flags = body.known("node flags", |bits| {
            NodeFlags::from_bits(u32::try_from(bits).ok()?)
        })?;
        let fields = body.known("fields of a node", |bits| {
            Fields::from_bits(u32::try_from(bits).ok()?)
        })?;
        let left = body.int("left")?;
        let top = body.int("top")?;
        let width = body.int("width")?;
        let height = body.int("height")?;
        let text = |body: &mut BodyReader<'_>, field: Fields, what: &'static str| {
            if fields.contains(field) {
                texts.read(body, what)
            } else {
                Ok(None)
            }
        };
        let class = text(body, Fields::CLASS, "class")?;
        let package = text(body, Fields::PACKAGE, "package")?;
        let resource_id = text(body, Fields::RESOURCE_ID, "resource id")?;
        let shown = text(body, Fields::TEXT, "text")?;
        let hint = text(body, Fields::HINT, "hint")?;
        let description = text(body, Fields::DESCRIPTION, "content description")?;
        let state_description = text(body, Fields::STATE_DESCRIPTION, "state description")?;
        let error = text(body, Fields::ERROR, "error")?;
        let pane_title = text(body, Fields::PANE_TITLE, "pane title")?;
        let tooltip = text(body, Fields::TOOLTIP, "tooltip")?;
        let unique_id = text(body, Fields::UNIQUE_ID, "unique id")?;
        let mut node = Self {
            children,
            flags,
            left,
            top,
            width,
            height,
            class,
            package,
            resource_id,
            text: shown,
            hint,
            description,
            state_description,
            error,
            pane_title,
            tooltip,
            unique_id,
            ..Self::default()
        };
        if fields.contains(Fields::INPUT_TYPE) {
            node.input_type = Some(body.number("input type")?);
        }
        if fields.contains(Fields::MAX_TEXT) {
            node.longest_text = Some(body.number("longest text")?);
        }
        if fields.contains(Fields::COLLECTION) {
            node.collection = Some(Collection {
                rows: body.int("rows")?,
                columns: body.int("columns")?,
                selection_mode: body.number("selection mode")?,
            });
        }
        if fields.contains(Fields::ITEM) {
            node.item = Some(CollectionItem {
                row: body.int("row")?,
                row_span: body.int("row span")?,
                column: body.int("column")?,
                column_span: body.int("column span")?,
            });
        }
        if fields.contains(Fields::RANGE) {
            node.range = Some(Range {
                kind: body.number("type of a range")?,
                lowest: body.float("lowest value")?,
                highest: body.float("highest value")?,
                current: body.float("current value")?,
            });
        }
        if fields.contains(Fields::SELECTION) {
            node.selection = Some(Selection {
                start: body.int("start of the selection")?,
                end: body.int("end of the selection")?,
            });
        }
        if fields.contains(Fields::LIVE_REGION) {
            node.live_region = Some(body.number("live region")?);
        }
        if fields.contains(Fields::ACTIONS) {
            node.actions = Some(body.known("actions", NodeActions::from_bits)?);
        }
        if fields.contains(Fields::EXTRAS) {
            let count = body.count("number of extras", 2, MAX_EXTRAS)?;
            node.extras = Vec::with_capacity(count);
            for _ in 0..count {
                let at = body.at();
                let key = texts
                    .read(body, "key of an extra")?
                    .ok_or(BodyReader::error(
                        "key of an extra",
                        at,
                        Problem::Unknown(0),
                    ))?;
                let value = texts.read(body, "value of an extra")?;
                node.extras.push((key, value.unwrap_or_default()));
            }
        }
        Ok(node)
    }
}
