//! The package of the Operator app: from a flag, from the environment, or that of releases.

/// The package of the Operator app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorPackage {
    name: String,
    is_explicit: bool,
}

impl OperatorPackage {
    /// The package of releases.
    pub const RELEASE: &'static str = "com.clawperator.operator";
    /// The environment variable.
    pub const VARIABLE: &'static str = "CLAWPERATOR_OPERATOR_PACKAGE";

    /// The package from a flag, else the environment, else that of releases. A blank name counts as none.
    pub fn select(flag: Option<&str>, variable: Option<&str>) -> Self {
        let named = [flag, variable]
            .into_iter()
            .flatten()
            .map(str::trim)
            .find(|name| !name.is_empty());
        Self {
            name: named.unwrap_or(Self::RELEASE).to_owned(),
            is_explicit: named.is_some(),
        }
    }

    /// Whether it is a valid package name.
    pub fn check(name: &str) -> Result<(), String> {
        driver_android::check_package(name.trim()).map_err(|error| error.to_string())
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it was named explicitly.
    pub const fn is_explicit(&self) -> bool {
        self.is_explicit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_package_names_are_ignored() {
        let select = |flag, variable| OperatorPackage::select(flag, variable);
        assert_eq!(select(None, Some(" ")).name(), OperatorPackage::RELEASE);
        assert!(!select(Some(""), None).is_explicit());
        assert_eq!(select(None, Some("a.b")).name(), "a.b");
        assert_eq!(select(Some("c.d"), Some("a.b")).name(), "c.d");
        assert!(OperatorPackage::check("a.b").is_ok() && OperatorPackage::check("a b").is_err());
    }
}
