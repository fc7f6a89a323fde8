//! Intents: parsing from arguments, formatting, and resolution to activities.

use driver_sim::Phone;

use crate::adb_phone::AdbPhone;
use crate::packages::{self, Package};

pub(super) const MAIN: &str = "android.intent.action.MAIN";
pub(super) const VIEW: &str = "android.intent.action.VIEW";
pub(super) const LAUNCHER: &str = "android.intent.category.LAUNCHER";
const HOME: &str = "android.intent.category.HOME";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Intent {
    pub(super) action: Option<String>,
    pub(super) data: Option<String>,
    pub(super) categories: Vec<String>,
    pub(super) package: Option<String>,
    /// Package and full class.
    pub(super) component: Option<(String, String)>,
    pub(super) flags: u32,
    pub(super) extras: Vec<(String, String)>,
}

/// Source: `android.content.Intent`.
const RECEIVER_FOREGROUND: u32 = 0x1000_0000;

impl Intent {
    /// Parses an intent from arguments; options that are not part of it have no effect.
    pub(super) fn read(words: &[String]) -> Result<Self, String> {
        let mut intent = Self::default();
        let mut words = words.iter();
        let mut bare = None;
        while let Some(word) = words.next() {
            let missing = || {
                format!("java.lang.IllegalArgumentException: Argument expected after \"{word}\"")
            };
            let mut value = || words.next().cloned().ok_or_else(missing);
            match word.as_str() {
                "-a" => intent.action = Some(value()?),
                "-d" => intent.data = Some(value()?),
                "-c" => intent.categories.push(value()?),
                "-p" => intent.package = Some(value()?),
                "-n" => intent.component = Some(component(&value()?)?),
                "-f" => {
                    let text = value()?;
                    let number = match text.strip_prefix("0x") {
                        Some(digits) => u32::from_str_radix(digits, 16).ok(),
                        None => text.parse().ok(),
                    };
                    let wrong =
                        || format!("java.lang.NumberFormatException: For input string: \"{text}\"");
                    intent.flags |= number.ok_or_else(wrong)?;
                }
                "-e" | "--es" => {
                    let name = value()?;
                    intent.extras.push((name, value()?));
                }
                "--receiver-foreground" => intent.flags |= RECEIVER_FOREGROUND,
                "--brief" => {}
                "--user" => drop(value()?),
                option if option.starts_with('-') && option.len() > 1 => {
                    return Err(format!(
                        "java.lang.IllegalArgumentException: Unknown option: {option}"
                    ));
                }
                text => bare = Some(text.to_owned()),
            }
        }
        if let Some(text) = bare {
            intent.read_bare(&text)?;
        }
        Ok(intent)
    }

    /// Reads an argument without a flag: a URI, a component or a package.
    fn read_bare(&mut self, text: &str) -> Result<(), String> {
        if text.contains(':') {
            self.action.get_or_insert_with(|| VIEW.to_owned());
            self.data = Some(text.to_owned());
        } else if text.contains('/') {
            self.component = Some(component(text)?);
        } else {
            self.action.get_or_insert_with(|| MAIN.to_owned());
            if self.categories.is_empty() {
                self.categories.push(LAUNCHER.to_owned());
            }
            self.package = Some(text.to_owned());
        }
        Ok(())
    }

    pub(super) fn show(&self) -> String {
        let mut parts = Vec::new();
        if let Some(action) = &self.action {
            parts.push(format!("act={action}"));
        }
        if !self.categories.is_empty() {
            parts.push(format!("cat=[{}]", self.categories.join(",")));
        }
        if let Some(data) = &self.data {
            parts.push(format!("dat={data}"));
        }
        if self.flags != 0 {
            parts.push(format!("flg=0x{:x}", self.flags));
        }
        if let Some(package) = &self.package {
            parts.push(format!("pkg={package}"));
        }
        if let Some((package, class)) = &self.component {
            parts.push(format!("cmp={}", packages::short(package, class)));
        }
        if !self.extras.is_empty() {
            parts.push("(has extras)".to_owned());
        }
        format!("Intent {{ {} }}", parts.join(" "))
    }

    /// The matching packages, each with the class of its activity.
    pub(super) fn resolve(&self, adb_phone: &AdbPhone, phone: &Phone) -> Vec<(Package, String)> {
        let all = packages::all(adb_phone, phone);
        if let Some((package, class)) = &self.component {
            let found = all.into_iter().filter(|each| each.name == *package);
            return found
                .filter_map(|each| {
                    each.activity(class)
                        .map(str::to_owned)
                        .map(|class| (each, class))
                })
                .collect();
        }
        let home = self.categories.iter().any(|category| category == HOME);
        let openers = self.data.as_deref().map(|uri| phone.openers(uri));
        let action = self.action.as_deref();
        let matching = all.into_iter().filter(|each| {
            let is_allowed = self
                .package
                .as_ref()
                .is_none_or(|package| each.name == *package);
            let accepts = match &openers {
                Some(openers) => {
                    action.is_none_or(|action| action == VIEW)
                        && openers.iter().any(|one| **one == *each.name)
                }
                None if home => each.name == "com.android.launcher3",
                None => {
                    action.is_none_or(|action| action == MAIN)
                        && (self.package.is_some() || action.is_some())
                }
            };
            is_allowed && accepts
        });
        matching
            .filter_map(|each| each.activities.first().cloned().map(|class| (each, class)))
            .collect()
    }
}

fn component(text: &str) -> Result<(String, String), String> {
    let parts = text
        .split_once('/')
        .filter(|(package, class)| !package.is_empty() && !class.is_empty());
    let (package, class) = parts
        .ok_or_else(|| format!("java.lang.IllegalArgumentException: Bad component name: {text}"))?;
    Ok((package.to_owned(), packages::full_class(package, class)))
}
