//! The table of actions: names, aliases, params, and everything derived from it.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::{
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    words::{OnMissing, Word, words},
};

/// The params of an action, declared with `params!`.
pub(crate) trait ReadParams: Sized {
    /// Reads the keys and checks their rules; `None` only if a problem was recorded.
    fn read(reader: &mut ParamReader<'_>) -> Option<Self>;
}

/// Facts about the params of an action.
pub(crate) trait ActionParams: ReadParams {
    /// Facts about the action type.
    const FACTS: KindFacts;

    /// Facts about this step.
    fn facts(&self) -> StepFacts<'_>;
}

/// Declares the params of an action. A field is read by what follows its `=`, else by a variable of its name in the block after
/// the reader. Everything is read before anything is refused, so that every problem is reported.
macro_rules! params {
    (
        |$reader:ident| $({ $($block:tt)* })?
        $(#[$attr:meta])*
        pub struct $name:ident { $($fields:tt)* }
    ) => {
        params! { @ [$name $reader { $($($block)*)? } $(#[$attr])*] [] [] $($fields)* }
    };
    (@ $head:tt [$($declared:tt)*] [$($read:tt)*]
        $(#[$attr:meta])* $field:ident: Option<$type:ty> $(= $value:expr)?, $($rest:tt)*
    ) => {
        params! {
            @ $head
            [$($declared)*
                $(#[$attr])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            ]
            [$($read)* ($field $(= $value)?)]
            $($rest)*
        }
    };
    (@ $head:tt [$($declared:tt)*] [$($read:tt)*]
        $(#[$attr:meta])* $field:ident: $type:ty $(= $value:expr)?, $($rest:tt)*
    ) => {
        params! {
            @ $head
            [$($declared)* $(#[$attr])* pub $field: $type,]
            [$($read)* ($field $(= $value)?)]
            $($rest)*
        }
    };
    (@ [$name:ident $reader:ident { $($block:tt)* } $(#[$attr:meta])*]
        [$($declared:tt)*] [$(($field:ident $(= $value:expr)?))*]
    ) => {
        #[derive(Debug, Clone, PartialEq, serde::Serialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(deny_unknown_fields)]
        $(#[$attr])*
        pub struct $name { $($declared)* }

        impl $crate::actions::ReadParams for $name {
            fn read($reader: &mut $crate::params::ParamReader<'_>) -> Option<Self> {
                $($block)*
                $( $(let $field = $value;)? )*
                Some(Self { $($field: $crate::read::Field::field($field)?),* })
            }
        }
    };
}

/// Gives an action its retry policy: that of its params, else a preset.
macro_rules! retry_policy {
    ($action:ident: $preset:ident) => {
        impl $action {
            /// The retry policy in effect.
            pub fn retry(&self) -> $crate::retry::Retry {
                self.retry
                    .map_or($crate::retry::Retry::$preset, |retry| retry.policy())
            }
        }
    };
}

/// Declares accessors of params that may be left out: name, type and value, with the default.
macro_rules! accessors {
    ($action:ident, $this:ident: $($name:ident: $type:ty = $value:expr;)+) => {
        impl $action {
            $(
                #[doc = concat!("`", stringify!($name), "` in effect.")]
                pub fn $name(&self) -> $type {
                    let $this = self;
                    $value
                }
            )+
        }
    };
}

/// Declares the actions: file, params struct, canonical name, accepted spellings.
macro_rules! actions {
    ( $( $module:ident :: $variant:ident = $word:literal $(| $alias:literal)* ),+ $(,)? ) => {
        $( mod $module; pub use $module::$variant; )+

        words! {
            /// The type of an action.
            pub enum ActionKind {
                $( #[doc = concat!("`", $word, "`, see [`", stringify!($variant), "`](crate::actions::", stringify!($variant), ").")]
                $variant = $word $(| $alias)* ),+
            }
        }

        /// The params of an action, one struct per action type.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Params {
            $( #[doc = concat!("The params of `", $word, "`.")] $variant($variant) ),+
        }

        impl Params {
            /// The type of action that these params belong to.
            pub const fn kind(&self) -> ActionKind {
                match self { $( Self::$variant(_) => ActionKind::$variant ),+ }
            }

            pub(crate) fn read(kind: ActionKind, reader: &mut ParamReader<'_>) -> Option<Self> {
                match kind {
                    $( ActionKind::$variant => <$variant as ReadParams>::read(reader).map(Self::$variant) ),+
                }
            }

            /// Facts about this step.
            pub fn facts(&self) -> StepFacts<'_> {
                match self { $( Self::$variant(params) => params.facts() ),+ }
            }
        }

        impl serde::Serialize for Params {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $( Self::$variant(params) => params.serialize(serializer) ),+ }
            }
        }

        impl ActionKind {
            /// Facts about this action type.
            pub const fn facts(self) -> &'static KindFacts {
                match self { $( Self::$variant => &<$variant as ActionParams>::FACTS ),+ }
            }

            /// The schema of this action's own params.
            fn own_params_schema(self, generator: &mut SchemaGenerator) -> Schema {
                match self { $( Self::$variant => generator.subschema_for::<$variant>() ),+ }
            }

            /// The definition name of that schema.
            pub(crate) fn params_name(self) -> std::borrow::Cow<'static, str> {
                match self { $( Self::$variant => <$variant as JsonSchema>::schema_name() ),+ }
            }
        }
    };
}

actions! {
    open_app::OpenApp = "open_app",
    open_uri::OpenUri = "open_uri" | "open_url",
    close_app::CloseApp = "close_app",
    start_recording::StartRecording = "start_recording",
    stop_recording::StopRecording = "stop_recording",
    wait_for_node::WaitForNode = "wait_for_node" | "wait_for" | "find" | "find_node",
    explain::Explain = "explain",
    click::Click = "click" | "tap" | "press",
    hover::Hover = "hover",
    drag::Drag = "drag" | "drag_and_drop",
    scroll_and_click::ScrollAndClick = "scroll_and_click",
    scroll::Scroll = "scroll",
    scroll_until::ScrollUntil = "scroll_until",
    read_text::ReadText = "read_text" | "read",
    enter_text::EnterText = "enter_text" | "type_text" | "text_entry" | "input_text",
    select_options::SelectOptions = "select_options" | "select_option" | "choose",
    upload::Upload = "upload" | "upload_file" | "set_files",
    snapshot_ui::SnapshotUi = "snapshot_ui" | "snapshot",
    take_screenshot::TakeScreenshot = "take_screenshot" | "screenshot" | "capture_screenshot",
    sleep::Sleep = "sleep",
    press_key::PressKey = "press_key" | "key_press",
    wait_for_navigation::WaitForNavigation = "wait_for_navigation",
    wait_until::WaitUntil = "wait_until",
    tab::Tab = "tab",
    resize_window::ResizeWindow = "resize_window" | "set_window_size" | "set_viewport",
    read_console::ReadConsole = "read_console" | "console",
    read_key_value_pair::ReadKeyValuePair = "read_key_value_pair",
    read_clipboard::ReadClipboard = "read_clipboard" | "get_clipboard",
    set_clipboard::SetClipboard = "set_clipboard",
    set_orientation::SetOrientation = "set_orientation" | "set_rotation",
}

mod facts;
mod prelude;
mod validator;

pub use click::ClickTarget;
pub use enter_text::TextTarget;
pub use facts::{DeviceKind, Effect, KindFacts, Performer, Requirement, ReturnedData, StepFacts};
pub use tab::TabOp;
pub use validator::{Validator, ValidatorName};

/// The description of `onMissing`, which all actions that look for a node share.
const ON_MISSING: &str = "What happens if the node is not found after all retries: `skip` ends the step with success and \
    `data.skipped`. Any other failure stays one.";

/// Other tools' names for our actions, with the param that they imply.
const FOREIGN_NAMES: &[(&str, ActionKind, &str)] = &[
    ("why", ActionKind::Explain, ""),
    ("wait", ActionKind::WaitForNode, ""),
    ("wait_any", ActionKind::WaitUntil, ""),
    ("wait_for_any", ActionKind::WaitUntil, ""),
    ("wait_for_condition", ActionKind::WaitUntil, ""),
    ("wait_for_element", ActionKind::WaitForNode, ""),
    ("wait_for_app", ActionKind::WaitForNavigation, ""),
    ("type", ActionKind::EnterText, ""),
    ("fill", ActionKind::EnterText, ""),
    ("set_text", ActionKind::EnterText, ""),
    ("swipe", ActionKind::Scroll, ""),
    ("fling", ActionKind::Scroll, ""),
    ("scroll_to", ActionKind::ScrollUntil, ""),
    (
        "long_press",
        ActionKind::Click,
        r#""clickType":"long_click""#,
    ),
    (
        "long_click",
        ActionKind::Click,
        r#""clickType":"long_click""#,
    ),
    ("touch", ActionKind::Click, ""),
    (
        "double_click",
        ActionKind::Click,
        r#""clickType":"double_click""#,
    ),
    (
        "double_tap",
        ActionKind::Click,
        r#""clickType":"double_click""#,
    ),
    (
        "right_click",
        ActionKind::Click,
        r#""clickType":"right_click""#,
    ),
    ("mouse_move", ActionKind::Hover, ""),
    ("mouse_over", ActionKind::Hover, ""),
    ("select", ActionKind::SelectOptions, ""),
    ("attach_file", ActionKind::Upload, ""),
    ("back", ActionKind::PressKey, r#""key":"back""#),
    ("home", ActionKind::PressKey, r#""key":"home""#),
    ("launch", ActionKind::OpenApp, ""),
    ("launch_app", ActionKind::OpenApp, ""),
    ("start_app", ActionKind::OpenApp, ""),
    ("open", ActionKind::OpenApp, ""),
    ("stop_app", ActionKind::CloseApp, ""),
    ("kill_app", ActionKind::CloseApp, ""),
    ("get_text", ActionKind::ReadText, ""),
    ("dump", ActionKind::SnapshotUi, ""),
    ("ui_dump", ActionKind::SnapshotUi, ""),
    ("tabs", ActionKind::Tab, r#""op":"list""#),
    ("list_tabs", ActionKind::Tab, r#""op":"list""#),
    ("open_tab", ActionKind::Tab, r#""op":"open""#),
    ("new_tab", ActionKind::Tab, r#""op":"open""#),
    ("switch_tab", ActionKind::Tab, r#""op":"choose""#),
    ("choose_tab", ActionKind::Tab, r#""op":"choose""#),
    ("close_tab", ActionKind::Tab, r#""op":"close""#),
    ("rotate", ActionKind::SetOrientation, ""),
    ("orientation", ActionKind::SetOrientation, ""),
    ("delay", ActionKind::Sleep, ""),
    ("pause", ActionKind::Sleep, ""),
    ("read_value", ActionKind::ReadKeyValuePair, ""),
    ("tap_on", ActionKind::Click, ""),
    ("goto", ActionKind::OpenUri, ""),
    ("navigate", ActionKind::OpenUri, ""),
    ("open_link", ActionKind::OpenUri, ""),
    ("assert_visible", ActionKind::WaitForNode, ""),
    ("wait_for_selector", ActionKind::WaitForNode, ""),
    ("scroll_until_visible", ActionKind::ScrollUntil, ""),
    ("send_keys", ActionKind::EnterText, ""),
    ("erase_text", ActionKind::EnterText, r#""text":"""#),
    ("clear_text", ActionKind::EnterText, r#""text":"""#),
    ("hide_keyboard", ActionKind::PressKey, r#""key":"back""#),
];

/// The row of [`FOREIGN_NAMES`] for a name.
fn foreign_name(name: &str) -> Option<&'static (&'static str, ActionKind, &'static str)> {
    let letters = |name: &str| name.replace(['-', ' ', '_'], "").to_lowercase();
    let spelled = letters(name);
    FOREIGN_NAMES
        .iter()
        .find(|(other, ..)| letters(other) == spelled)
}

impl ActionKind {
    /// The action to show as an example when none was given.
    pub(crate) const SIMPLEST: Self = Self::PressKey;

    /// The schema of this action's params.
    pub(crate) fn params_schema(self, generator: &mut SchemaGenerator) -> Schema {
        let schema = self.own_params_schema(generator);
        if self.facts().takes_on_missing {
            let mut property = generator.subschema_for::<OnMissing>();
            property.insert("description".to_owned(), ON_MISSING.into());
            property.insert("default".to_owned(), OnMissing::Fail.as_str().into());
            let params = generator.definitions_mut().get_mut(&*self.params_name());
            let properties = params.and_then(|params| params.get_mut("properties"));
            if let Some(properties) = properties.and_then(Value::as_object_mut) {
                let key = ParamKey::OnMissing.as_str().to_owned();
                properties.insert(key, property.to_value());
            }
        }
        schema
    }

    /// An example of its params for the reference pages, as JSON.
    pub const fn example(self) -> &'static str {
        self.facts().example
    }

    /// The most likely type for an unknown name.
    pub fn nearest(name: &str) -> Option<Self> {
        if let Some((_, kind, _)) = foreign_name(name) {
            return Some(*kind);
        }
        let spellings = Self::ALL.iter().flat_map(|kind| {
            std::iter::once(kind.word()).chain(kind.other_words().iter().copied())
        });
        Self::from_word(crate::suggest::nearest(name.trim(), spellings)?)
    }

    /// The param that an unknown name implies in addition to its most likely type, as JSON: the click type of `long_press`.
    pub(crate) fn implied_param(name: &str) -> Option<&'static str> {
        foreign_name(name)
            .map(|(_, _, param)| *param)
            .filter(|param| !param.is_empty())
    }
}

impl Params {
    /// Every matcher in these params: the node, its container, and those of conditions.
    pub fn matchers(&self) -> impl Iterator<Item = &NodeMatcher> {
        let facts = self.facts();
        let own = facts.matchers.into_iter().flatten();
        own.chain(facts.condition_matchers)
    }

    /// Every CSS selector in these params, each once.
    pub fn css(&self) -> Vec<&str> {
        let mut selectors: Vec<&str> = self
            .matchers()
            .filter_map(|matcher| matcher.css.as_deref())
            .collect();
        selectors.dedup();
        selectors
    }

    /// Every reference in these params.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        self.matchers()
            .filter_map(|matcher| matcher.reference.as_deref())
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}
