//! The contents of password fields that this process saw, in memory, to mask them in events.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contract::{Action, NodeMatcher, StepResult};
use engine::{Artifacts, Event};
use serde_json::Value;
use uitree::{Refs, Secrets, UiTree};

use crate::artifacts::Folder;

/// The maximal number of devices, the most recently used ones.
const MAX_DEVICES: usize = 256;

/// The secrets of one device. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceSecrets(Arc<Mutex<Secrets>>);

/// The secrets of every device, by name. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SecretsByDevice(Arc<Mutex<Vec<(String, DeviceSecrets)>>>);

impl SecretsByDevice {
    pub(crate) fn of(&self, device: &str) -> DeviceSecrets {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match known.iter().position(|(name, _)| name == device) {
            Some(place) => known.remove(place),
            None => (device.to_owned(), DeviceSecrets::default()),
        };
        let secrets = found.1.clone();
        known.push(found);
        if known.len() > MAX_DEVICES {
            known.remove(0);
        }
        secrets
    }
}

/// What runs a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepRunner {
    /// The engine, which knows the field that it writes to.
    Engine,
    /// The Operator app, whose steps have no duration.
    App,
}

impl StepRunner {
    /// What ran a step with this duration.
    pub(crate) const fn of(elapsed: Option<Duration>) -> Self {
        match elapsed {
            Some(_) => Self::Engine,
            None => Self::App,
        }
    }
}

/// Whether a matcher describes a password field.
fn names_password(matcher: &NodeMatcher) -> bool {
    const WORDS: [&str; 3] = ["password", "passwd", "passcode"];
    let named = [
        matcher.resource_id.as_deref(),
        matcher.text_equals.as_deref(),
        matcher.text_contains.as_deref(),
        matcher.content_desc_equals.as_deref(),
        matcher.content_desc_contains.as_deref(),
        matcher.line.as_deref(),
    ];
    let mut named = named.into_iter().flatten();
    named.any(|named| {
        let named = named.to_lowercase();
        WORDS.iter().any(|word| named.contains(word))
    })
}

impl DeviceSecrets {
    fn lock(&self) -> MutexGuard<'_, Secrets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns the secrets of a screen.
    pub(crate) fn see(&self, tree: &UiTree) {
        self.lock().see(tree);
    }

    /// Learns the secret of a step that typed into a password field. The Operator app need not report the kind of field; the
    /// matcher may show it.
    pub(crate) fn learn(&self, action: &Action, result: &StepResult, by: StepRunner) {
        let facts = action.params().facts();
        let named =
            || by == StepRunner::App && facts.matchers.into_iter().flatten().any(names_password);
        if let Some(text) = facts.entered()
            && (result.data.get("password").is_some() || named())
        {
            self.lock().keep(text);
        }
    }

    /// Learns the secrets of the screens in an answer, for a device whose screens this process did not read.
    pub(crate) fn learn_from(&self, steps: &[StepResult]) {
        let texts = steps.iter().filter_map(|step| step.data.get("text"));
        for tree in texts.filter_map(hierarchy) {
            self.see(&tree);
        }
    }

    /// The text without the secrets.
    pub(crate) fn mask_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.lock().mask(text)
    }

    /// Masks the secrets in every text of a document, except names of devices, runs, steps and kinds.
    pub(crate) fn mask(&self, document: &mut Value) {
        let secrets = self.lock();
        if !secrets.is_empty() {
            mask(&secrets, document);
        }
    }
}

/// Keys whose values are not text of a screen or a request.
const NAMES: &[&str] = &[
    "deviceId",
    "commandId",
    "taskId",
    "source",
    "expectedFormat",
    "id",
    "type",
    "actionType",
    "status",
    "code",
    "errorCode",
];

