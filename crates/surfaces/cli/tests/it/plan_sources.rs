//! The sources of plans for `exec`, and their errors.

use testkit::TempFolder;

use crate::run::{RunOutput, Words, assert_has, run, run_with};

const PLAN: &str = r#"{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a","type":"snapshot_ui"}]}"#;

/// A file in a folder of its own.
struct Scratch {
    path: String,
    _folder: TempFolder,
}

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = TempFolder::new("plan");
        Self {
            path: folder.file(name, bytes),
            _folder: folder,
        }
    }

    fn path(&self) -> &str {
        &self.path
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mut encoded = bytes(0xFEFF).to_vec();
    encoded.extend(text.encode_utf16().flat_map(bytes));
    encoded
}

#[test]
fn plan_comes_from_argument_file_or_stdin() {
    let file = Scratch::new("plan.json", PLAN.as_bytes());
    let marked = Scratch::new("bom.json", format!("\u{feff}{PLAN}").as_bytes());
    let little = Scratch::new("little.json", &utf16(PLAN, u16::to_le_bytes));
    let big = Scratch::new("big.json", &utf16(PLAN, u16::to_be_bytes));
    let spaced = format!("  {PLAN}\n");
    for source in [
        PLAN,
        &spaced,
        file.path(),
        marked.path(),
        little.path(),
        big.path(),
    ] {
        for flags in [
            &[][..],
            &["--payload"],
            &["--execution"],
            &["--input"],
            &["--file"],
        ] {
            for command in ["exec", "execute"] {
                let mut argv = vec![command];
                argv.extend_from_slice(flags);
                argv.extend([source, "--validate-only"]);
                let document = run(&argv).success();
                assert_eq!(document["execution"]["commandId"], "c", "{argv:?}");
            }
        }
    }
    for argv in [
        "exec - --validate-only",
        "exec --payload - --validate-only",
        "exec --validate-only -- -",
    ] {
        assert_eq!(
            run_with(argv, PLAN.as_bytes()).success()["execution"]["commandId"],
            "c"
        );
        let marked = utf16(PLAN, u16::to_le_bytes);
        assert_eq!(
            run_with(argv, &marked).success()["execution"]["commandId"],
            "c"
        );
    }
}

#[test]
fn canonical_source_applies_with_warning() {
    for argv in [
        &["--payload", PLAN, "--execution", "{}"][..],
        &["--execution", "{}", "--payload", PLAN],
        &["--file", "no/such/file", "--payload", PLAN],
    ] {
        let mut argv = argv.to_vec();
        argv.extend(["--validate-only"]);
        argv.insert(0, "exec");
        let document = run(&argv).success();
        assert_eq!(document["execution"]["commandId"], "c");
        let warnings = document["warnings"].as_array().unwrap();
        assert_eq!(warnings.len(), 1, "{document}");
        assert_eq!(warnings[0]["code"], "ALIAS_IGNORED");
        let ignored = argv
            .iter()
            .find(|flag| ["--execution", "--file"].contains(flag));
        assert!(
            warnings[0]["message"]
                .as_str()
                .unwrap()
                .starts_with(*ignored.unwrap()),
            "{document}"
        );
    }
}

#[test]
fn ambiguous_sources_are_refused() {
    for argv in [
        &["exec", "--payload", PLAN, "--payload", PLAN][..],
        &["exec", "--file", PLAN, "--file", PLAN],
        &["exec", "--file", PLAN, "--input", PLAN],
        &["exec", "--payload", PLAN, "--payload", PLAN, "--file", PLAN],
    ] {
        let mut argv = argv.to_vec();
        argv.push("--validate-only");
        let document = run(&argv).failure("EXECUTION_VALIDATION_FAILED");
        assert!(
            document["message"]
                .as_str()
                .unwrap()
                .ends_with("must not appear more than once"),
            "{document}"
        );
    }
    let document = run(&["exec", "--file", PLAN, "x"]).failure("USAGE");
    assert!(
        document["message"].as_str().unwrap().ends_with("--file"),
        "{document}"
    );
}

/// The text of the plan of `type` with these arguments and this standard input.
fn text_entered(arguments: &(impl Words + ?Sized), stdin: &[u8]) -> RunOutput {
    let mut argv = "type --id password --dry-run".words();
    argv.extend(arguments.words());
    run_with(&argv, stdin)
}

#[test]
fn text_from_reads_file_or_stdin() {
    for (bytes, text) in [
        (&b"s3cret"[..], "s3cret"),
        (b"s3cret\n", "s3cret"),
        (b"s3cret\r\n", "s3cret"),
        (b"two\nlines\n\n", "two\nlines\n"),
        (b" --spaces \r", " --spaces \r"),
        ("\u{feff}größe\n".as_bytes(), "größe"),
    ] {
        let file = Scratch::new("text.txt", bytes);
        for (source, stdin) in [("-", bytes), (file.path(), &b""[..])] {
            let document = text_entered(&["--text-from", source], stdin).success();
            assert_eq!(
                document["plan"]["actions"][0]["params"]["text"], text,
                "{source}: {document}"
            );
        }
    }
}

