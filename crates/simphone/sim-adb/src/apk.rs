//! App files for Android as far as the simulated phone reads them: the name and version of an app, out of a manifest that
//! is text and not packed. That is enough to install the Operator app, which the phone plays itself; no code is run.

use agent_protocol::APP_PACKAGE;

/// How a zip file begins, and each of its entries.
const ENTRY: &[u8] = b"PK\x03\x04";
/// How its list of entries begins, and how that ends.
const LISTED: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The entry that says what the app is.
const MANIFEST: &str = "AndroidManifest.xml";
/// The longest manifest that is read, in bytes.
const LONGEST: usize = 1024 * 1024;

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
        zipped(MANIFEST, manifest.as_bytes())
    }

    /// The file of the agent's app form that the simulated phone installs; on a real phone it is no app.
    pub fn runtime_app() -> Vec<u8> {
        let manifest =
            format!("<manifest package=\"{APP_PACKAGE}\" android:versionName=\"1\" />\n");
        zipped(MANIFEST, manifest.as_bytes())
    }

    /// Whether a file is one, readable or not.
    pub(crate) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(ENTRY)
    }

    /// Reads a file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let manifest = entry(bytes, MANIFEST)?;
        let text = std::str::from_utf8(manifest)
            .ok()
            .filter(|text| text.trim_start().starts_with('<'))
            .ok_or("the simulated phone reads manifests that are text")?;
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

/// A number of so many bytes, the lowest first.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + size)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |all, byte| all << 8 | usize::from(*byte)),
    )
}

/// The bytes of an entry that is not packed.
fn entry<'a>(file: &'a [u8], wanted: &str) -> Result<&'a [u8], String> {
    let mut at = 0;
    while file.get(at..).is_some_and(|rest| rest.starts_with(ENTRY)) {
        let field = |offset, size| number(file, at + offset, size).ok_or("the file ends early");
        let (flags, method) = (field(6, 2)?, field(8, 2)?);
        let (packed, name, extra) = (field(18, 4)?, field(26, 2)?, field(28, 2)?);
        if flags & 8 != 0 {
            return Err(
                "the simulated phone reads files whose entries say how long they are".to_owned(),
            );
        }
        let begin = at + 30 + name + extra;
        let end = begin.checked_add(packed).ok_or("the file ends early")?;
        let its = file.get(at + 30..at + 30 + name).unwrap_or_default();
        if its == wanted.as_bytes() {
            if method != 0 || packed > LONGEST {
                return Err("the simulated phone reads manifests that are not packed".to_owned());
            }
            return file
                .get(begin..end)
                .ok_or_else(|| "the file ends early".to_owned());
        }
        at = end;
    }
    Err(format!("there is no {wanted}"))
}

/// A zip file with one entry.
fn zipped(name: &str, content: &[u8]) -> Vec<u8> {
    let le = |value: usize, size: usize| value.to_le_bytes().into_iter().take(size);
    let about = |out: &mut Vec<u8>| {
        // Flags, method, time, date.
        out.extend([0, 0, 0, 0, 0, 0, 0x21, 0]);
        out.extend(crc32(content).to_le_bytes());
        out.extend(le(content.len(), 4));
        out.extend(le(content.len(), 4));
        out.extend(le(name.len(), 2));
        out.extend([0, 0]);
    };
    let mut file = [ENTRY, &[10, 0]].concat();
    about(&mut file);
    file.extend(name.bytes());
    file.extend(content);
    let begin = file.len();
    file.extend(LISTED);
    file.extend([10, 0, 10, 0]);
    about(&mut file);
    // Comment, disk, attributes inside and outside, place.
    file.extend([0; 14]);
    file.extend(name.bytes());
    let listed = file.len() - begin;
    file.extend(END);
    file.extend([0, 0, 0, 0, 1, 0, 1, 0]);
    file.extend(le(listed, 4));
    file.extend(le(begin, 4));
    file.extend([0, 0]);
    file
}

/// The checksum that zip files have.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(u32::MAX, step)
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
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn what_is_not_whole_or_no_app_says_so() {
        let file = Apk::operator("com.x.y", "1");
        for cut in 4..file.len() - 120 {
            assert!(Apk::read(&file[..cut]).is_err(), "cut at {cut}");
        }
        let with = |manifest: &str| Apk::read(&zipped(MANIFEST, manifest.as_bytes()));
        assert!(with("\u{3}\0\u{8}\0").unwrap_err().contains("text"));
        assert!(
            with("<manifest package=\"a\">")
                .unwrap_err()
                .contains("versionName")
        );
        assert!(with("<manifest package=\"a; reboot\" android:versionName=\"1\">").is_err());
        assert!(
            !with("<manifest package=\"a.b\" android:versionName=\"1\">")
                .unwrap()
                .is_operator
        );
        assert!(
            Apk::read(&zipped("classes.dex", b"x"))
                .unwrap_err()
                .contains(MANIFEST)
        );
        let mut packed = file;
        packed[8] = 8;
        assert!(Apk::read(&packed).unwrap_err().contains("packed"));
    }
}
