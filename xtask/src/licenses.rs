//! Licences of external crates: which are allowed, and the notices that the program prints.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};

/// The notices that `clawperator licenses` prints.
const NOTICES: &str = "crates/surfaces/cli/assets/notices.txt";
/// The folder with the licences of fonts and emoji.
const FONT_LICENSES: &str = "crates/simphone/draw/assets/fonts";
/// The folder with the licences of icon sets.
const ICON_LICENSES: &str = "crates/finder/inspect/data/icon_licenses";
/// The text before and after the list of crates.
const LIST_START: &str = "\nThe crates:\n\n";
const LIST_END: &str = "\n\n";
const RULE: &str =
    "\n================================================================================\n";
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

const INTRODUCTION: &str = "\
Clawperator is licensed under the Apache License, Version 2.0, included below.

It contains the third-party crates listed here, and third-party fonts and pictures, and shapes of
third-party icons. A crate that offers a choice of licences
including the Apache License, Version 2.0, is used under that licence. The other licences follow, each with the names of
the crates that it applies to.
";

/// An external crate.
struct Crate {
    name: String,
    version: String,
    license: String,
    authors: String,
    source: String,
    folder: PathBuf,
}

impl Crate {
    /// Its line in the list.
    fn line(&self) -> String {
        format!("{} {} ({})", self.name, self.version, self.license)
    }

    fn may_be_used_under(&self, allowed: &[&str]) -> Result<bool, String> {
        let expression = Expression::parse_mode(&self.license, ParseMode::LAX)
            .map_err(|error| format!("licenses: {}: {error}", self.line()))?;
        Ok(expression.evaluate(|required: &LicenseReq| allowed.contains(&&*required.to_string())))
    }
}

/// Which crates to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Platforms {
    /// Those of this platform, which every build has fetched.
    Host,
    /// Those of all platforms; cargo fetches missing ones.
    All,
}

/// The external crates, and the names and versions of those that are part of the program.
fn crates(root: &Path, platforms: Platforms) -> Result<(Vec<Crate>, BTreeSet<String>), String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked"]);
    if platforms == Platforms::Host {
        command.args(["--filter-platform", "host-tuple", "--offline"]);
    }
    let output = command
        .current_dir(root)
        .output()
        .map_err(|error| format!("licenses: cargo metadata: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("licenses: cargo metadata: {said}"));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("licenses: cargo metadata: {error}"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut others = Vec::new();
    let mut ids = BTreeMap::new();
    let mut own = None;
    for package in list(&metadata["packages"]) {
        let (id, name) = (text(&package["id"]), text(&package["name"]));
        if package["source"].is_null() {
            if name == "cli" {
                own = Some(id);
            }
            continue;
        }
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let authors: Vec<String> = list(&package["authors"]).iter().map(text).collect();
        let other = Crate {
            name,
            version: text(&package["version"]),
            license: text(&package["license"]),
            authors: authors.join(", "),
            source: text(&package["source"]),
            folder: manifest.parent().map(Path::to_path_buf).unwrap_or_default(),
        };
        ids.insert(id, other.line());
        others.push(other);
    }
    let mut edges: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        // Build and test dependencies are not part of the program.
        let used = list(&node["deps"]).into_iter().filter(|used| {
            let kinds = list(&used["dep_kinds"]);
            kinds.iter().any(|kind| kind["kind"].is_null())
        });
        edges.insert(
            text(&node["id"]),
            used.map(|used| text(&used["pkg"])).collect(),
        );
    }
    let mut shipped = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut next: VecDeque<String> = own.into_iter().collect();
    while let Some(id) = next.pop_front() {
        if seen.insert(id.clone()) {
            shipped.extend(ids.get(&id).cloned());
            next.extend(edges.get(&id).into_iter().flatten().cloned());
        }
    }
    others.sort_by_key(Crate::line);
    Ok((others, shipped))
}

