//! Help, completions and the reference page.

use std::process::{Command, Stdio};

use expect_test::expect_file;

use crate::run::{Words, run, run_with, words};

const COMMANDS: &[&str] = &[
    "snapshot",
    "screenshot",
    "inspect",
    "selectors",
    "click",
    "open",
    "type",
    "read",
    "read-value",
    "wait",
    "wait-for-nav",
    "press",
    "back",
    "close",
    "sleep",
    "scroll",
    "scroll-until",
    "scroll-and-click",
    "devices",
    "packages",
    "packages list",
    "exec",
    "serve",
    "sim",
    "sim new",
    "sim check",
    "sim show",
    "sim import",
    "sim apps",
    "doctor",
    "operator",
    "operator setup",
    "grant-device-permissions",
    "version",
    "help",
    "completions",
];

fn text(argv: &(impl Words + ?Sized)) -> String {
    let argv = argv.words();
    let ran = run(&argv);
    assert_eq!(
        (ran.exit, ran.stderr.as_str()),
        (0, ""),
        "{argv:?}: {}",
        ran.stdout
    );
    ran.stdout
}

#[test]
fn program_help() {
    let help = text(&["--help"]);
    expect_file!["../../testdata/help/program.txt"].assert_eq(&help);
    assert!(help.starts_with("Clawperator CLI\n"));
    let options = help.split_once("Global options:\n").unwrap().1;
    assert!(options.contains("\n  --json "));
    assert!(help.contains("exec <json-or-file> [--validate-only]"));
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command}")), "{command}");
    }
    assert!(!help.contains("generate-docs"));
    for argv in [
        "help",
        "-h",
        "--help nothing",
        "inspect ui --help",
        "--json help",
    ] {
        assert_eq!(text(argv), help, "{argv:?}");
    }
}

#[test]
fn help_of_every_command() {
    for command in COMMANDS {
        let help = text(&[command, "--help"]);
        let file = command.replace(' ', "-");
        expect_file![format!("../../testdata/help/{file}.txt")].assert_eq(&help);
        assert!(help.contains(&format!("clawperator {command}")), "{help}");
        assert_eq!(text(&["help", command]), help);
        assert_eq!(text(&[command, "-h"]), help);
    }
}

#[test]
fn synonyms_show_help_of_their_command() {
    for (synonym, command) in [
        ("tap", "click"),
        ("fill", "type"),
        ("execute", "exec"),
        ("open-url", "open"),
        ("close-app", "close"),
        ("press-key", "press"),
        ("read-kv", "read-value"),
        ("wait-for-navigation", "wait-for-nav"),
    ] {
        assert_eq!(text(&[synonym, "--help"]), text(&[command, "--help"]));
        assert_eq!(text(&["help", synonym]), text(&["help", command]));
    }
    for argv in [
        "observe snapshot --help",
        "help observe snapshot",
        "help 'observe snapshot'",
    ] {
        assert_eq!(text(argv), text(&["help", "snapshot"]), "{argv:?}");
    }
    for argv in ["help click now", "help 'observe snapshot now'"] {
        run(argv).failure("USAGE");
    }
    run("help observe nothing").failure("UNKNOWN_COMMAND");
}

#[test]
fn help_contains_documented_words() {
    for (command, parts) in [
        ("snapshot", "'--timeout <ms>'"),
        ("screenshot", "'--path <file>'"),
        ("click", "--selector --text --id --role"),
        ("open", "package-id"),
        ("press", "back"),
        (
            "scroll",
            "down --container-text --container-id --container-role",
        ),
        ("read", "--container-text --container-id --container-role"),
        ("type", "--role --id --submit --clear"),
    ] {
        let help = text(&[command, "--help"]);
        for part in words(parts) {
            assert!(help.contains(part), "{command}: {part}");
        }
    }
}

#[test]
fn help_of_wait_shows_default_timeout() {
    let pauses: f64 = contract::Retry::UI_READINESS
        .delays()
        .map(contract::Millis::as_f64)
        .sum();
    assert!(text(&["wait", "--help"]).contains(&format!("[default: about {pauses}]")));
}

#[test]
fn reference_page() {
    let page = text(&["generate-docs"]);
    for command in COMMANDS {
        assert!(page.contains(&format!("\n### {command}\n")), "{command}");
    }
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let cells = line.replace("\\|", "").matches('|').count();
        assert!(cells == 3 || cells == 4, "{line}");
    }
}

#[test]
fn completions_exist_for_every_shell() {
    for (shell, check) in [
        ("bash", &["bash", "-n"][..]),
        ("zsh", &["zsh", "-n"]),
        ("fish", &["fish", "--no-execute"]),
        ("powershell", &[]),
        ("elvish", &["elvish", "-compileonly"]),
    ] {
        let script = text(&["completions", shell]);
        for command in COMMANDS {
            assert!(
                script.contains(command.rsplit(' ').next().unwrap_or_default()),
                "{shell}: {command}"
            );
        }
        assert!(script.contains("container-text-contains"), "{shell}");
        assert!(!script.contains("generate-docs"), "{shell}");
        syntax(check, &script);
    }
    assert_eq!(run_with(&["completions", "bash"], b"").exit, 0);
}

/// Checks the syntax of a script with its shell, if the shell is installed.
fn syntax(check: &[&str], script: &str) {
    use std::io::Write;

    let Some((shell, flags)) = check.split_first() else {
        return;
    };
    let child = Command::new(shell)
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => panic!("{shell}: {error}"),
    };
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{shell}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
