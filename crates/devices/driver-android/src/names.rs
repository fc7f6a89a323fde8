//! Validates names for a phone's package manager before they reach a shell.

/// An invalid name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no {what}: {why}")]
pub struct NameError {
    name: String,
    what: &'static str,
    why: &'static str,
}

/// The longest package name that Android installs.
const MAX: usize = 223;

/// Checks a package name: parts of letters, digits and `_` that begin with a letter, separated by dots. Only
/// `android`, the system's own, has a single part.
pub fn check_package(name: &str) -> Result<(), NameError> {
    let invalid = |why| {
        Err(NameError {
            name: name.chars().take(80).collect(),
            what: "package",
            why,
        })
    };
    if name.len() > MAX {
        return invalid("it is longer than 223 characters");
    }
    for part in name.split('.') {
        let mut letters = part.chars();
        match letters.next() {
            None => return invalid("a part between its dots is empty"),
            Some(first) if !first.is_ascii_alphabetic() => {
                return invalid("a part does not begin with a letter");
            }
            Some(_) => {}
        }
        if !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return invalid("it has characters other than letters, digits, `_` and dots");
        }
    }
    Ok(())
}

/// Checks a component name: a package, `/`, and a class, which may begin with a dot and contain `$`.
pub fn check_component(name: &str) -> Result<(), NameError> {
    let invalid = |why| {
        Err(NameError {
            name: name.chars().take(80).collect(),
            what: "component",
            why,
        })
    };
    let Some((package, class)) = name.split_once('/') else {
        return invalid("there is no `/` between package and class");
    };
    check_package(package)?;
    let class = class.strip_prefix('.').unwrap_or(class);
    if class.is_empty() || class.len() > 512 {
        return invalid("the class is empty or too long");
    }
    if !class
        .chars()
        .all(|c| c.is_alphanumeric() || "._$".contains(c))
    {
        return invalid("the class has characters other than letters, digits, `_`, `$` and dots");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages() {
        for name in ["com.android.settings", "android", "a.B_2.c3"] {
            assert_eq!(check_package(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "a; reboot",
            "com..x",
            ".com",
            "com.",
            "com.2x",
            "com.x y",
            "com.x'",
            "com.x\n",
            "-f",
            "com/x",
            "кот.x",
        ] {
            assert!(check_package(name).is_err(), "{name}");
        }
        assert!(check_package(&"a".repeat(300)).is_err());
        let error = check_package("a; reboot").unwrap_err().to_string();
        assert_eq!(
            error,
            "\"a; reboot\" is no package: it has characters other than letters, digits, `_` and dots"
        );
    }

    #[test]
    fn components() {
        for name in ["com.x/.Main", "com.x/com.y.Main$Inner"] {
            assert_eq!(check_component(name), Ok(()), "{name}");
        }
        for name in ["com.x", "com.x/", "com.x/.M;id", "a b/.M", "com.x/.M M"] {
            assert!(check_component(name).is_err(), "{name}");
        }
    }
}
