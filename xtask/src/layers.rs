//! Allowed dependencies between crates and folders, checked against `cargo metadata`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What one crate may depend on.
pub(crate) struct CrateRule {
    /// The package name, which is also the name of its directory.
    pub(crate) name: &'static str,
    /// The directory below `crates` that holds it; `.` for `xtask`.
    pub(crate) folder: &'static str,
    /// A crate depends only on crates of lower levels.
    pub(crate) level: u8,
    /// Workspace crates it depends on.
    pub(crate) uses: &'static [&'static str],
    /// External crates it depends on.
    pub(crate) external: &'static [&'static str],
}

/// What the crates of one folder may depend on.
struct FolderRule {
    name: &'static str,
    /// One sentence for readers of the tree; ARCHITECTURE.md says the same.
    purpose: &'static str,
    /// Other folders whose crates it may use.
    uses: &'static [&'static str],
}

/// The folders below `crates`.
const FOLDERS: &[FolderRule] = &[
    FolderRule {
        name: "core",
        purpose: "what may be asked and how it runs",
        uses: &[],
    },
    FolderRule {
        name: "finder",
        purpose: "turns descriptions into elements and selectors",
        uses: &["core"],
    },
    FolderRule {
        name: "devices",
        purpose: "real devices and their protocols",
        uses: &["core", "finder"],
    },
    FolderRule {
        name: "simphone",
        purpose: "the embedded phone, which needs no hardware",
        uses: &["core", "devices"],
    },
    FolderRule {
        name: "surfaces",
        purpose: "command line, HTTP and MCP, and the service behind them",
        uses: &["core", "finder", "devices", "simphone"],
    },
    FolderRule {
        name: "dev",
        purpose: "test tools and measurements; ships with nothing",
        uses: &["core", "finder", "devices", "simphone", "surfaces"],
    },
];

/// The embedded phone uses only these, so that it cannot share an assumption with what it tests.
const SIMPHONE_USES: &[&str] = &["uitree", "driver", "adb", "agent-protocol"];

/// Outside `dev`, the one crate that uses the embedded phone.
const SIMPHONE_USER: &str = "service";

