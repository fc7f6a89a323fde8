//! Measures the web side: how many descriptions are understood, and how fast it is compared with other tools.

/// Defines an enum whose values have names in reports and on the command line.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $of:ident { $($(#[$about:meta])* $value:ident = $name:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $of {
            $($(#[$about])* $value),+
        }

        impl $of {
            /// Every value, in the order of reports.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }
    };
}

pub mod browser;
pub mod gold;
pub mod inspect;
pub mod mcp;
pub mod mcp_server;
pub mod node;
pub mod numbers;
pub mod pages;
mod phone_screens;
pub mod serve;
pub mod suite;
pub mod tab;
pub mod tasks;
mod tokenizer;
pub mod views;
pub mod web;
