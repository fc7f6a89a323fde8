//! What the table of error codes is made of: the classes, and the macro that turns rows into the enum.

use crate::words::words;

words! {
    /// What kind of failure a code stands for; surfaces derive their own status from it.
    pub enum ErrorClass {
        /// The request itself is wrong; sending it again unchanged cannot help.
        Usage = "usage",
        /// The device cannot do what was asked, however it is asked.
        Unsupported = "unsupported",
        /// Something that was named is not there.
        NotFound = "not_found",
        /// Something else is under way that excludes this.
        Conflict = "conflict",
        /// Time ran out.
        Timeout = "timeout",
        /// Somebody called it off.
        Cancelled = "cancelled",
        /// The screen was not as the step needs it.
        Step = "step",
        /// The device or the way to it failed.
        Device = "device",
        /// A fault of the program.
        Internal = "internal",
    }
}

/// Declares the error codes: variant, string, class, meaning, what to do about it, and where it is answered.
macro_rules! codes {
    ( $( $class:ident { $( $variant:ident = $string:literal, $meaning:literal, $fix:literal, $place:literal; )+ } )+ ) => {
        /// A stable error code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode {
            $( $( #[doc = $meaning] $variant, )+ )+
        }

        impl ErrorCode {
            /// Every code, grouped by class.
            pub const ALL: &[Self] = &[ $( $( Self::$variant, )+ )+ ];

            /// The string on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( $( Self::$variant => $string, )+ )+ }
            }

            /// Finds the code with this string.
            #[must_use]
            pub fn parse(string: &str) -> Option<Self> {
                match string {
                    $( $( $string => Some(Self::$variant), )+ )+
                    _ => None,
                }
            }

            /// What kind of failure this is.
            #[must_use]
            pub const fn class(self) -> ErrorClass {
                match self { $( $( Self::$variant => ErrorClass::$class, )+ )+ }
            }

            /// What it means, in one sentence without a full stop.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $( $( Self::$variant => $meaning, )+ )+ }
            }

            /// Which requests or steps are answered with it, in Markdown.
            #[must_use]
            pub const fn place(self) -> &'static str {
                match self { $( $( Self::$variant => $place, )+ )+ }
            }

            /// What to do about it, in one sentence without a full stop.
            #[must_use]
            pub const fn fix(self) -> &'static str {
                match self { $( $( Self::$variant => $fix, )+ )+ }
            }
        }
    };
}

pub(super) use codes;
