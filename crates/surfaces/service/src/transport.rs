//! Which way leads to a phone, as it is asked for: by flags, by the environment, or by nobody.

use contract::{ErrorBody, ErrorCode};

use crate::operator_package::OperatorPackage;

/// The variable that asks for a way.
const VARIABLE: &str = "CLAWPERATOR_VIA";

/// Which way is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportChoice {
    /// The Operator app where it can be gone, else what every phone has.
    #[default]
    Auto,
    /// What every phone has, whatever else is installed.
    Stock,
    /// The Operator app, or an error that says what keeps it.
    Operator,
}

impl TransportChoice {
    /// The words for it, in the order of help.
    pub const WORDS: &'static [&'static str] = &["auto", "stock", "operator"];

    /// What a word means.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "auto" => Self::Auto,
            "stock" => Self::Stock,
            "operator" => Self::Operator,
            _ => return None,
        })
    }
}

/// Which way to a phone is asked for, and by which package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportOptions {
    asked: Result<Option<TransportChoice>, String>,
    package: OperatorPackage,
    /// Whether the answer is to say which way was taken: a way was asked for by its word.
    told: bool,
}

impl Default for TransportOptions {
    /// What the environment asks for.
    fn default() -> Self {
        Self::from_flags(None, None)
    }
}

impl TransportOptions {
    /// What flags ask for, else the environment. Empty values count as missing.
    pub fn from_flags(via: Option<TransportChoice>, package: Option<&str>) -> Self {
        Self::of(via, package, |name| std::env::var(name).ok())
    }

    fn of(
        via: Option<TransportChoice>,
        package: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let named = package.is_some_and(|name| !name.trim().is_empty());
        let surroundings = variable(OperatorPackage::VARIABLE);
        let word = variable(VARIABLE).filter(|word| !word.trim().is_empty());
        let told = via.is_some() || (!named && word.is_some());
        let asked = match (via, word) {
            (Some(via), _) => Ok(Some(via)),
            // Whoever names the app wants it, whatever is usual here.
            (None, _) if named => Ok(Some(TransportChoice::Operator)),
            (None, None) => Ok(None),
            (None, Some(word)) => TransportChoice::parse(word.trim()).map(Some).ok_or(word),
        };
        Self {
            asked,
            package: OperatorPackage::meant(package, surroundings.as_deref()),
            told,
        }
    }

    /// The way that is wanted.
    ///
    /// # Errors
    /// `USAGE` when the environment names none that there is, or a package that can be none.
    pub(crate) fn via(&self) -> Result<TransportChoice, ErrorBody> {
        match &self.asked {
            Ok(asked) => Ok(asked.unwrap_or_default()),
            Err(word) => {
                let word: String = word.chars().take(40).collect();
                let message = format!(
                    "{VARIABLE} is {word:?}; it must be one of {}",
                    TransportChoice::WORDS.join(", ")
                );
                Err(ErrorBody::new(ErrorCode::Usage, message)
                    .with_hint("Mend or unset the variable"))
            }
        }
    }

    /// Whether the answer is to say which way was taken.
    pub(crate) const fn reports_transport(&self) -> bool {
        self.told
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
    fn flags_count_before_the_environment() {
        let of = |via, package, word: &str, variable: &str| {
            TransportOptions::of(via, package, |name| {
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
        let wrong = of(None, None, "agent", "").via().unwrap_err();
        assert_eq!(wrong.code, ErrorCode::Usage);
        assert!(wrong.message.contains("auto, stock, operator"), "{wrong}");
        for word in TransportChoice::WORDS {
            assert!(TransportChoice::parse(word).is_some());
        }
    }
}
