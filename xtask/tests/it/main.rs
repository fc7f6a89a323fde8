//! What CONTRIBUTING promises of new actions, drivers, commands and global flags, proved by adding one of each to a copy of
//! the repository.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// An edit of a file that is there already: its path, a text that it has once, and the text that replaces it.
type Edit = (&'static str, &'static str, &'static str);

/// What a change to the repository consists of.
struct Change {
    /// Files of `xtask/testdata/toy` that are added.
    added: &'static [&'static str],
    edits: &'static [Edit],
}

const ACTION: Change = Change {
    added: &[
        "crates/core/contract/src/actions/blink.rs",
        "crates/core/engine/src/actions/blink.rs",
    ],
    edits: &[
        (
            "crates/core/contract/src/actions/mod.rs",
            "    sleep::Sleep = ",
            "    blink::Blink = \"blink\",\n    sleep::Sleep = ",
        ),
        (
            "crates/core/engine/src/actions/mod.rs",
            "\nmod sleep;",
            "\nmod blink;\nmod sleep;",
        ),
        (
            "crates/core/engine/src/actions/mod.rs",
            "        Params::Sleep(params) => ",
            "        Params::Blink(params) => blink::perform(ctx, params).await,\n        Params::Sleep(params) => ",
        ),
    ],
};

const DRIVER: Change = Change {
    added: &[
        "crates/devices/driver-toy/Cargo.toml",
        "crates/devices/driver-toy/src/lib.rs",
        "crates/surfaces/service/src/devices/toy.rs",
    ],
    edits: &[
        (
            "Cargo.toml",
            "driver-sim = {",
            "driver-toy = { path = \"crates/devices/driver-toy\" }\ndriver-sim = {",
        ),
        (
            "crates/surfaces/service/Cargo.toml",
            "driver-sim.workspace = true",
            "driver-toy.workspace = true\ndriver-sim.workspace = true",
        ),
        (
            "crates/surfaces/service/src/devices/mod.rs",
            "\nmod sim;",
            "\nmod toy;\nmod sim;",
        ),
        (
            "crates/surfaces/service/src/devices/mod.rs",
            "DeviceKind; 3] = [",
            "DeviceKind; 4] = [&toy::ToyKind, ",
        ),
        (
            "xtask/src/layers.rs",
            "const LEVELS: &[(&str, u8)] = &[",
            "const LEVELS: &[(&str, u8)] = &[\n    (\"driver-toy\", 3),",
        ),
        (
            "crates/devices/README.md",
            "\n| `driver-chrome` |",
            "\n| `driver-toy` | a toy | everything |\n| `driver-chrome` |",
        ),
    ],
};

const COMMAND: Change = Change {
    added: &["crates/surfaces/cli/src/commands/toy.rs"],
    edits: &[
        (
            "crates/surfaces/cli/src/commands/mod.rs",
            "\npub(crate) mod sleep;",
            "\nmod toy;\npub(crate) mod sleep;",
        ),
        (
            "crates/surfaces/cli/src/commands/mod.rs",
            "        &sleep::COMMAND,",
            "        &toy::COMMAND,\n        &sleep::COMMAND,",
        ),
    ],
};

const GLOBAL_FLAG: Change = Change {
    added: &[],
    edits: &[
        (
            "crates/surfaces/cli/src/table/globals.rs",
            "pub(crate) static ALL: &[Global] = globals![",
            "pub(crate) static ALL: &[Global] = globals![\n    Device: \"--toy\", FlagValue::Switch, \"Play\", |globals, _| {\n        globals.toy = true;\n        Ok(())\n    };",
        ),
        (
            "crates/surfaces/cli/src/table/globals.rs",
            "\n    pub(crate) wake: bool,",
            "\n    pub(crate) wake: bool,\n    /// `--toy`.\n    pub(crate) toy: bool,",
        ),
    ],
};

impl Change {
    /// The source files of the product that it touches, by path.
    fn sources(&self) -> BTreeSet<&'static str> {
        let edited = self.edits.iter().map(|(file, ..)| *file);
        let files = self.added.iter().copied().chain(edited);
        files
            .filter(|file| file.starts_with("crates/") && file.ends_with(".rs"))
            .collect()
    }

    /// Makes it in a copy of the repository.
    fn apply(&self, root: &Path, copy: &mut Tree) {
        for file in self.added {
            let text = fs::read(root.join("xtask/testdata/toy").join(file)).unwrap();
            let before = copy.insert(PathBuf::from(file), text);
            assert!(before.is_none(), "{file} is there already");
        }
        for (file, old, new) in self.edits {
            let bytes = copy.get_mut(Path::new(file)).unwrap();
            let text = str::from_utf8(bytes).unwrap();
            assert_eq!(text.matches(old).count(), 1, "{file}: {old:?}");
            *bytes = text.replace(old, new).into_bytes();
        }
    }
}

