//! What CONTRIBUTING promises of new actions and drivers, proved by adding one of each to a copy of the repository.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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
            "pub(crate) const CRATES: &[CrateRule] = &[",
            "pub(crate) const CRATES: &[CrateRule] = &[\n    CrateRule {\n        name: \"driver-toy\",\n        folder: \"devices\",\n        level: 3,\n        uses: &[\"driver\"],\n        external: &[\"async-trait\"],\n    },",
        ),
        (
            "xtask/src/layers.rs",
            "name: \"service\",\n        folder: \"surfaces\",\n        level: 5,\n        uses: &[",
            "name: \"service\",\n        folder: \"surfaces\",\n        level: 5,\n        uses: &[\"driver-toy\", ",
        ),
        (
            "crates/devices/README.md",
            "\n| `driver-chrome` |",
            "\n| `driver-toy` | a toy | everything |\n| `driver-chrome` |",
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
fn write(folder: &Path, tree: &Tree) {
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
        let path = folder.join(path);
        if fs::read(&path).is_ok_and(|there| there == *bytes) {
            continue;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Runs cargo in a folder, with a target folder of its own.
fn cargo(folder: &Path, arguments: &[&str]) {
    let done = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "cargo {arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn a_new_action_touches_four_source_files_and_a_new_driver_its_crate_and_one_registration() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    assert_eq!(ACTION.sources().len(), 4);
    let registration = [
        "crates/devices/driver-toy/src/lib.rs",
        "crates/surfaces/service/src/devices/mod.rs",
        "crates/surfaces/service/src/devices/toy.rs",
    ];
    assert_eq!(DRIVER.sources(), BTreeSet::from(registration));
    let mut tree = repository(root);
    ACTION.apply(root, &mut tree);
    DRIVER.apply(root, &mut tree);
    let copy = root.join("target/toy");
    write(&copy, &tree);
    // Everything that ships, and the proof, which plans and judges every action.
    cargo(
        &copy,
        &[
            "check",
            "--quiet",
            "--package",
            "cli",
            "--package",
            "proving",
        ],
    );
    cargo(
        &copy,
        &["run", "--quiet", "--package", "xtask", "--", "tidy"],
    );
}
