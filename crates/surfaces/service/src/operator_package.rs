//! Which package the Operator app has: the one that is named, the one of the environment, or the release.

/// The package of the Operator app that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorPackage {
    name: String,
    asked: bool,
}

impl OperatorPackage {
    /// The package of releases.
    pub const RELEASE: &'static str = "com.clawperator.operator";
    /// The variable that names another.
    pub const VARIABLE: &'static str = "CLAWPERATOR_OPERATOR_PACKAGE";

    /// The one that a flag names, else the one of the environment, else the release. A blank name counts as none.
    pub fn meant(flag: Option<&str>, variable: Option<&str>) -> Self {
        let named = [flag, variable]
            .into_iter()
            .flatten()
            .map(str::trim)
            .find(|name| !name.is_empty());
        Self {
            name: named.unwrap_or(Self::RELEASE).to_owned(),
            asked: named.is_some(),
        }
    }

    /// Whether this can be the name of one.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn check(name: &str) -> Result<(), String> {
        driver_android::check_package(name.trim()).map_err(|error| error.to_string())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether somebody asked for it by name.
    pub const fn is_asked_for(&self) -> bool {
        self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_names_count_as_none() {
        let meant = |flag, variable| OperatorPackage::meant(flag, variable);
        assert_eq!(meant(None, Some(" ")).name(), OperatorPackage::RELEASE);
        assert!(!meant(Some(""), None).is_asked_for());
        assert_eq!(meant(None, Some("a.b")).name(), "a.b");
        assert_eq!(meant(Some("c.d"), Some("a.b")).name(), "c.d");
        assert!(OperatorPackage::check("a.b").is_ok() && OperatorPackage::check("a b").is_err());
    }
}