/// Files by their paths.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// The files of the repository that a commit would hold.
fn repository(root: &Path) -> Tree {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(listed.status.success());
    let names = String::from_utf8(listed.stdout).unwrap();
    let paths = names.split_terminator('\0').map(PathBuf::from);
    paths
        .filter_map(|path| Some((path.clone(), fs::read(root.join(path)).ok()?)))
        .collect()
}

/// Makes a folder hold these files and no others, besides what is built in it. Files that are right are left alone, so
/// that what was built from them stays fresh.
fn write(folder: &Path, tree: &Tree, root: &Path) {
    fs::create_dir_all(folder).unwrap();
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(folder)
            .status();
        assert!(done.unwrap().success(), "git {arguments:?}");
    };
    git(&["init", "--quiet"]);
    for path in repository(folder)
        .keys()
        .filter(|path| !tree.contains_key(*path))
    {
        fs::remove_file(folder.join(path)).unwrap();
    }
    for (path, bytes) in tree {
        let to = folder.join(path);
        if fs::read(&to).is_ok_and(|there| there == *bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(&to, bytes).unwrap();
        // Scripts stay executable.
        if let Ok(metadata) = fs::metadata(root.join(path)) {
            fs::set_permissions(&to, metadata.permissions()).unwrap();
        }
    }
}

/// Runs cargo in the repository or in a copy of it, and returns what it printed. A copy has a target folder of its own; what
/// dependencies are compiled to is shared with the repository. Cargo gives the crates of both workspaces the same file names, so
/// without a wrapper of its own `cargo xtask` in the repository would run the program of the copy.
fn cargo(folder: &Path, root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_BUILD_BUILD_DIR", root.join("target"))
        .env_remove("RUSTC_WORKSPACE_WRAPPER");
    if folder != root {
        command.env("RUSTC_WORKSPACE_WRAPPER", "env");
    }
    let done = command.output().unwrap();
    assert!(
        done.status.success(),
        "cargo {arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).unwrap()
}

/// The file that a crate without dependencies is compiled to.
fn compiled_crate(folder: &Path, root: &Path) -> PathBuf {
    let check = ["check", "--package", "escape", "--message-format", "json"];
    let messages = cargo(folder, root, &check);
    let messages = messages.lines();
    let mut messages = messages.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let file = messages.find_map(|message| {
        let files = message["filenames"].as_array()?;
        Some(PathBuf::from(files.first()?.as_str()?))
    });
    file.unwrap()
}

#[test]
fn new_actions_drivers_commands_and_global_flags_touch_few_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    assert_eq!(ACTION.sources().len(), 4);
    let driver = [
        "crates/devices/driver-toy/src/lib.rs",
        "crates/surfaces/service/src/devices/mod.rs",
        "crates/surfaces/service/src/devices/toy.rs",
    ];
    assert_eq!(DRIVER.sources(), BTreeSet::from(driver));
    assert_eq!(COMMAND.sources().len(), 2);
    assert_eq!(GLOBAL_FLAG.sources().len(), 1);
    let mut tree = repository(root);
    for change in [ACTION, DRIVER, COMMAND, GLOBAL_FLAG] {
        change.apply(root, &mut tree);
    }
    let copy = root.join("target/toy");
    write(&copy, &tree, root);
    apply_guide(root, &copy);
    assert_ne!(compiled_crate(&copy, root), compiled_crate(root, root));
    // Everything that ships with the guide's tests, and the proof, which plans and judges every action.
    for package in [&["cli", "--tests"][..], &["proving"]] {
        let check = ["check", "--quiet", "--package"];
        cargo(&copy, root, &[&check, package].concat());
    }
    let tidy = ["run", "--quiet", "--package", "xtask", "--", "tidy"];
    cargo(&copy, root, &tidy);
}

/// Applies the diffs of the guide to the first change, which its readers apply by hand.
fn apply_guide(root: &Path, copy: &Path) {
    let guide = fs::read_to_string(root.join("docs/contributing/first-change.md")).unwrap();
    let blocks = guide.split("```diff\n").skip(1);
    let diffs: Vec<&str> = blocks
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert!(!diffs.is_empty());
    let patch = copy.join("target/guide.diff");
    for diff in diffs {
        fs::create_dir_all(patch.parent().unwrap()).unwrap();
        fs::write(&patch, diff).unwrap();
        let applied = Command::new("git")
            .arg("apply")
            .arg(&patch)
            .current_dir(copy)
            .output()
            .unwrap();
        let problem = String::from_utf8_lossy(&applied.stderr);
        assert!(applied.status.success(), "{problem}\n{diff}");
    }
}
