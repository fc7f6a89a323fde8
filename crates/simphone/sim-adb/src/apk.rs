//! App files for Android as the simulated phone knows them: the mark of a zip file, and a manifest that is text. That is
//! enough to install the Operator app and the agent's app form, which the phone plays itself; no code is run.

use agent_protocol::APP_PACKAGE;

/// How a zip file begins.
const MARK: &[u8] = b"PK\x03\x04";

/// What an app file says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apk {
    /// Its package.
    pub package: String,
    /// Its `versionName`.
    pub version: String,
    /// Whether it has the Operator app's accessibility service.
    pub is_operator: bool,
}

impl Apk {
    /// The file of an Operator app that the simulated phone installs; on a real phone it is no app.
    pub fn operator(package: &str, version: &str) -> Vec<u8> {
        let manifest = format!(
            "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"{package}\" \
             android:versionName=\"{version}\">\n  <application>\n    <service android:name=\"{}\" />\n  \
             </application>\n</manifest>\n",
            crate::operator_names::SERVICE
        );
        file(&manifest)
    }

    /// The file of the agent's app form that the simulated phone installs; on a real phone it is no app.
    pub fn runtime_app() -> Vec<u8> {
        file(&format!(
            "<manifest package=\"{APP_PACKAGE}\" android:versionName=\"1\"></manifest>\n"
        ))
    }

    /// Whether a file is one, readable or not.
    pub(crate) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MARK)
    }

    /// Reads a file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let manifest = bytes.strip_prefix(MARK).unwrap_or_default();
        let text = std::str::from_utf8(manifest)
            .ok()
            .filter(|text| text.starts_with('<'))
            .ok_or("the simulated phone reads manifests that are text")?;
        if !text.trim_end().ends_with("</manifest>") {
            return Err("the file ends early".to_owned());
        }
        let tag = text
            .split_once("<manifest")
            .and_then(|(_, rest)| rest.split_once('>'))
            .map(|(tag, _)| tag)
            .ok_or("there is no <manifest>")?;
        let value =
            |name: &str| attribute(tag, name).ok_or_else(|| format!("<manifest> has no {name}"));
        let package = value("package")?;
        let named = |part: &str| {
            let mut letters = part.chars();
            letters
                .next()
                .is_some_and(|first| first.is_ascii_alphabetic())
                && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !package.split('.').all(named) {
            return Err(format!("{package:?} is no name of a package"));
        }
        Ok(Self {
            package: package.to_owned(),
            version: value("android:versionName")?.to_owned(),
            is_operator: text.contains(crate::operator_names::SERVICE),
        })
    }
}

/// The value of an attribute, between double quotes.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    while let Some((before, behind)) = rest.split_once(name) {
        let apart = before.is_empty() || before.ends_with(char::is_whitespace);
        if apart && let Some(value) = behind.trim_start().strip_prefix('=') {
            let value = value.trim_start().strip_prefix('"')?;
            return value.split_once('"').map(|(value, _)| value);
        }
        rest = behind;
    }
    None
}

/// A file with this manifest.
fn file(manifest: &str) -> Vec<u8> {
    [MARK, manifest.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let file = Apk::operator("com.x.y", "0.5.3-d");
        assert!(Apk::is_one(&file));
        let apk = Apk::read(&file).unwrap();
        assert_eq!(
            (apk.package.as_str(), apk.version.as_str()),
            ("com.x.y", "0.5.3-d")
        );
        assert!(apk.is_operator);
        assert!(!Apk::read(&Apk::runtime_app()).unwrap().is_operator);
        for cut in 4..file.len() - 1 {
            assert!(Apk::read(&file[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_app_says_so() {
        for (manifest, why) in [
            ("\u{3}\0\u{8}\0", "text"),
            ("<manifest package=\"a\"></manifest>", "versionName"),
            (
                "<manifest package=\"a; reboot\" android:versionName=\"1\"></manifest>",
                "no name",
            ),
        ] {
            let error = Apk::read(&file(manifest)).unwrap_err();
            assert!(error.contains(why), "{manifest}: {error}");
        }
    }
}
