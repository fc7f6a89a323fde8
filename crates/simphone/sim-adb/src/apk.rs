//! APK files of the simulated phone: zip files that store a manifest in plain text. That suffices to install the Operator app
//! and the agent's app form, which the phone simulates; no code of an APK runs.

use std::io::Write;

use agent_protocol::APP_PACKAGE;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter};

const MARK: &[u8] = b"PK\x03\x04";

const MANIFEST: &str = "AndroidManifest.xml";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apk {
    pub package: String,
    pub version: String,
    /// Whether it has the Operator app's accessibility service.
    pub is_operator: bool,
}

impl Apk {
    /// An APK of the Operator app, for the simulated phone only.
    pub fn operator(package: &str, version: &str) -> Vec<u8> {
        let manifest = format!(
            "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"{package}\" \
             android:versionName=\"{version}\">\n  <application>\n    <service android:name=\"{}\" />\n  \
             </application>\n</manifest>\n",
            crate::operator_names::SERVICE
        );
        file(&manifest)
    }

    /// An APK of the agent's app form, for the simulated phone only.
    pub fn runtime_app() -> Vec<u8> {
        file(&format!(
            "<manifest package=\"{APP_PACKAGE}\" android:versionName=\"1\"></manifest>\n"
        ))
    }

    pub(crate) fn is_apk(bytes: &[u8]) -> bool {
        bytes.starts_with(MARK)
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let manifest =
            stored_manifest(bytes).map_err(|error| format!("the zip file is damaged: {error}"))?;
        let text = manifest
            .ok_or("the zip file has no AndroidManifest.xml that is stored without compression")?;
        let text = std::str::from_utf8(&text).unwrap_or_default();
        if !text.starts_with('<') {
            return Err("the simulated phone reads only manifests in plain text".to_owned());
        }
        if !text.trim_end().ends_with("</manifest>") {
            return Err("the file ends early".to_owned());
        }
        let rest = text.split_once("<manifest").map(|(_, rest)| rest);
        let tag = rest.and_then(|rest| rest.split_once('>'));
        let (tag, _) = tag.ok_or("<manifest> is missing")?;
        let value =
            |name: &str| attribute(tag, name).ok_or_else(|| format!("<manifest> has no {name}"));
        let package = value("package")?;
        let named = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_alphabetic())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !package.split('.').all(named) {
            return Err(format!("{package:?} is not a valid package name"));
        }
        Ok(Self {
            package: package.to_owned(),
            version: value("android:versionName")?.to_owned(),
            is_operator: text.contains(crate::operator_names::SERVICE),
        })
    }
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    while let Some((before, behind)) = rest.split_once(name) {
        let starts_here = before.is_empty() || before.ends_with(char::is_whitespace);
        if starts_here && let Some(value) = behind.trim_start().strip_prefix('=') {
            let value = value.trim_start().strip_prefix('"')?;
            return value.split_once('"').map(|(value, _)| value);
        }
        rest = behind;
    }
    None
}

/// The content of the manifest, if it is stored without compression.
fn stored_manifest(bytes: &[u8]) -> Result<Option<Vec<u8>>, rawzip::Error> {
    let archive = ZipArchive::from_slice(bytes)?;
    for entry in archive.entries() {
        let entry = entry?;
        let is_stored = entry.compression_method() == CompressionMethod::STORE;
        if entry.file_path().as_ref() == MANIFEST.as_bytes() && is_stored {
            return Ok(Some(archive.get_entry(entry.wayfinder())?.data().to_vec()));
        }
    }
    Ok(None)
}

fn file(manifest: &str) -> Vec<u8> {
    // Writing to memory does not fail.
    zip_manifest(manifest).unwrap_or_default()
}

fn zip_manifest(manifest: &str) -> Result<Vec<u8>, rawzip::Error> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    let (mut entry, config) = archive.new_file(MANIFEST).start()?;
    let mut writer = config.wrap(&mut entry);
    writer.write_all(manifest.as_bytes())?;
    let (_, descriptor) = writer.finish()?;
    entry.finish(descriptor)?;
    archive.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apk_round_trips() {
        let file = Apk::operator("com.x.y", "0.5.3-d");
        assert!(Apk::is_apk(&file));
        let apk = Apk::read(&file).unwrap();
        assert_eq!(
            (apk.package.as_str(), apk.version.as_str()),
            ("com.x.y", "0.5.3-d")
        );
        assert!(apk.is_operator);
        assert!(!Apk::read(&Apk::runtime_app()).unwrap().is_operator);
        for cut in 4..file.len() {
            assert!(Apk::read(&file[..cut]).is_err(), "cut at {cut}");
        }
    }

    /// The file of the guide, made with `zip -0`.
    #[test]
    fn apk_of_another_program_is_read() {
        let apk = Apk::read(include_bytes!("../testdata/info-zip.apk")).unwrap();
        assert_eq!(apk.package, "com.clawperator.operator");
        assert!(apk.is_operator);
    }

    #[test]
    fn invalid_apk_is_refused_with_the_reason() {
        for (manifest, why) in [
            ("\u{3}\0\u{8}\0", "text"),
            ("<manifest package=\"a\"></manifest>", "versionName"),
            (
                "<manifest package=\"a; reboot\" android:versionName=\"1\"></manifest>",
                "not a valid package",
            ),
        ] {
            let error = Apk::read(&file(manifest)).unwrap_err();
            assert!(error.contains(why), "{manifest}: {error}");
        }
    }
}