/// The licence texts in a crate, or the standard text of its licence.
fn texts(of: &Crate) -> Result<Vec<String>, String> {
    let chosen = of.may_be_used_under(&["Apache-2.0"])?;
    let mut texts = Vec::new();
    let mut names: Vec<PathBuf> = std::fs::read_dir(&of.folder)
        .map_err(|error| format!("licenses: {}: {error}", of.line()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    names.sort();
    for path in names {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_lowercase();
        let is_notice = name.starts_with("notice");
        let is_license = ["licen", "copying", "unlicense"]
            .iter()
            .any(|start| name.starts_with(start));
        if !is_notice && (chosen || !is_license) {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("licenses: {}: {error}", path.display()))?;
        // The program's own licence, which is printed once.
        if !text.contains("Version 2.0, January 2004") {
            texts.push(text.replace("\r\n", "\n").trim().to_owned());
        }
    }
    if texts.is_empty() && !chosen {
        if of.license != "MIT" {
            return Err(format!("licenses: {} contains no licence text", of.line()));
        }
        texts.push(MIT.replace("{authors}", &of.authors));
    }
    Ok(texts)
}

/// The text of the MIT licence, for crates that lack it.
const MIT: &str = "\
Copyright (c) {authors}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

/// The licences of fonts and icons, each with what it is for.
fn assets(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut assets = BTreeMap::new();
    for (kind, folder) in [("font", FONT_LICENSES), ("icon set", ICON_LICENSES)] {
        let failed = |error: std::io::Error| format!("licenses: {folder}: {error}");
        for entry in std::fs::read_dir(root.join(folder)).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.strip_prefix("LICENSE-");
            let Some(name) = name.and_then(|name| name.strip_suffix(".txt")) else {
                continue;
            };
            let text = std::fs::read_to_string(&path).map_err(failed)?;
            assets.insert(
                format!("The {kind} {name}"),
                text.replace("\r\n", "\n").trim().to_owned(),
            );
        }
    }
    Ok(assets)
}

/// Writes the notices; returns the errors.
pub(crate) fn write(root: &Path) -> Vec<String> {
    match notices(root) {
        Ok(text) => std::fs::write(root.join(NOTICES), text)
            .err()
            .map(|error| format!("licenses: {NOTICES}: {error}"))
            .into_iter()
            .collect(),
        Err(problem) => vec![problem],
    }
}

fn notices(root: &Path) -> Result<String, String> {
    let (all, shipped) = crates(root, Platforms::All)?;
    let own = std::fs::read_to_string(root.join("LICENSE"))
        .map_err(|error| format!("licenses: LICENSE: {error}"))?;
    // Crates with the same text share one entry.
    let mut by_text: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    let shipped: Vec<&Crate> = all
        .iter()
        .filter(|each| shipped.contains(&each.line()))
        .collect();
    for each in &shipped {
        for text in texts(each)? {
            let words: Vec<&str> = text.split_whitespace().collect();
            let (_, names) = by_text
                .entry(words.join(" "))
                .or_insert_with(|| (text, Vec::new()));
            names.push(each.name.clone());
        }
    }
    let lines: Vec<String> = shipped.iter().map(|each| each.line()).collect();
    let mut out = format!("{INTRODUCTION}{LIST_START}{}{LIST_END}", lines.join("\n"));
    let mut part = |head: &str, text: &str| {
        out.push_str(&format!("{RULE}{head}\n\n{}\n", text.trim_matches('\n')));
    };
    part(
        "Clawperator, and crates that offer its licence as a choice",
        &own,
    );
    let mut texts: Vec<&(String, Vec<String>)> = by_text.values().collect();
    texts.sort_by_key(|(_, names)| names);
    for (text, names) in texts {
        part(&names.join(", "), text);
    }
    for (head, text) in assets(root)? {
        part(&head, &text);
    }
    Ok(out)
}

/// Every problem with licences, sources and notices.
pub(crate) fn check(root: &Path) -> Vec<String> {
    match problems(root) {
        Ok(problems) => problems,
        Err(problem) => vec![problem],
    }
}

fn problems(root: &Path) -> Result<Vec<String>, String> {
    let read = |path: &str| {
        std::fs::read_to_string(root.join(path))
            .map(|text| text.replace("\r\n", "\n"))
            .map_err(|error| format!("licenses: {path}: {error}"))
    };
    let (all, shipped) = crates(root, Platforms::Host)?;
    let policy = read("deny.toml")?;
    let allowed = allowed(&policy);
    let mut problems = Vec::new();
    for each in &all {
        if !each.may_be_used_under(&allowed)? {
            problems.push(format!(
                "licenses: {} is not allowed by deny.toml",
                each.line()
            ));
        }
        if each.source != REGISTRY {
            problems.push(format!(
                "licenses: {} comes from {}",
                each.line(),
                each.source
            ));
        }
    }
    let notices = read(NOTICES)?;
    let listed = notices
        .split_once(LIST_START)
        .and_then(|(_, rest)| rest.split_once(LIST_END));
    let listed: BTreeSet<&str> = listed
        .map(|(list, _)| list.lines().collect())
        .unwrap_or_default();
    let lock = read("Cargo.lock")?;
    let stale = "run cargo xtask licenses";
    for line in &shipped {
        if !listed.contains(&**line) {
            problems.push(format!("licenses: {NOTICES} lacks {line}; {stale}"));
        }
    }
    for line in listed {
        let mut words = line.split(' ');
        let (name, version) = (words.next(), words.next());
        let entry = format!(
            "name = \"{}\"\nversion = \"{}\"\n",
            name.unwrap_or_default(),
            version.unwrap_or_default()
        );
        if !lock.contains(&entry) {
            problems.push(format!(
                "licenses: {NOTICES} has {line}, which Cargo.lock has not; {stale}"
            ));
        }
    }
    let own = read("LICENSE")?;
    for (name, text) in assets(root)?
        .into_iter()
        .chain([("LICENSE".to_owned(), own)])
    {
        if !notices.contains(text.trim()) {
            problems.push(format!(
                "licenses: {NOTICES} lacks the text of {name}; {stale}"
            ));
        }
    }
    Ok(problems)
}

/// The licences that the policy allows.
fn allowed(policy: &str) -> Vec<&str> {
    let list = policy.split_once("allow = [").map(|(_, rest)| rest);
    let list = list.and_then(|rest| rest.split_once(']'));
    let list = list.map_or("", |(list, _)| list).split(',');
    list.map(|each| each.trim().trim_matches('"'))
        .filter(|each| !each.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn licensed(license: &str) -> Crate {
        Crate {
            name: "some".to_owned(),
            version: "1.0.0".to_owned(),
            license: license.to_owned(),
            authors: String::new(),
            source: REGISTRY.to_owned(),
            folder: PathBuf::new(),
        }
    }

    #[test]
    fn a_crate_is_allowed_if_one_of_its_choices_is() {
        let policy = "allow = [\n    \"MIT\",\n    \"Apache-2.0\",\n]\n";
        let allowed = allowed(policy);
        assert_eq!(allowed, ["MIT", "Apache-2.0"]);
        for (license, is_allowed) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("MIT AND Unicode-3.0", false),
            ("(MIT OR Apache-2.0) AND BSD-3-Clause", false),
            ("Apache-2.0 WITH LLVM-exception", false),
        ] {
            let answer = licensed(license).may_be_used_under(&allowed);
            assert_eq!(answer, Ok(is_allowed), "{license}");
        }
        assert!(licensed("").may_be_used_under(&allowed).is_err());
        assert!(licensed("My own").may_be_used_under(&allowed).is_err());
    }
}
