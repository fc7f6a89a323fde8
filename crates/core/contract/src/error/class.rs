//! The classes of error codes, and the macro that turns rows into the enum.

use crate::words::words;

words! {
    /// The class of an error code; surfaces derive their own status from it.
    pub enum ErrorClass {
        /// The request is wrong; repeating it unchanged cannot help.
        Usage = "usage",
        /// The device cannot do this at all.
        Unsupported = "unsupported",
        /// The named thing does not exist.
        NotFound = "not_found",
        /// Something else is running that excludes this.
        Conflict = "conflict",
        /// The time limit was reached.
        Timeout = "timeout",
        /// The caller cancelled it.
        Cancelled = "cancelled",
        /// The screen did not allow the step.
        Step = "step",
        /// The device or the connection to it failed.
        Device = "device",
        /// A bug in the program.
        Internal = "internal",
    }
}

/// Declares the error codes: variant, string, class, meaning, hint, and where it occurs.
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

            /// The string in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $( $( Self::$variant => $string, )+ )+ }
            }

            /// Finds the code with this string.
            pub fn parse(string: &str) -> Option<Self> {
                match string {
                    $( $( $string => Some(Self::$variant), )+ )+
                    _ => None,
                }
            }

            /// Its class.
            pub const fn class(self) -> ErrorClass {
                match self { $( $( Self::$variant => ErrorClass::$class, )+ )+ }
            }

            /// Its meaning, in one sentence without a full stop.
            pub const fn meaning(self) -> &'static str {
                match self { $( $( Self::$variant => $meaning, )+ )+ }
            }

            /// The requests or steps that it answers, in Markdown.
            pub const fn place(self) -> &'static str {
                match self { $( $( Self::$variant => $place, )+ )+ }
            }

            /// The hint, in one sentence without a full stop.
            pub const fn hint(self) -> &'static str {
                match self { $( $( Self::$variant => $fix, )+ )+ }
            }
        }
    };
}

pub(super) use codes;
