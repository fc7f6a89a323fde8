//! Every example of the reference documents, and one refused payload per rule.

use std::{fs, path::PathBuf};

use contract::{
    Action, DeviceAnswer, DryRunResult, ErrorBody, Execution, NodeMatcher, ResultEnvelope,
    StepResult, ValidationResult,
};
use expect_test::expect;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::support::refusal;

/// The examples of one folder with their names, in alphabetical order.
pub(crate) fn all(folder: &str) -> Vec<(String, Value)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/examples")
        .join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
        .into_iter()
        .map(|file| {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            (
                name,
                serde_json::from_slice(&fs::read(&file).unwrap()).unwrap(),
            )
        })
        .collect()
}

/// Reads a value and writes it again: the bytes must be equal, including the order of keys.
fn repeats<T: Serialize + DeserializeOwned>(name: &str, value: &Value) {
    let read: T =
        serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(
        serde_json::to_string(&read).unwrap(),
        value.to_string(),
        "{name}"
    );
}

#[test]
fn valid_examples_are_accepted() {
    let mut accepted = String::new();
    for (name, value) in all("valid") {
        let kind = name.split('-').next().unwrap_or_default();
        match kind {
            "execution" => {
                let parsed =
                    Execution::from_value(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(parsed.warnings, [], "{name}");
                accepted += &format!(
                    "{name} {}\n",
                    serde_json::to_string(&parsed.execution).unwrap()
                );
            }
            "action" => {
                let action: Action =
                    serde_json::from_value(value).unwrap_or_else(|error| panic!("{name}: {error}"));
                accepted += &format!("{name} {}\n", serde_json::to_string(&action).unwrap());
            }
            "matcher" => {
                let matcher = NodeMatcher::from_value(&value)
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                accepted += &format!("{name} {}\n", serde_json::to_string(&matcher).unwrap());
            }
            "device" => repeats::<DeviceAnswer>(&name, &value),
            "envelope" => repeats::<ResultEnvelope>(&name, &value),
            "step" => repeats::<StepResult>(&name, &value),
            "error" => repeats::<ErrorBody>(&name, &value),
            "validated" => repeats::<ValidationResult>(&name, &value),
            "planned" => repeats::<DryRunResult>(&name, &value),
            other => panic!("{name}: no such kind of example: {other}"),
        }
    }
    expect![[r##"
        action-click-coordinate {"id":"click-3","type":"click","params":{"coordinate":{"x":100,"y":200}}}
        action-click-double {"id":"click-4","type":"click","params":{"matcher":{"textEquals":"report.txt"},"clickType":"double_click"}}
        action-click-long {"id":"click-1","type":"click","params":{"matcher":{"textEquals":"Settings"},"clickType":"long_click"}}
        action-click-retry {"id":"click-2","type":"click","params":{"matcher":{"textEquals":"Settings"},"retry":{"maxAttempts":4,"initialDelayMs":400,"maxDelayMs":2000,"backoffMultiplier":2,"jitterRatio":0.15}}}
        action-close-app {"id":"close-1","type":"close_app","params":{"applicationId":"com.android.settings"}}
        action-drag {"id":"drag-1","type":"drag","params":{"from":{"matcher":{"textEquals":"Write report"}},"to":{"coordinate":{"x":540,"y":1200}},"durationMs":800}}
        action-enter-text-focused {"id":"type-2","type":"enter_text","params":{"focused":true,"text":"hello"}}
        action-enter-text {"id":"type-1","type":"enter_text","params":{"matcher":{"resourceId":"com.example:id/search"},"text":"hello world","submit":false}}
        action-hover {"id":"hover-1","type":"hover","params":{"matcher":{"textEquals":"Products"}}}
        action-open-app {"id":"open-1","type":"open_app","params":{"applicationId":"com.android.settings"}}
        action-open-uri {"id":"open-uri-1","type":"open_uri","params":{"uri":"https://clawperator.com"}}
        action-press-key-chord {"id":"press-2","type":"press_key","params":{"key":"ctrl+shift+z"}}
        action-press-key {"id":"press-1","type":"press_key","params":{"key":"back"}}
        action-read-key-value-pair-plain {"id":"read-value-1","type":"read_key_value_pair","params":{"labelMatcher":{"textEquals":"Battery"}}}
        action-read-key-value-pair {"id":"read-value-1","type":"read_key_value_pair","params":{"labelMatcher":{"textEquals":"Battery"},"all":false}}
        action-read-text-in-container {"id":"read-1","type":"read_text","params":{"matcher":{"textEquals":"Battery"},"container":{"resourceId":"android:id/list"}}}
        action-read-text-regex {"id":"read-1","type":"read_text","params":{"matcher":{"textContains":"Order"},"validator":"regex","validatorPattern":"^ORD-[0-9]{6}$","all":false}}
        action-scroll-and-click {"id":"scroll-click-1","type":"scroll_and_click","params":{"matcher":{"textEquals":"Submit"},"direction":"down"}}
        action-scroll-until-in-container {"id":"a1","type":"scroll_until","params":{"matcher":{"textEquals":"About phone"},"container":{"resourceId":"android:id/list"}}}
        action-scroll-until {"id":"scroll-until-1","type":"scroll_until","params":{"matcher":{"textEquals":"About phone"},"direction":"down","maxScrolls":25,"maxDurationMs":10000,"noPositionChangeThreshold":3}}
        action-scroll {"id":"scroll-1","type":"scroll","params":{"container":{"resourceId":"android:id/list"},"direction":"down","distanceRatio":0.7,"settleDelayMs":250}}
        action-select-options {"id":"select-1","type":"select_options","params":{"matcher":{"css":"#toppings"},"options":["Cheese","Olives"]}}
        action-sleep {"id":"sleep-1","type":"sleep","params":{"durationMs":1500}}
        action-snapshot-ui {"id":"snap-1","type":"snapshot_ui"}
        action-start-recording {"id":"record-start-1","type":"start_recording","params":{"sessionId":"session-001"}}
        action-stop-recording {"id":"record-stop-1","type":"stop_recording","params":{"sessionId":"session-001"}}
        action-take-screenshot {"id":"shot-1","type":"take_screenshot","params":{"path":"/tmp/settings.png"}}
        action-upload {"id":"upload-1","type":"upload","params":{"matcher":{"textEquals":"Attach"},"files":["report.pdf"]}}
        action-wait-for-navigation-both {"id":"wait-nav-2","type":"wait_for_navigation","params":{"expectedPackage":"com.android.settings","expectedNode":{"textEquals":"Settings"},"timeoutMs":5000}}
        action-wait-for-navigation {"id":"wait-nav-1","type":"wait_for_navigation","params":{"expectedPackage":"com.android.settings","timeoutMs":5000}}
        action-wait-for-node {"id":"wait-1","type":"wait_for_node","params":{"matcher":{"textEquals":"Settings"},"timeoutMs":5000}}
        execution-aliases {"commandId":"cmd-001","taskId":"task-001","source":"docs","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap-1","type":"snapshot_ui"}]}
        execution-minimal {"commandId":"cmd-001","taskId":"task-001","source":"agent-loop","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap-1","type":"snapshot_ui"}],"mode":"direct"}
        execution-open-settings-and-snapshot {"commandId":"open-settings-and-snapshot","taskId":"open-settings-and-snapshot","source":"agent-loop","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"open-1","type":"open_app","params":{"applicationId":"com.android.settings"}},{"id":"wait-1","type":"wait_for_navigation","params":{"expectedPackage":"com.android.settings","timeoutMs":5000}},{"id":"snap-1","type":"snapshot_ui"}],"mode":"direct"}
        execution-snapshot-request {"commandId":"cmd-snap-1","taskId":"task-snap-1","source":"local-test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap1","type":"snapshot_ui"}]}
        matcher-exact-text-and-role {"role":"button","textEquals":"Done"}
        matcher-exact-text {"textEquals":"Wi-Fi"}
        matcher-part-of-text-and-role {"role":"button","textContains":"Sign"}
        matcher-resource-id {"resourceId":"android:id/list"}
        matcher-role-and-part-of-text {"role":"button","textContains":"Settings"}
        matcher-title {"resourceId":"android:id/title"}
    "##]].assert_eq(&accepted);
}

