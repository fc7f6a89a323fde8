//! Allowed dependencies between crates and folders, checked against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What the crates of one folder may depend on.
struct FolderRule {
    name: &'static str,
    /// One sentence for readers of the tree; ARCHITECTURE.md says the same.
    purpose: &'static str,
    /// Other folders, and crates of them, that its crates may use.
    uses: &'static [&'static str],
}

/// The folders below `crates`. The embedded phone uses little, so that it cannot share an assumption with what it tests.
const FOLDERS: &[FolderRule] = &[
    FolderRule {
        name: "core",
        purpose: "what may be asked and how it runs",
        uses: &[],
    },
    FolderRule {
        name: "finder",
        purpose: "turns descriptions into elements and selectors",
        uses: &["uitree"],
    },
    FolderRule {
        name: "devices",
        purpose: "real devices and their protocols",
        uses: &["uitree", "driver", "dom"],
    },
    FolderRule {
        name: "simphone",
        purpose: "the embedded phone, which needs no hardware",
        uses: &["uitree", "driver", "adb", "agent-protocol"],
    },
    FolderRule {
        name: "surfaces",
        purpose: "command line, HTTP and MCP, and the service behind them",
        uses: &["contract", "escape"],
    },
    FolderRule {
        name: "dev",
        purpose: "test tools and measurements; ships with nothing",
        uses: &["core", "finder", "devices", "simphone", "surfaces"],
    },
];

/// The one crate outside `dev` that may use every folder: it opens the devices.
const COMPOSITION: &str = "service";

/// Each crate and its level. A crate depends only on crates of lower levels.
const LEVELS: &[(&str, u8)] = &[
    ("escape", 0),
    ("pattern", 0),
    ("uitree", 1),
    ("contract", 1),
    ("agent-protocol", 1),
    ("adb", 2),
    ("driver", 2),
    ("cdp", 2),
    ("dom", 2),
    ("draw", 2),
    ("inspect", 3),
    ("driver-chrome", 3),
    ("engine", 3),
    ("sim-format", 3),
    ("driver-android", 3),
    ("testkit", 3),
    ("sim-view", 4),
    ("driver-sim", 5),
    ("xtask", 5),
    ("sim-adb", 6),
    ("proving", 6),
    ("service", 7),
    ("http-server", 8),
    ("mcp-server", 8),
    ("cli", 9),
    ("bench", 9),
    ("fuzz", 9),
];

/// Edges that levels and folders would allow: only `engine` knows actions and devices, and trees, descriptions and the
/// layout of the simulated phone have no IO and no clock.
const FORBIDDEN: &[(&str, &str)] = &[
    ("driver", "contract"),
    ("driver", "escape"),
    ("uitree", "tokio"),
    ("contract", "tokio"),
    ("dom", "tokio"),
    ("inspect", "tokio"),
    ("agent-protocol", "tokio"),
    ("draw", "tokio"),
    ("sim-format", "tokio"),
    ("sim-view", "tokio"),
];

/// A workspace package as cargo reports it.
pub(crate) struct Package {
    /// Directory of the manifest, relative to the workspace root.
    pub(crate) directory: String,
    /// Dependencies outside tests.
    dependencies: BTreeSet<String>,
    /// Dependencies of tests and build scripts, too.
    all: BTreeSet<String>,
}

impl Package {
    /// The folder below `crates` that holds it; the empty text for `xtask`.
    fn folder(&self) -> &str {
        let below = self.directory.strip_prefix("crates/");
        below.map_or("", |path| path.split('/').next().unwrap_or_default())
    }
}

/// Packages by name.
pub(crate) type Packages = BTreeMap<String, Package>;

/// The graph: one line a folder, below it one line a crate, lowest level first.
pub(crate) fn picture(root: &Path) -> Result<String, String> {
    let packages = packages(root)?;
    let mut lines = Vec::new();
    for folder in FOLDERS {
        lines.push(format!("{}/  {}", folder.name, folder.purpose));
        for (name, level) in LEVELS {
            let Some(package) = packages.get(*name) else {
                continue;
            };
            if package.folder() == folder.name {
                let used = package.dependencies.iter().map(String::as_str);
                let used: Vec<&str> = used.filter(|name| packages.contains_key(*name)).collect();
                lines.push(format!("  {level} {name:<14} -> {}", used.join(", ")));
            }
        }
    }
    Ok(lines.join("\n"))
}

