//! Invalid and huge input to the commands of the simulated phone is refused with a hint.

use serde_json::Value;

use crate::sim::Folder;

/// The hint of an error, which must have one.
#[track_caller]
fn hint(error: &Value) -> &str {
    error["hint"].as_str().unwrap_or_else(|| panic!("{error}"))
}

#[track_caller]
fn message(error: &Value) -> &str {
    error["message"]
        .as_str()
        .unwrap_or_else(|| panic!("{error}"))
}

#[test]
fn hint_for_unreadable_file_does_not_mention_problems() {
    let folder = Folder::new("unreadable");
    folder.write("empty.yaml", "");
    folder.write("huge.yaml", &"#".repeat((8 << 20) + 1));
    std::fs::write(folder.path("utf16.yaml"), b"\xff\xfea\0").unwrap();
    std::fs::write(folder.path("bytes.yaml"), b"app: \x80").unwrap();
    for (file, expected, advice) in [
        (
            "missing.yaml",
            "there is no such file or folder",
            "Check the path",
        ),
        ("empty.yaml", "the file is empty", "sim new"),
        (
            "huge.yaml",
            "the file has 8388609 bytes, and an app file 8388608 bytes at most",
            "UTF-8 of at most 8 MiB",
        ),
        ("utf16.yaml", "in UTF-16, not in UTF-8", "UTF-8"),
        ("bytes.yaml", "is not UTF-8 text: byte 5 is wrong", "UTF-8"),
    ] {
        let error = folder
            .run(&["sim", "check", file])
            .failure("SIM_APP_INVALID");
        assert!(message(&error).contains(expected), "{error}");
        assert!(hint(&error).contains(advice), "{error}");
        assert!(!hint(&error).contains("Fix every"), "{error}");
    }
    // Problems of a file are reported even if another one is missing.
    folder.write("broken.yaml", "app: x");
    let error = folder
        .run("sim check missing.yaml broken.yaml")
        .failure("SIM_APP_INVALID");
    assert!(hint(&error).contains("Fix every"), "{error}");
}

#[test]
fn listed_problems_are_limited() {
    let folder = Folder::new("problems");
    let keys: String = (0..250).map(|n| format!("wrong{n}: 1\n")).collect();
    folder.write(
        "app.yaml",
        &format!("app: com.a.b\nstart: m\nscreens: {{ m: {{}} }}\n{keys}"),
    );
    let ran = folder.run("sim check app.yaml --verbose");
    assert!(ran.stderr.contains("and 200 more"), "{}", ran.stderr);
    let error = folder.run("sim check app.yaml").failure("SIM_APP_INVALID");
    assert_eq!(error["details"]["problems"].as_array().unwrap().len(), 50);
    assert_eq!(error["details"]["unlistedProblems"], 200);
}

#[test]
fn file_extensions_are_checked() {
    let folder = Folder::new("names");
    for name in ["app.txt", "app", ".yaml"] {
        let error = folder.run(&["sim", "new", name]).failure("USAGE");
        assert!(
            message(&error).contains("must end in .yaml or .yml"),
            "{error}"
        );
        assert!(hint(&error).contains(".yaml"), "{error}");
    }
    let made = folder.run("sim new app.yml").success();
    assert_eq!(made["created"]["package"], "com.example.app");
    let error = folder
        .run("sim new app.yml")
        .failure("SIM_FILE_NOT_WRITTEN");
    assert!(hint(&error).contains("--force"), "{error}");
    let error = folder
        .run("sim new no/app.yaml")
        .failure("SIM_FILE_NOT_WRITTEN");
    assert!(!hint(&error).contains("--force"), "{error}");
    let error = folder
        .run("sim show app.yml --out shot.jpg")
        .failure("USAGE");
    assert_eq!(hint(&error), "Use --out shot.png");
    let error = folder
        .run("sim show app.yml --screen nowhere")
        .failure("USAGE");
    assert!(hint(&error).contains("sim check app.yml"), "{error}");
}

/// A dump with one node that has these bounds.
fn dump(bounds: &str) -> String {
    format!(
        "<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\"><node index=\"0\" text=\"\" resource-id=\"\" \
         class=\"android.widget.FrameLayout\" package=\"com.x.y\" content-desc=\"\" checkable=\"false\" checked=\"false\" \
         clickable=\"false\" enabled=\"true\" focusable=\"false\" focused=\"false\" scrollable=\"false\" \
         long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"{bounds}\" /></hierarchy>"
    )
}

#[test]
fn invalid_dump_is_refused_with_name() {
    let folder = Folder::new("dumps");
    folder.write("wide.xml", &dump("[0,0][90000,2340]"));
    folder.write("good.xml", &dump("[0,0][1080,2340]"));
    let error = folder
        .run("sim import wide.xml --out app.yaml")
        .failure("SIM_APP_INVALID");
    assert!(
        message(&error).starts_with("wide.xml: its screen would be 90000x2340"),
        "{error}"
    );
    // Imported files are not replaced, whatever the name.
    for out in ["good.xml", "./good.xml"] {
        let error = folder
            .run(&["sim", "import", "good.xml", "--out", out, "--force"])
            .failure("USAGE");
        assert!(
            message(&error).contains("is a file that is imported"),
            "{error}"
        );
    }
    assert_eq!(folder.read("good.xml"), dump("[0,0][1080,2340]").as_bytes());
    let error = folder
        .run("sim import good.xml ./good.xml --out app.yaml")
        .failure("USAGE");
    assert!(
        message(&error).starts_with("two screens have the name `good`"),
        "{error}"
    );
    assert!(hint(&error).contains("--name other=./good.xml"), "{error}");
}

#[test]
fn oversized_dump_is_refused() {
    let folder = Folder::new("nodes");
    let whole = dump("[0,0][1080,2340]");
    let (head, end) = whole.split_once(" /></hierarchy>").unwrap();
    assert_eq!(end, "");
    let leaf =
        "<node class=\"android.widget.TextView\" package=\"com.x.y\" bounds=\"[0,0][9,9]\" />";
    let text = format!("{head}>{}</node></hierarchy>", leaf.repeat(100_000));
    folder.write("many.xml", &text);
    let error = folder
        .run("sim import many.xml --out app.yaml")
        .failure("SIM_APP_INVALID");
    assert!(
        message(&error)
            .contains("many.xml: the dump holds 100001 nodes, and a screen holds 100000 at most"),
        "{error}"
    );
}