#[test]
fn unreadable_text_is_not_shown() {
    for (arguments, stdin, part) in [
        ("--text-from -", &b""[..], "standard input is empty"),
        ("--text-from -", b"\n", "standard input is empty"),
        ("--text-from -", b"s3cret\xFF", "neither UTF-8"),
        ("--text-from no/such/file", b"", "cannot read no/such/file"),
        ("--text-from - typed", b"s3cret", "not both"),
        ("--text-from - --text typed", b"s3cret", "not both"),
    ] {
        let ran = text_entered(arguments, stdin);
        let message = ran.failure("EXECUTION_VALIDATION_FAILED")["message"].to_string();
        assert!(message.contains(part), "{message}");
        assert!(!message.contains("s3cret"), "{message}");
    }
    let long = "s3cret".repeat(100);
    let refused =
        text_entered(&["--text-from", "-"], long.as_bytes()).failure("EXECUTION_VALIDATION_FAILED");
    assert!(!refused.to_string().contains("s3cret"), "{refused}");
}

#[test]
fn unreadable_source_is_named() {
    let empty = Scratch::new("empty.json", b" \n");
    let broken = Scratch::new("broken.json", b"\xFF\xFE{");
    let latin = Scratch::new("latin.json", b"{\"a\":\"\xE9\"}");
    let bad = Scratch::new("bad.json", b"{\"a\":");
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (source, part) in [
        (empty.path(), "empty"),
        (broken.path(), "UTF-16"),
        (latin.path(), "UTF-8"),
        (bad.path(), "line 1"),
        (folder, "directory"),
        ("no/such/file.json", "no/such/file.json"),
        ("-x", "-x"),
    ] {
        let document =
            run(&["exec", source, "--validate-only"]).failure("EXECUTION_VALIDATION_FAILED");
        assert_has(&document, "message", part);
        assert_eq!(document["details"]["file"], source, "{document}");
    }
    for source in ["   ", "[1]", "{bad", "{}"] {
        let document =
            run(&["exec", source, "--validate-only"]).failure("EXECUTION_VALIDATION_FAILED");
        assert!(document["details"].get("file").is_none(), "{document}");
    }
    let document = run("exec - --validate-only").failure("EXECUTION_VALIDATION_FAILED");
    assert_has(&document, "message", "standard input");
}

#[test]
fn payload_limit_applies_to_every_source() {
    let huge = vec![b' '; 20_000_000];
    run_with(
        &["exec", "-", "--validate-only"],
        &[b"{".as_slice(), &huge].concat(),
    )
    .failure("PAYLOAD_TOO_LARGE");
    let message =
        |document: &serde_json::Value| document["message"].as_str().unwrap_or_default().to_owned();
    let file = Scratch::new("huge.json", &[b"{".as_slice(), &huge].concat());
    let document = run(&["exec", file.path(), "--validate-only"]).failure("PAYLOAD_TOO_LARGE");
    assert_eq!(document["details"]["file"], file.path());
    assert_eq!(
        message(&document),
        "the payload has more than 1048576 bytes"
    );
    let text = "x".repeat(500);
    let action = format!(
        r#"{{"id":"a","type":"snapshot_ui","params":{{"uri":"{}"}}}}"#,
        text.repeat(4)
    );
    let actions = vec![action; 40].join(",");
    let large = PLAN.replace(r#"{"id":"a","type":"snapshot_ui"}"#, &actions);
    run_with(&["exec", "-", "--validate-only"], large.as_bytes()).failure("PAYLOAD_TOO_LARGE");
}

#[test]
fn flags_override_timeout_and_on_failure() {
    let document = run(&[
        "exec",
        PLAN,
        "--validate-only",
        "--timeout",
        "5000",
        "--on-failure=continue",
    ])
    .success();
    assert_eq!(document["execution"]["timeoutMs"], 5000);
    assert_eq!(document["execution"]["onFailure"], "continue");
    let continued = PLAN.replace(r#""timeoutMs""#, r#""onFailure":"continue","timeoutMs""#);
    let document = run(&[
        "exec",
        &continued,
        "--validate-only",
        "--on-failure",
        "stop",
    ])
    .success();
    assert!(
        document["execution"].get("onFailure").is_none(),
        "{document}"
    );
    for broken in [
        PLAN.replace(r#""timeoutMs":30000,"#, ""),
        PLAN.replace("30000", "\"soon\""),
        PLAN.replace("timeoutMs", "timeout_ms"),
        PLAN.replace(r#""timeoutMs""#, r#""onFailure":"perhaps","timeoutMs""#),
    ] {
        let document = run(&[
            "exec",
            &broken,
            "--validate-only",
            "--timeout",
            "5000",
            "--on-failure",
            "stop",
        ])
        .success();
        assert_eq!(document["execution"]["timeoutMs"], 5000);
        assert!(document.get("warnings").is_none(), "{document}");
    }
    for timeout in ["abc", "999", "120001"] {
        run(&["exec", PLAN, "--validate-only", "--timeout", timeout])
            .failure("EXECUTION_VALIDATION_FAILED");
    }
}

#[test]
fn validation_flags_never_run_plan() {
    for flag in ["--validate", "--validate-only", "--dry-run"] {
        assert_eq!(run(&["exec", PLAN, flag]).success()["ok"], true);
    }
    for flag in [
        "--valid",
        "--validateonly",
        "--validate_only",
        "--dry",
        "--dryrun",
        "--check",
    ] {
        run(&["exec", PLAN, flag]).failure("USAGE");
        run(&["exec", flag, PLAN]).failure("USAGE");
    }
    // After `--` it is a second positional argument, which is refused.
    run(&["exec", PLAN, "--", "--dry-run"]).failure("USAGE");
    run("snapshot -- --dry-run").failure("USAGE");
}