/// Every difference between the workspace, the tables and the pages.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let found = packages(root).and_then(|packages| {
        let mut problems = edges(&packages);
        problems.extend(dependencies(&page(root, "ARCHITECTURE.md")?, &packages));
        problems.extend(folders(root, &packages)?);
        Ok(problems)
    });
    let problems = found.unwrap_or_else(|problem| vec![problem]);
    let named = problems.iter().map(|problem| format!("layers: {problem}"));
    named.collect()
}

/// Dependencies that levels, folders or [`FORBIDDEN`] do not allow.
fn edges(packages: &Packages) -> Vec<String> {
    let levels: BTreeMap<&str, u8> = LEVELS.iter().copied().collect();
    let missing = levels.keys().filter(|name| !packages.contains_key(**name));
    let mut problems: Vec<String> = missing
        .map(|name| format!("no package {name} in the workspace"))
        .collect();
    for (name, package) in packages {
        let Some(level) = levels.get(name.as_str()) else {
            problems.push(format!("package {name} has no row in LEVELS"));
            continue;
        };
        let folder = FOLDERS.iter().find(|it| it.name == package.folder());
        for used in &package.dependencies {
            let mut problem = |why: &str| problems.push(format!("{name} uses {used}, {why}"));
            if FORBIDDEN.contains(&(name, used)) {
                problem("which is forbidden");
            }
            let Some(target) = packages.get(used) else {
                continue;
            };
            if levels
                .get(used.as_str())
                .is_some_and(|below| below >= level)
            {
                problem("which is not on a lower level");
            }
            let Some(folder) = folder else { continue };
            let to = target.folder();
            let allowed = to == folder.name
                || folder.uses.iter().any(|it| *it == to || it == used)
                || (name == COMPOSITION && to != "dev");
            if !allowed {
                problem(&format!("which the rule of {} does not allow", folder.name));
            }
        }
    }
    problems
}

/// The table of dependencies in ARCHITECTURE.md names those of the workspace and no others.
fn dependencies(text: &str, packages: &Packages) -> Vec<String> {
    let section = text.split("\n## Dependencies\n").nth(1);
    let section = section.unwrap_or_default().split("\n## ").next();
    let rows = section.unwrap_or_default().lines();
    let first = rows.filter_map(|row| row.strip_prefix("| ")?.split(" | ").next());
    let described: BTreeSet<&str> = first
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    let used = packages.values().flat_map(|package| &package.all);
    let used: BTreeSet<&str> = used
        .map(String::as_str)
        .filter(|name| !packages.contains_key(*name))
        .collect();
    let missing = used.difference(&described);
    let stale = described.difference(&used);
    missing
        .map(|name| format!("ARCHITECTURE.md does not say what {name} is for"))
        .chain(stale.map(|name| format!("ARCHITECTURE.md describes {name}, which nothing uses")))
        .collect()
}

/// ARCHITECTURE.md has a row for each folder, whose page has one for each of its crates; that of `dev` has one for
/// `xtask`, too.
fn folders(root: &Path, packages: &Packages) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    let architecture = page(root, "ARCHITECTURE.md")?;
    for FolderRule {
        name: folder,
        purpose,
        ..
    } in FOLDERS
    {
        if !architecture.contains(&format!("| `{folder}/` | {purpose}")) {
            problems.push(format!(
                "ARCHITECTURE.md has no row `{folder}/` with the purpose of its table"
            ));
        }
        let text = page(root, &format!("crates/{folder}/README.md"))?;
        for (name, package) in packages {
            let of = package.folder();
            let here = of == *folder || (of.is_empty() && *folder == "dev");
            if here && !text.contains(&format!("| `{name}` |")) {
                problems.push(format!("crates/{folder}/README.md has no row for {name}"));
            }
        }
    }
    Ok(problems)
}

/// Reads a page of the repository.
fn page(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
}

/// The packages of the workspace.
pub(crate) fn packages(root: &Path) -> Result<Packages, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo metadata: {message}"));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let workspace = Path::new(metadata["workspace_root"].as_str().unwrap_or_default());
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let package = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        let directory = manifest.parent()?.strip_prefix(workspace).ok()?;
        let names = |shipped: bool| {
            let all = package["dependencies"].as_array().into_iter().flatten();
            all.filter(|dependency| !shipped || dependency["kind"].is_null())
                .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
                .collect()
        };
        let found = Package {
            directory: directory.to_string_lossy().replace('\\', "/"),
            dependencies: names(true),
            all: names(false),
        };
        Some((package["name"].as_str()?.to_owned(), found))
    };
    Ok(packages.filter_map(package).collect())
}
