//! The requested transport to phones, from flags or the environment.

use contract::{ErrorBody, ErrorCode};

use crate::operator_package::OperatorPackage;

/// The environment variable.
const VARIABLE: &str = "CLAWPERATOR_VIA";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportChoice {
    /// The agent if possible, else the runtime app, else the Operator app, else stock tools.
    #[default]
    Auto,
    /// The agent, or an error that says why not.
    Agent,
    /// The runtime app, or an error that says why not.
    App,
    /// Stock tools.
    Stock,
    /// The Operator app, or an error that says why not.
    Operator,
}

impl TransportChoice {
    /// Their names, in the order of help.
    pub const WORDS: &'static [&'static str] = &["auto", "agent", "app", "stock", "operator"];

    /// Parses a name.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "auto" => Self::Auto,
            "agent" => Self::Agent,
            "app" => Self::App,
            "stock" => Self::Stock,
            "operator" => Self::Operator,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportOptions {
    choice: Result<Option<TransportChoice>, String>,
    package: OperatorPackage,
    /// Whether one was requested by name, so that `auto` warns if it does not use the Operator app.
    is_reported: bool,
}

impl Default for TransportOptions {
    /// The options from the environment.
    fn default() -> Self {
        Self::from_flags(None, None)
    }
}

impl TransportOptions {
    /// The options from flags, else from the environment. Empty values count as unset.
    pub fn from_flags(via: Option<TransportChoice>, package: Option<&str>) -> Self {
        Self::read(via, package, |name| std::env::var(name).ok())
    }

    fn read(
        via: Option<TransportChoice>,
        package: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let named = package.is_some_and(|name| !name.trim().is_empty());
        let surroundings = variable(OperatorPackage::VARIABLE);
        let word = variable(VARIABLE).filter(|word| !word.trim().is_empty());
        let is_reported = via.is_some() || (!named && word.is_some());
        let choice = match (via, word) {
            (Some(via), _) => Ok(Some(via)),
            // Naming the app requests it.
            (None, _) if named => Ok(Some(TransportChoice::Operator)),
            (None, None) => Ok(None),
            (None, Some(word)) => TransportChoice::parse(word.trim()).map(Some).ok_or(word),
        };
        Self {
            choice,
            package: OperatorPackage::select(package, surroundings.as_deref()),
            is_reported,
        }
    }

    /// The requested transport.
    ///
    /// # Errors
    /// `USAGE` for an unknown transport or an invalid package.
    pub(crate) fn via(&self) -> Result<TransportChoice, ErrorBody> {
        match &self.choice {
            Ok(choice) => Ok(choice.unwrap_or_default()),
            Err(word) => {
                let word = contract::truncate(word, 40);
                let message = format!(
                    "invalid value {word:?} for {VARIABLE} (expected {})",
                    TransportChoice::WORDS.join(", ")
                );
                Err(ErrorBody::new(ErrorCode::Usage, message)
                    .with_hint("Correct or unset the variable"))
            }
        }
    }

    /// Whether a transport was requested by name.
    pub(crate) const fn reports_transport(&self) -> bool {
        self.is_reported
    }

    /// The package of the Operator app.
    pub(crate) const fn package(&self) -> &OperatorPackage {
        &self.package
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_override_the_environment() {
        let of = |via, package, word: &str, variable: &str| {
            TransportOptions::read(via, package, |name| {
                Some(if name == VARIABLE { word } else { variable }.to_owned())
            })
        };
        let nothing = of(None, None, " ", "");
        assert_eq!(nothing.via().unwrap(), TransportChoice::Auto);
        assert!(!nothing.reports_transport());
        assert_eq!(nothing.package().name(), OperatorPackage::RELEASE);
        let named = of(None, Some("a.b"), "stock", "c.d");
        assert_eq!(named.via().unwrap(), TransportChoice::Operator);
        assert_eq!(named.package().name(), "a.b");
        let flag = of(Some(TransportChoice::Auto), None, "stock", "c.d");
        assert_eq!(flag.via().unwrap(), TransportChoice::Auto);
        assert!(flag.reports_transport());
        assert_eq!(flag.package().name(), "c.d");
        assert_eq!(
            of(None, None, "stock", "").via().unwrap(),
            TransportChoice::Stock
        );
        let wrong = of(None, None, "robot", "").via().unwrap_err();
        assert_eq!(wrong.code, ErrorCode::Usage);
        assert!(
            wrong.message.contains("auto, agent, app, stock, operator"),
            "{wrong}"
        );
        for word in TransportChoice::WORDS {
            assert!(TransportChoice::parse(word).is_some());
        }
    }
}