#[test]
fn invalid_examples_are_refused() {
    let mut refused = String::new();
    for (name, value) in all("invalid") {
        let invalid = Execution::from_value(&value)
            .err()
            .unwrap_or_else(|| panic!("{name} was accepted"));
        let first = refusal(&invalid);
        refused += &format!("{name}\n  {}\n", first.lines().next().unwrap_or_default());
    }
    expect![[r#"
        execution-click-both
          EXECUTION_VALIDATION_FAILED: actions.0.params must not have both `matcher` and `coordinate`
        execution-click-focus-point
          EXECUTION_VALIDATION_FAILED: actions.0.params.clickType must not be `focus` with `coordinate`
        execution-click-negative-point
          EXECUTION_VALIDATION_FAILED: actions.0.params.coordinate.x must be a whole number of pixels from 0, not -1
        execution-click-nothing
          EXECUTION_VALIDATION_FAILED: actions.0.params must have either `matcher` or `coordinate`
        execution-close-app-nothing
          EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId is required
        execution-drag-both
          EXECUTION_VALIDATION_FAILED: actions.0.params.from must not have both `matcher` and `coordinate`
        execution-drag-nowhere
          EXECUTION_VALIDATION_FAILED: actions.0.params.to is required
        execution-enter-text-blank
          EXECUTION_VALIDATION_FAILED: actions.0.params.text must not be blank; an empty text with `"clear": true` empties the field
        execution-enter-text-focused-container
          EXECUTION_VALIDATION_FAILED: actions.0.params.container must not be given with `focused`
        execution-enter-text-focused-false
          EXECUTION_VALIDATION_FAILED: actions.0.params.focused must be true, or `matcher` must name the field
        execution-matcher-empty
          EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must have at least one field that is not blank
        execution-matcher-unknown-key
          EXECUTION_VALIDATION_FAILED: actions.0.params.matcher has the unknown key `text_equal`
        execution-matcher-value-blank
          EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.textEquals must not be blank
        execution-matcher-value-too-long
          EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.textEquals must have at most 512 characters, not 513
        execution-no-actions
          EXECUTION_VALIDATION_FAILED: actions must have 1 to 50 actions, not 0
        execution-open-app-nothing
          EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId is required
        execution-open-uri-blank
          EXECUTION_VALIDATION_FAILED: actions.0.params.uri must not be blank
        execution-open-uri-too-long
          EXECUTION_VALIDATION_FAILED: actions.0.params.uri must have at most 2048 characters, not 2056
        execution-other-format
          EXECUTION_VALIDATION_FAILED: expectedFormat must be `android-ui-automator`, not `android`
        execution-other-mode
          EXECUTION_VALIDATION_FAILED: mode must be one of artifact_compiled, direct, not `fast`
        execution-press-key-chord
          EXECUTION_VALIDATION_FAILED: actions.0.params.key names no key after its modifiers, as `ctrl+a` does
        execution-press-key-other
          EXECUTION_VALIDATION_FAILED: actions.0.params.key must be one of back, home, recents, enter, delete, tab, escape, volume_up, volume_down, power, menu, search, or a key of a keyboard such as page_down, f5, a or ctrl+a, not `any`
        execution-read-key-value-pair-nothing
          EXECUTION_VALIDATION_FAILED: actions.0.params.labelMatcher is required
        execution-read-text-bad-pattern
          EXECUTION_VALIDATION_FAILED: actions.0.params.validatorPattern is not a regular expression: unbalanced parenthesis at character 2
        execution-read-text-no-pattern
          EXECUTION_VALIDATION_FAILED: actions.0.params.validatorPattern is required if `validator` is `regex`
        execution-read-text-other-validator
          EXECUTION_VALIDATION_FAILED: actions.0.params.validator must be one of temperature, version, regex, not `email`
        execution-retry-unknown-key
          EXECUTION_VALIDATION_FAILED: actions.0.params.retry has the unknown key `max_attempts`
        execution-scroll-and-click-nothing
          EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required
        execution-scroll-direction
          EXECUTION_VALIDATION_FAILED: actions.0.params.direction must be one of down, up, left, right, not `sideways`
        execution-scroll-distance
          EXECUTION_VALIDATION_FAILED: actions.0.params.distanceRatio must be between 0 and 1, not 1.5
        execution-scroll-until-click-nothing
          EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required if `clickAfter` is true
        execution-scroll-until-no-scrolls
          EXECUTION_VALIDATION_FAILED: actions.0.params.maxScrolls must be a whole number between 1 and 200, not 0
        execution-select-options-none
          EXECUTION_VALIDATION_FAILED: actions.0.params.options must have 1 to 50 entries, not 0
        execution-select-options-twice
          EXECUTION_VALIDATION_FAILED: actions.0.params.options.1 is given twice
        execution-sleep-negative
          EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs must be between 0 and 120000, not -1
        execution-sleep-too-long
          EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs must be between 0 and 120000, not 120001
        execution-snapshot-format
          EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `format`
        execution-start-recording-blank
          EXECUTION_VALIDATION_FAILED: actions.0.params.sessionId must not be blank
        execution-take-screenshot-blank-path
          EXECUTION_VALIDATION_FAILED: actions.0.params.path must not be blank
        execution-timeout-too-long
          EXECUTION_VALIDATION_FAILED: timeoutMs must be between 1000 and 120000, not 120001
        execution-timeout-too-short
          EXECUTION_VALIDATION_FAILED: timeoutMs must be between 1000 and 120000, not 999
        execution-unknown-key
          EXECUTION_VALIDATION_FAILED: the payload has the unknown key `priority`
        execution-unknown-type
          EXECUTION_ACTION_UNSUPPORTED: actions.0.type `clickety` is not an action type
        execution-wait-for-navigation-too-long
          EXECUTION_VALIDATION_FAILED: actions.0.params.timeoutMs must be at most 30000, not 30001
        execution-wait-for-navigation-without-target
          EXECUTION_VALIDATION_FAILED: actions.0.params must have at least one of `expectedPackage` and `expectedNode`
        execution-wait-for-navigation-without-timeout
          EXECUTION_VALIDATION_FAILED: wait_for_navigation requires params.timeoutMs > 0
    "#]].assert_eq(&refused);
}
