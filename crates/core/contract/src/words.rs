//! Closed sets of words, such as directions and keys: one macro gives each its parser, printer and schema.

/// Declares an enum whose values are words of the contract.
///
/// The first spelling is canonical; those after `|` are accepted on input.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[doc = $doc:expr])+ $variant:ident = $word:literal $(| $alias:literal)* ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[doc = $doc])+ $variant ),+
        }

        impl $name {
            /// Every value, in the order of the reference pages.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The canonical word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $word ),+
                }
            }

            /// Other accepted spellings.
            pub const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $( Self::$variant => &[$($alias),*] ),+
                }
            }

            /// The meaning of the value, from its doc comment.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $( Self::$variant => concat!($($doc),+).trim_ascii() ),+
                }
            }

            /// The value with exactly this spelling, including aliases.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $( $word $(| $alias)* => Some(Self::$variant), )+
                    _ => None,
                }
            }

            /// The value, ignoring case and surrounding white space.
            pub fn parse(text: &str) -> Option<Self> {
                let trimmed = text.trim();
                Self::from_word(trimmed).or_else(|| Self::from_word(&trimmed.to_lowercase()))
            }
        }

        impl $crate::words::Word for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }

            fn other_words(self) -> &'static [&'static str] {
                self.aliases()
            }

            fn read(word: &str) -> Option<Self> {
                Self::from_word(word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                Self::from_word(&word).ok_or_else(|| {
                    let known: Vec<&str> = Self::ALL.iter().map(|value| value.as_str()).collect();
                    serde::de::Error::custom(format_args!(
                        "`{word}` is none of {}",
                        known.join(", ")
                    ))
                })
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "enum": Self::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>(),
                })
            }
        }
    };
}

pub(crate) use words;

/// The common interface of enums made by `words!`.
pub(crate) trait Word: Copy + Ord + 'static {
    const ALL: &'static [Self];

    fn word(self) -> &'static str;

    fn other_words(self) -> &'static [&'static str];

    fn read(word: &str) -> Option<Self>;
}

/// The allowed values of a set, for messages.
pub(crate) fn choice<W: Word>() -> String {
    match W::ALL {
        [only] => format!("`{}`", only.word()),
        all => {
            let words: Vec<&str> = all.iter().map(|value| value.word()).collect();
            format!("one of {}", words.join(", "))
        }
    }
}

words! {
    /// The scroll direction: `down` shows content further down.
    pub enum Direction {
        /// Towards the end of a vertical list.
        Down = "down",
        /// Towards the start of a vertical list.
        Up = "up",
        /// Towards the left.
        Left = "left",
        /// Towards the right.
        Right = "right",
    }
}

words! {
    /// The type of a click.
    pub enum ClickType {
        /// A plain tap.
        Click = "default" | "click",
        /// A long press.
        LongClick = "long_click" | "longclick",
        /// Input focus only, no tap.
        Focus = "focus",
        /// Two clicks, which a page or an app takes as one double click.
        DoubleClick = "double_click" | "doubleclick" | "double_tap",
        /// A click of the right mouse button; on web pages only.
        RightClick = "right_click" | "rightclick" | "context_click",
    }
}

words! {
    /// How the screen of a phone is turned.
    pub enum Orientation {
        /// Higher than wide.
        Portrait = "portrait",
        /// Wider than high.
        Landscape = "landscape",
        /// As the phone is held.
        Auto = "auto",
    }
}

words! {
    /// A key that can be pressed.
    pub enum Key {
        /// One step back.
        Back = "back",
        /// The home screen.
        Home = "home",
        /// The overview of recent apps.
        Recents = "recents",
        /// Enter, the editor's action.
        Enter = "enter",
        /// Deletes the character before the cursor.
        Delete = "delete",
        /// The next field.
        Tab = "tab",
        /// Escape.
        Escape = "escape",
        /// Louder.
        VolumeUp = "volume_up",
        /// Quieter.
        VolumeDown = "volume_down",
        /// The power button.
        Power = "power",
        /// The menu key.
        Menu = "menu",
        /// The search key.
        Search = "search",
    }
}

words! {
    /// The format of a screen.
    pub enum ScreenView {
        /// Every node with all attributes, as XML.
        HierarchyXml = "hierarchy_xml",
        /// One line for each visible element: role, text, id, states.
        Text = "text",
        /// The lines of `text` that can be acted on.
        Actionable = "actionable",
    }
}

words! {
    /// The author of the plan.
    pub enum Mode {
        /// A plan compiled from a stored artifact.
        ArtifactCompiled = "artifact_compiled",
        /// A plan made for this run.
        Direct = "direct",
    }
}

words! {
    /// Whether to continue after a failed step.
    pub enum OnFailure {
        /// The run stops; later steps are absent from the result.
        Stop = "stop",
        /// The run continues with the next step.
        Continue = "continue",
    }
}

words! {
    /// What happens when the element of a step is not found.
    pub enum OnMissing {
        /// The step fails.
        Fail = "fail",
        /// The step succeeds without doing anything, with `data.skipped`.
        Skip = "skip",
    }
}

words! {
    /// What the answer says about the screen after the last step.
    pub enum Observe {
        /// The effect of each step, in `data.effect` and `data.evidence`, as far as the steps observed it themselves.
        None = "none",
        /// Also what the plan changed, as lines of the text view; a new screen is returned whole.
        Diff = "diff",
        /// Also the whole screen, as text view.
        Screen = "screen",
    }
}

words! {
    /// The only format of executions.
    pub enum ExpectedFormat {
        /// The format of this contract.
        AndroidUiAutomator = "android-ui-automator",
    }
}

impl OnFailure {
    pub(crate) fn is_stop(&self) -> bool {
        matches!(self, Self::Stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_ignore_case_and_white_space() {
        assert_eq!(Direction::parse(" Down\n"), Some(Direction::Down));
        assert_eq!(ClickType::parse("LONGCLICK"), Some(ClickType::LongClick));
        assert_eq!(Key::parse("Volume_Up"), Some(Key::VolumeUp));
        assert_eq!(Direction::parse("downwards"), None);
        assert_eq!(Direction::parse(""), None);
    }

    #[test]
    fn wire_words_are_exact() {
        assert_eq!(
            serde_json::from_str::<Mode>("\"direct\"").unwrap(),
            Mode::Direct
        );
        assert!(serde_json::from_str::<Mode>("\"Direct\"").is_err());
    }
}
