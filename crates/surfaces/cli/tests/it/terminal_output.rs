//! Output on a terminal, and the progress of a run.

use crate::run::{finish, program, run};

/// A plan whose second step fails; the third runs only with `onFailure: continue`.
const PLAN: &str = r#"{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a","type":"sleep","params":{"durationMs":1500}},{"id":"b","type":"click","params":{"matcher":{"textEquals":"no such text"},"retry":{}}},{"id":"d","type":"press_key","params":{"key":"home"}}]}"#;

#[test]
fn verbose_prints_progress() {
    let ran = run(&["exec", PLAN, "--device", "sim", "--verbose"]);
    assert_eq!(ran.exit, 1);
    assert_eq!(ran.document()["envelope"]["errorCode"], "NODE_NOT_FOUND");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines[0], "✓ sleep 1500 ms  1500 ms");
    assert!(
        lines[1].starts_with("✗ click \"no such text\"  "),
        "{lines:?}"
    );
    assert!(lines[1].contains("NODE_NOT_FOUND"), "{lines:?}");
    assert!(lines[2].starts_with("  "), "{lines:?}");
    assert_eq!(lines.len(), 3, "{lines:?}");

    let ran = run(&[
        "exec",
        PLAN,
        "--device",
        "sim",
        "--verbose",
        "--json",
        "--on-failure",
        "continue",
    ]);
    assert_eq!(ran.exit, 1);
    assert!(
        ran.stderr
            .lines()
            .any(|line| line.starts_with("✓ press_key home")),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
    assert_eq!(
        ran.document()["envelope"]["stepResults"]
            .as_array()
            .map(Vec::len),
        Some(3)
    );

    assert_eq!(run(&["exec", PLAN, "--device", "sim"]).stderr, "");
}

#[test]
fn pipe_gets_no_colour() {
    let ran = finish(
        program()
            .args(["exec", PLAN, "--device", "sim", "--verbose"])
            .env("CLICOLOR_FORCE", "1"),
        None,
    );
    assert!(!ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'));
    assert!(ran.stderr.contains('✓'));
}

#[test]
fn long_waits_succeed() {
    let ran = run("sleep 120000 --device sim");
    assert_eq!(ran.success()["envelope"]["status"], "success");
    let document = run("wait --text 'no such text' --timeout 119000 --device sim").document();
    assert_eq!(
        document["envelope"]["errorCode"], "NODE_NOT_FOUND",
        "{document}"
    );
}

#[cfg(target_os = "linux")]
mod terminal {
    use std::process::{Command, Stdio};

    use super::PLAN;
    use crate::run::words;

    /// Standard output and standard error as on a terminal. Without `script`, `xtask/run-tests` leaves this module out.
    fn on_terminal(arguments: &[&str], environment: &[(&str, &str)]) -> String {
        let quoted: Vec<String> = std::iter::once(&env!("CARGO_BIN_EXE_clawperator"))
            .chain(arguments)
            .map(|word| format!("'{}'", word.replace('\'', r"'\''")))
            .collect();
        let mut command = Command::new("script");
        command
            .args([
                "--quiet",
                "--return",
                "--command",
                &quoted.join(" "),
                "/dev/null",
            ])
            .stdin(Stdio::null())
            .env("TERM", "xterm");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        for (name, value) in environment {
            command.env(name, value);
        }
        let output = command.output().unwrap();
        String::from_utf8(output.stdout)
            .unwrap()
            .replace("\r\n", "\n")
    }

    #[test]
    fn terminal_gets_indented_json_by_default() {
        let plain = on_terminal(&["version"], &[]);
        assert!(plain.starts_with("{\n  \"cliVersion\""), "{plain:?}");
        for form in ["--json", "--output json"] {
            let compact = on_terminal(&words(&format!("version {form}")), &[]);
            assert!(compact.starts_with("{\"cliVersion\""), "{compact:?}");
        }
    }

    #[test]
    fn terminal_gets_coloured_progress() {
        let base = ["exec", PLAN, "--device", "sim"];
        let coloured = on_terminal(&base, &[]);
        assert!(coloured.contains("\u{1b}[32m"), "{coloured:?}");
        assert!(
            coloured.contains('✓') && coloured.contains('✗'),
            "{coloured:?}"
        );
        let plain = [
            on_terminal(&base, &[("NO_COLOR", "1")]),
            on_terminal(&base, &[("CLICOLOR", "0")]),
            on_terminal(&base, &[("TERM", "dumb")]),
            on_terminal(&base, &[("TERM", "dumb"), ("CI", "true")]),
            on_terminal(&[&base[..], &["--no-color"]].concat(), &[]),
        ];
        for plain in plain {
            assert!(!plain.contains('\u{1b}'), "{plain:?}");
            assert!(plain.contains('✓'), "{plain:?}");
        }
        let quiet = on_terminal(&[&base[..], &["--json"]].concat(), &[]);
        assert!(quiet.starts_with('{') && !quiet.contains('✓'), "{quiet:?}");
    }
}
