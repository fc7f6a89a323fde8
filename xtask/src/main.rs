//! Automation of the repository: `cargo xtask tidy | layers | modules | lines | licenses | docs | gallery | figures | commands | pace | prove | fuzz`.

mod actions;
mod commands;
mod docs;
mod figures;
mod gallery;
mod layers;
mod licenses;
mod lines;
mod links;
mod modules;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
cargo xtask <command>

  tidy           check layers, folder sizes, file headers and lengths, marks of unfinished work, links, actions
  layers         print and check the crate graph
  modules        check that the modules of a crate do not depend on each other in a cycle
  lines          print the size of each folder
  licenses       write the output of `clawperator licenses`
  licenses --check  check licences, sources and notices
  docs           generate docs/reference from the code
  gallery        redraw docs/gallery
  docs --check   list stale pages
  figures        measure the release build: size, start-up, benches
  commands       measure whole commands through a real adb server to a simulated phone
  pace           print what each action costs at the pace of a phone, from the engine's scenarios
  prove          run random plans on the simulated phone and check every result against its journal; see --help
  fuzz           feed damaged and generated input to the parsers; see --help";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let problems = match words.as_slice() {
        ["tidy"] => tidy::check(&root()),
        ["layers"] => match layers::picture(&root()) {
            Ok(picture) => {
                println!("{picture}");
                layers::check(&root())
            }
            Err(problem) => vec![problem],
        },
        ["modules"] => modules::check(&root()),
        ["lines"] => match tidy::files(&root()) {
            Ok(files) => lines::print(&root(), &files),
            Err(problem) => vec![problem],
        },
        ["licenses"] => licenses::write(&root()),
        ["licenses", "--check"] => licenses::check(&root()),
        ["docs"] => docs::write(&root()),
        ["gallery"] => gallery::draw(&root()),
        ["commands"] => commands::print(&root()),
        ["figures"] => figures::print(&root()),
        ["pace"] => return pace(),
        ["prove", options @ ..] => return prove(options),
        ["fuzz", options @ ..] => return fuzz(options),
        ["docs", "--check"] => docs::check(&root()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs the engine's scenarios at the pace of a phone and prints their cost.
fn pace() -> ExitCode {
    run(Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--package", "engine", "--test", "it"])
        .args(["costs::", "--", "--nocapture"]))
}

/// Builds the proof with debug assertions and runs it.
fn prove(options: &[&str]) -> ExitCode {
    run(Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--profile", "proving"])
        .args(["--package", "proving", "--bin", "prove", "--"])
        .args(options))
}

/// Builds the fuzzers with debug assertions and runs them.
fn fuzz(options: &[&str]) -> ExitCode {
    run(Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "fuzz", "--bin", "fuzz", "--"])
        .args(options))
}