fn mask(secrets: &Secrets, value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(masked) = masked(secrets, text) {
                *text = masked;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| mask(secrets, value)),
        Value::Object(fields) => fields
            .iter_mut()
            .filter(|(key, _)| !NAMES.contains(&key.as_str()))
            .for_each(|(_, value)| mask(secrets, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Masks the secrets in a text. Inside XML and JSON they are escaped, so those are parsed first.
fn masked<'t>(secrets: &Secrets, text: &'t str) -> Cow<'t, str> {
    if let Some(tree) = hierarchy(text) {
        return match secrets.mask_tree(&tree) {
            Some(masked) => Cow::Owned(masked.to_hierarchy_xml()),
            None => Cow::Borrowed(text),
        };
    }
    if text.starts_with(['[', '{'])
        && let Ok(mut inner) = serde_json::from_str::<Value>(text)
    {
        let before = inner.clone();
        mask(secrets, &mut inner);
        return match inner == before {
            true => Cow::Borrowed(text),
            false => Cow::Owned(inner.to_string()),
        };
    }
    secrets.mask(text)
}

fn hierarchy(text: &str) -> Option<UiTree> {
    if !text.starts_with('<') {
        return None;
    }
    UiTree::parse_hierarchy_xml(text.as_bytes(), None).ok()
}

/// The files of a run, learning the secrets of the screens that it reads.
pub(crate) struct LearningArtifacts {
    pub(crate) files: Folder,
    pub(crate) secrets: DeviceSecrets,
    /// The references of the device, if this process gives any.
    pub(crate) refs: Option<Refs>,
}

impl Artifacts for LearningArtifacts {
    fn upload(&self, path: &str) -> Result<PathBuf, String> {
        self.files.upload(path)
    }

    fn keep_screenshot(&mut self, path: Option<&str>, file: &[u8]) -> Result<String, String> {
        self.files.keep_screenshot(path, file)
    }

    fn screen_observed(&mut self, tree: &UiTree) {
        self.secrets.see(tree);
    }

    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.secrets.mask_text(text)
    }

    fn refs(&self) -> Option<Refs> {
        self.refs.clone()
    }
}

/// Learns from the steps of a run as they finish.
pub(crate) fn watched<'e>(
    secrets: &DeviceSecrets,
    actions: &'e [Action],
) -> impl FnMut(&Event<'_>) + Send + 'e {
    let secrets = secrets.clone();
    move |event| {
        if let Event::StepEnded {
            index,
            result,
            elapsed,
            ..
        } = event
            && let Some(action) = actions.get(*index)
        {
            secrets.learn(action, result, StepRunner::of(*elapsed));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_masked_in_every_encoding() {
        let secrets = DeviceSecrets::default();
        let secret = r#"a<b>"c\d"#;
        secrets.lock().keep(secret);
        let tree = UiTree::parse_notation("column [0,0][9,9]\n  text \"x\" [0,0][9,9]\n").unwrap();
        let xml = tree
            .to_hierarchy_xml()
            .replace("text=\"x\"", "text=\"a&lt;b&gt;&quot;c\\d\"");
        let inner = json!([{ "label": secret, "score": 1 }]).to_string();
        let mut document = json!({
            "deviceId": secret,
            "result": { "data": { "text": xml, "near": inner, "message": format!("no {secret:} here") } },
        });
        secrets.mask(&mut document);
        assert_eq!(document["deviceId"], secret);
        let data = &document["result"]["data"];
        assert_eq!(data["message"], "no •••••••• here");
        assert_eq!(data["near"], r#"[{"label":"••••••••","score":1}]"#);
        let text = data["text"].as_str().unwrap();
        assert!(text.contains("text=\"••••••••\""), "{text}");
        // A text without secrets stays as it is, byte for byte.
        let mut document = json!({ "data": { "text": "<hierarchy", "list": "[ 1, 2 ]" } });
        let before = document.clone();
        secrets.mask(&mut document);
        assert_eq!(document, before);
    }

    #[test]
    fn text_typed_by_the_app_is_secret_if_the_matcher_describes_a_password() {
        for (matcher, by, is_secret) in [
            (
                json!({ "resourceId": "a:id/newPassword" }),
                StepRunner::App,
                true,
            ),
            (
                json!({ "contentDescContains": "Passcode" }),
                StepRunner::App,
                true,
            ),
            (json!({ "resourceId": "a:id/user" }), StepRunner::App, false),
            (
                json!({ "resourceId": "a:id/newPassword" }),
                StepRunner::Engine,
                false,
            ),
        ] {
            let action = json!({ "id": "a", "type": "enter_text",
                "params": { "matcher": matcher, "text": "hunter2" } });
            let plan = testkit::plan("c", json!([action]));
            let parsed = contract::Execution::from_value(&plan).unwrap();
            let action = &parsed.execution.actions()[0];
            let secrets = DeviceSecrets::default();
            let result = StepResult::succeeded(action, contract::StepData::new());
            secrets.learn(action, &result, by);
            assert_eq!(!secrets.lock().is_empty(), is_secret, "{matcher} {by:?}");
        }
    }

    #[test]
    fn secrets_of_the_most_recent_devices_are_kept() {
        let all = SecretsByDevice::default();
        all.of("first").lock().keep("hunter2");
        for number in 0..MAX_DEVICES - 1 {
            all.of(&number.to_string());
        }
        assert!(!all.of("first").lock().is_empty());
        for number in 0..MAX_DEVICES {
            all.of(&number.to_string());
        }
        assert!(all.of("first").lock().is_empty());
    }
}