/// Every crate. A new dependency fails the test until it is added here and in ARCHITECTURE.md.
pub(crate) const CRATES: &[CrateRule] = &[
    CrateRule {
        name: "escape",
        folder: "core",
        level: 0,
        uses: &[],
        external: &[],
    },
    CrateRule {
        name: "pattern",
        folder: "core",
        level: 0,
        uses: &[],
        external: &["thiserror"],
    },
    CrateRule {
        name: "uitree",
        folder: "core",
        level: 1,
        uses: &["escape"],
        external: &["bitflags", "encoding_rs", "memchr"],
    },
    CrateRule {
        name: "contract",
        folder: "core",
        level: 1,
        uses: &["escape", "pattern"],
        external: &["schemars", "serde", "serde_json", "strsim", "thiserror"],
    },
    CrateRule {
        name: "agent-protocol",
        folder: "devices",
        level: 1,
        uses: &[],
        external: &["bitflags", "thiserror"],
    },
    CrateRule {
        name: "adb",
        folder: "devices",
        level: 2,
        uses: &[],
        external: &["async-trait", "base64", "rsa", "thiserror", "tokio"],
    },
    CrateRule {
        name: "driver",
        folder: "core",
        level: 2,
        uses: &["uitree"],
        external: &["async-trait", "thiserror", "tokio", "tokio-util"],
    },
    CrateRule {
        name: "cdp",
        folder: "devices",
        level: 2,
        uses: &[],
        external: &[
            "futures-util",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-tungstenite",
        ],
    },
    CrateRule {
        name: "dom",
        folder: "finder",
        level: 2,
        uses: &["uitree"],
        external: &["bitflags", "serde"],
    },
    CrateRule {
        name: "inspect",
        folder: "finder",
        level: 3,
        uses: &["dom", "uitree"],
        external: &["bitflags", "kurbo", "serde"],
    },
    CrateRule {
        name: "driver-chrome",
        folder: "devices",
        level: 3,
        uses: &["cdp", "dom", "driver", "uitree"],
        external: &[
            "async-trait",
            "base64",
            "command-fds",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
        ],
    },
    CrateRule {
        name: "engine",
        folder: "core",
        level: 3,
        uses: &["contract", "driver", "escape", "pattern", "uitree"],
        external: &["png", "serde_json", "tokio"],
    },
    CrateRule {
        name: "draw",
        folder: "simphone",
        level: 2,
        uses: &["uitree"],
        external: &[
            "lzma-rs",
            "miniz_oxide",
            "png",
            "rustybuzz",
            "tiny-skia",
            "ttf-parser",
            "unicode-bidi",
            "unicode-linebreak",
            "unicode-segmentation",
        ],
    },
    CrateRule {
        name: "sim-format",
        folder: "simphone",
        level: 3,
        uses: &["draw", "driver", "uitree"],
        external: &[
            "granit-parser",
            "serde",
            "serde_json",
            "strsim",
            "thiserror",
        ],
    },
    CrateRule {
        name: "sim-view",
        folder: "simphone",
        level: 4,
        uses: &["draw", "sim-format", "uitree"],
        external: &["taffy"],
    },
    CrateRule {
        name: "driver-sim",
        folder: "simphone",
        level: 5,
        uses: &["draw", "driver", "sim-format", "sim-view", "uitree"],
        external: &[
            "async-trait",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "unicode-segmentation",
        ],
    },
    CrateRule {
        name: "driver-android",
        folder: "devices",
        level: 3,
        uses: &["adb", "agent-protocol", "driver", "uitree"],
        external: &[
            "async-trait",
            "getrandom",
            "png",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tokio-util",
        ],
    },
    CrateRule {
        name: "sim-adb",
        folder: "simphone",
        level: 6,
        uses: &["adb", "agent-protocol", "driver", "driver-sim", "uitree"],
        external: &[
            "async-trait",
            "chrono",
            "rawzip",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tokio-util",
        ],
    },
    CrateRule {
        name: "service",
        folder: "surfaces",
        level: 7,
        uses: &[
            "adb",
            "cdp",
            "contract",
            "dom",
            "driver",
            "driver-android",
            "driver-chrome",
            "driver-sim",
            "engine",
            "inspect",
            "sim-adb",
            "uitree",
        ],
        external: &[
            "async-trait",
            "chrono",
            "getrandom",
            "rustix",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
            "tracing",
        ],
    },
    CrateRule {
        name: "http-server",
        folder: "surfaces",
        level: 8,
        uses: &["contract", "service"],
        external: &[
            "http-body-util",
            "hyper",
            "hyper-util",
            "miniz_oxide",
            "schemars",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    },
    CrateRule {
        name: "mcp-server",
        folder: "surfaces",
        level: 8,
        uses: &["contract", "escape", "service"],
        external: &[
            "base64",
            "bytes",
            "http",
            "http-body",
            "http-body-util",
            "rmcp",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    },
    CrateRule {
        name: "cli",
        folder: "surfaces",
        level: 9,
        uses: &["contract", "escape", "http-server", "mcp-server", "service"],
        external: &[
            "anstream",
            "anstyle",
            "miniz_oxide",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
            "tracing",
        ],
    },
    CrateRule {
        name: "bench",
        folder: "dev",
        level: 9,
        uses: &[
            "cdp",
            "contract",
            "dom",
            "driver",
            "driver-chrome",
            "inspect",
            "mcp-server",
            "service",
            "testkit",
            "uitree",
        ],
        external: &["serde", "serde_json", "tiktoken-rs", "tokio", "tokio-util"],
    },
    CrateRule {
        name: "fuzz",
        folder: "dev",
        level: 9,
        uses: &[
            "adb",
            "cdp",
            "contract",
            "dom",
            "driver-sim",
            "inspect",
            "mcp-server",
            "pattern",
            "service",
            "testkit",
            "uitree",
        ],
        external: &[
            "async-trait",
            "futures-util",
            "getrandom",
            "regress",
            "rmcp",
            "serde_json",
            "tokio",
            "tokio-tungstenite",
        ],
    },
    CrateRule {
        name: "proving",
        folder: "dev",
        level: 6,
        uses: &["contract", "driver", "driver-sim", "engine", "uitree"],
        external: &[
            "async-trait",
            "cpu-time",
            "getrandom",
            "jsonschema",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    },
    CrateRule {
        name: "testkit",
        folder: "dev",
        level: 3,
        uses: &["driver", "uitree"],
        external: &["async-trait", "serde_json", "tokio", "tokio-util"],
    },
    CrateRule {
        name: "xtask",
        folder: ".",
        level: 5,
        uses: &["contract"],
        external: &["proc-macro2", "serde_json", "spdx", "syn"],
    },
];

/// The graph: one line a folder, below it one line a crate, lowest level first.
pub(crate) fn picture() -> String {
    let mut lines = Vec::new();
    for folder in FOLDERS {
        lines.push(format!("{}/  {}", folder.name, folder.purpose));
        for rule in CRATES.iter().filter(|rule| rule.folder == folder.name) {
            lines.push(format!(
                "  {} {:<14} -> {}",
                rule.level,
                rule.name,
                rule.uses.join(", ")
            ));
        }
    }
    lines.join("\n")
}

/// A workspace package as cargo reports it.
struct Package {
    /// Directory of the manifest, relative to the workspace root.
    directory: String,
    /// Dependencies outside tests.
    dependencies: Vec<String>,
}

/// Every difference between the workspace, the tables and ARCHITECTURE.md.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let packages = match packages(root) {
        Ok(packages) => packages,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    for rule in CRATES {
        check_table(rule, &mut problems);
        match packages.get(rule.name) {
            Some(package) => check_package(rule, package, &mut problems),
            None => problems.push(format!("layers: no package {} in the workspace", rule.name)),
        }
    }
    for name in packages.keys() {
        if rule_of(name).is_none() {
            problems.push(format!("layers: package {name} has no row in CRATES"));
        }
    }
    match page(root, "ARCHITECTURE.md") {
        Ok(text) => check_architecture(&text, &mut problems),
        Err(problem) => problems.push(problem),
    }
    for folder in FOLDERS {
        match page(root, &format!("crates/{}/README.md", folder.name)) {
            Ok(text) => check_folder_page(folder.name, &text, &mut problems),
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

fn rule_of(name: &str) -> Option<&'static CrateRule> {
    CRATES.iter().find(|rule| rule.name == name)
}

/// Checks a row of [`CRATES`] against levels and [`FOLDERS`].
fn check_table(rule: &CrateRule, problems: &mut Vec<String>) {
    let folder = FOLDERS.iter().find(|folder| folder.name == rule.folder);
    for used in rule.uses {
        let Some(target) = rule_of(used) else {
            problems.push(format!(
                "layers: {} uses {used}, which has no row",
                rule.name
            ));
            continue;
        };
        if target.level >= rule.level {
            problems.push(format!(
                "layers: {} uses {used}, which is not on a lower level",
                rule.name
            ));
        }
        let Some(folder) = folder else { continue };
        if target.folder != folder.name && !folder.uses.contains(&target.folder) {
            problems.push(format!(
                "layers: {} uses {used}, but {} may not use {}",
                rule.name, folder.name, target.folder
            ));
        }
        if folder.name == "simphone" && target.folder != "simphone" && !SIMPHONE_USES.contains(used)
        {
            problems.push(format!("layers: {} may not use {used}", rule.name));
        }
        if target.folder == "simphone"
            && !["simphone", "dev"].contains(&folder.name)
            && rule.name != SIMPHONE_USER
        {
            problems.push(format!(
                "layers: only {SIMPHONE_USER} and crates of dev may use {used}, not {}",
                rule.name
            ));
        }
    }
}

/// Checks a row of [`CRATES`] against the package itself.
fn check_package(rule: &CrateRule, package: &Package, problems: &mut Vec<String>) {
    let expected = match rule.folder {
        "." => rule.name.to_owned(),
        folder => format!("crates/{folder}/{}", rule.name),
    };
    if package.directory != expected {
        problems.push(format!(
            "layers: {} is in {}, not in {expected}",
            rule.name, package.directory
        ));
    }
    for name in &package.dependencies {
        let allowed = match rule_of(name) {
            Some(_) => rule.uses.contains(&name.as_str()),
            None => rule.external.contains(&name.as_str()),
        };
        if !allowed {
            problems.push(format!(
                "layers: the row of {} does not allow {name}",
                rule.name
            ));
        }
    }
    for name in rule.uses.iter().chain(rule.external) {
        if !package.dependencies.iter().any(|used| used == name) {
            problems.push(format!(
                "layers: the row of {} allows {name}, which it does not use",
                rule.name
            ));
        }
    }
}

/// Reads a page of the repository.
fn page(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path)).map_err(|error| format!("layers: {path}: {error}"))
}

/// ARCHITECTURE.md has a row for each folder and names each external dependency.
fn check_architecture(text: &str, problems: &mut Vec<String>) {
    for folder in FOLDERS {
        if !text.contains(&format!("| `{}/` | {}", folder.name, folder.purpose)) {
            problems.push(format!(
                "layers: ARCHITECTURE.md has no row `{}/` with the purpose of its table",
                folder.name
            ));
        }
    }
    for rule in CRATES {
        for name in rule.external {
            if !text.contains(&format!("`{name}`")) {
                problems.push(format!(
                    "layers: ARCHITECTURE.md does not say what {name} is for"
                ));
            }
        }
    }
}

/// The page of a folder has a row for each of its crates; that of `dev` has one for `xtask`, too.
fn check_folder_page(folder: &str, text: &str, problems: &mut Vec<String>) {
    for rule in CRATES {
        let described = rule.folder == folder || (rule.folder == "." && folder == "dev");
        if described && !text.contains(&format!("| `{}` |", rule.name)) {
            problems.push(format!(
                "layers: crates/{folder}/README.md has no row for {}",
                rule.name
            ));
        }
    }
}

/// The packages of the workspace.
fn packages(root: &Path) -> Result<BTreeMap<String, Package>, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("layers: cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "layers: cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("layers: cargo metadata: {error}"))?;
    let workspace = Path::new(metadata["workspace_root"].as_str().unwrap_or_default());
    let mut packages = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default().to_owned();
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        let directory = manifest
            .parent()
            .and_then(|directory| directory.strip_prefix(workspace).ok())
            .map(|directory| directory.to_string_lossy().replace('\\', "/"))
            .unwrap_or_default();
        let dependencies = package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
            .collect();
        packages.insert(
            name,
            Package {
                directory,
                dependencies,
            },
        );
    }
    Ok(packages)
}