/// Runs a cargo command in the repository.
fn run(cargo: &mut Command) -> ExitCode {
    match cargo.current_dir(root()).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Runs cargo with its output shown.
fn cargo(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("cargo {} failed", arguments.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    fn assert_clean(problems: &[String]) {
        assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    }

    #[test]
    fn crate_dependencies_follow_the_rules() {
        assert_clean(&layers::check(&root()));
    }

    #[test]
    fn crates_have_no_module_cycles() {
        assert_clean(&modules::check(&root()));
    }

    #[test]
    fn licences_are_allowed_and_notices_are_up_to_date() {
        assert_clean(&licenses::check(&root()));
    }

    #[test]
    fn the_tree_is_tidy() {
        assert_clean(&tidy::check(&root()));
    }

    #[test]
    fn a_new_action_touches_four_source_files() {
        let files = tidy::files(&root()).unwrap();
        assert_clean(&actions::check(&root(), &files));
    }

    #[test]
    fn reference_pages_are_up_to_date() {
        assert_clean(&docs::check(&root()));
    }

    /// Runs `run-tests` on an integration test that is a shell script; its exit code and output.
    fn run_tests(script: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
        run_binary("it-0", &["-c", script], variables)
    }

    /// Runs `run-tests` on a test binary of this name, which is a shell; its exit code and output.
    fn run_binary(
        name: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> (Option<i32>, String) {
        static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
            let folder = std::env::temp_dir().join(format!("run-tests-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            for name in ["it-0", "driver_chrome-0"] {
                std::os::unix::fs::symlink("/bin/bash", folder.join(name)).unwrap();
            }
            folder
        });
        let output = Command::new("/bin/bash")
            .arg(root().join("xtask/run-tests"))
            .arg(FOLDER.join(name))
            .args(arguments)
            .env_remove("ONLY_CRATES")
            .env_remove("SKIP_CRATES")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    }

    #[test]
    fn the_jdk_is_found_by_its_version_whatever_else_java_says() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = std::env::temp_dir().join(format!("java-home-{}", std::process::id()));
        for (name, version) in [("eleven", "11.0.2"), ("seventeen", "17.0.9")] {
            let programs = folder.join(name).join("bin");
            std::fs::create_dir_all(&programs).unwrap();
            let compiler = programs.join("javac");
            let script = format!(
                "#!/bin/sh\necho 'Picked up JAVA_TOOL_OPTIONS: -Da=javac 17' >&2\necho javac {version}\n"
            );
            std::fs::write(&compiler, script).unwrap();
            std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o700)).unwrap();
        }
        let found = |name: &str| {
            let output = Command::new(root().join("agent/java-home"))
                .env("JAVA_HOME", folder.join(name))
                .output()
                .unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let home = folder.join("seventeen").display().to_string();
        assert_eq!(found("seventeen").trim(), home);
        assert!(!found("eleven").contains("eleven"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_runner_prints_failures_and_ends_a_test_that_hangs() {
        let all = [
            ("CARGO_PKG_NAME", "crate"),
            ("TESTS", "all"),
            ("TEST_SECONDS", "61"),
        ];
        let failing = "echo 'test a ... ok'; echo 'test b ... FAILED'; exit 101";
        let (code, text) = run_tests(failing, &all);
        assert_eq!(code, Some(101), "{text}");
        assert_eq!(text, "test b ... FAILED\n");

        let hanging = "echo 'test a has been running for over 60 seconds'; sleep 600";
        let (code, text) = run_tests(hanging, &all);
        assert_ne!(code, Some(0), "{text}");
        assert!(
            text.contains("run-tests: a of crate took more than 61 s"),
            "{text}"
        );
    }

    #[test]
    fn the_runner_leaves_out_tests_whose_tools_are_missing() {
        let empty = [("CARGO_PKG_NAME", "cli"), ("PATH", "/nowhere")];
        let with = |mode| [empty[0], empty[1], ("TESTS", mode)];
        let test = "echo ran";
        let (code, text) = run_tests(test, &with(""));
        assert_eq!(code, Some(0), "{text}");
        assert!(
            text.starts_with("left out: integration tests of cli; not installed: adb node"),
            "{text}"
        );
        assert_eq!(
            run_tests(test, &with("quick")).1,
            "left out: integration tests of cli\n"
        );
        let bench = [("CARGO_PKG_NAME", "bench"), ("TESTS", "")];
        assert_eq!(
            run_tests(test, &bench).1,
            "left out: smoke runs of the benchmarks (./check runs them)\n"
        );
        // Unit tests with a browser are left out by name.
        for (mode, skipped) in [("quick", true), ("all", false)] {
            let echo = ["-c", "echo \"$@\"", "test"];
            let variables = [("CARGO_PKG_NAME", "driver-chrome"), ("TESTS", mode)];
            let (code, text) = run_binary("driver_chrome-0", &echo, &variables);
            assert_eq!(code, Some(0), "{text}");
            let left_out = text.contains("left out: unit tests of driver-chrome with a browser");
            assert_eq!(left_out, skipped, "{text}");
            assert_eq!(text.contains("--skip browser_tests::"), skipped, "{text}");
        }
        let other = [("CARGO_PKG_NAME", "uitree"), empty[1], ("TESTS", "")];
        assert_eq!(run_tests(test, &other), (Some(0), "ran\n".to_owned()));
    }
}
