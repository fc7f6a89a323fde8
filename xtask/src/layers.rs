//! Which crate may use which: a table, compared with what cargo says.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// One crate of the house.
pub(crate) struct Room {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its floor; a crate uses only crates of lower floors, or of its own where the table says so.
    pub(crate) floor: u8,
    /// The crates of ours that it uses.
    pub(crate) uses: &'static [&'static str],
    /// The crates of others that it uses.
    pub(crate) holds: &'static [&'static str],
}

/// The house. A new edge fails the test until this table and ARCHITECTURE.md agree.
pub(crate) const ROOMS: &[Room] = &[
    Room {
        name: "escape",
        floor: 0,
        uses: &[],
        holds: &[],
    },
    Room {
        name: "pattern",
        floor: 0,
        uses: &[],
        holds: &["thiserror"],
    },
    Room {
        name: "uitree",
        floor: 1,
        uses: &["escape"],
        holds: &["bitflags", "encoding_rs", "memchr"],
    },
    Room {
        name: "contract",
        floor: 1,
        uses: &["escape", "pattern"],
        holds: &["schemars", "serde", "serde_json", "strsim", "thiserror"],
    },
    Room {
        name: "adb",
        floor: 2,
        uses: &[],
        holds: &["async-trait", "base64", "rsa", "thiserror", "tokio"],
    },
    Room {
        name: "driver",
        floor: 2,
        uses: &["uitree"],
        holds: &["async-trait", "thiserror", "tokio", "tokio-util"],
    },
    Room {
        name: "cdp",
        floor: 2,
        uses: &[],
        holds: &[
            "futures-util",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-tungstenite",
        ],
    },
    Room {
        name: "dom",
        floor: 2,
        uses: &["uitree"],
        holds: &["bitflags", "serde"],
    },
    Room {
        name: "inspect",
        floor: 3,
        uses: &["dom", "uitree"],
        holds: &["bitflags", "kurbo", "serde"],
    },
    Room {
        name: "driver-chrome",
        floor: 3,
        uses: &["cdp", "dom", "driver", "uitree"],
        holds: &[
            "async-trait",
            "base64",
            "command-fds",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
        ],
    },
    Room {
        name: "engine",
        floor: 3,
        uses: &["contract", "driver", "escape", "pattern", "uitree"],
        holds: &["serde_json", "tokio"],
    },
    Room {
        name: "driver-sim",
        floor: 3,
        uses: &["driver", "uitree"],
        holds: &[
            "async-trait",
            "granit-parser",
            "lzma-rs",
            "miniz_oxide",
            "png",
            "rustybuzz",
            "serde_json",
            "strsim",
            "taffy",
            "tokio",
            "ttf-parser",
            "unicode-bidi",
            "unicode-linebreak",
            "unicode-segmentation",
        ],
    },
    Room {
        name: "driver-android",
        floor: 3,
        uses: &["adb", "driver", "uitree"],
        holds: &[
            "async-trait",
            "getrandom",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-util",
        ],
    },
    Room {
        name: "sim-adb",
        floor: 4,
        uses: &["adb", "driver", "driver-sim", "uitree"],
        holds: &[
            "async-trait",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-util",
        ],
    },
    Room {
        name: "service",
        floor: 5,
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
        holds: &[
            "async-trait",
            "getrandom",
            "rustix",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    },
    Room {
        name: "http-server",
        floor: 6,
        uses: &["contract", "service"],
        holds: &[
            "http-body-util",
            "hyper",
            "hyper-util",
            "miniz_oxide",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    },
    Room {
        name: "mcp-server",
        floor: 6,
        uses: &["contract", "escape", "service"],
        holds: &[
            "base64",
            "bytes",
            "http",
            "http-body",
            "http-body-util",
            "png",
            "rmcp",
            "serde",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    },
    Room {
        name: "cli",
        floor: 7,
        uses: &["contract", "escape", "http-server", "mcp-server", "service"],
        holds: &[
            "anstream",
            "anstyle",
            "miniz_oxide",
            "serde",
            "serde_json",
            "strsim",
            "tokio",
            "tokio-util",
        ],
    },
    Room {
        name: "bench",
        floor: 6,
        uses: &[
            "cdp",
            "contract",
            "dom",
            "driver",
            "driver-chrome",
            "inspect",
            "service",
            "testkit",
            "uitree",
        ],
        holds: &["serde_json", "tokio", "tokio-util"],
    },
    Room {
        name: "fuzz",
        floor: 7,
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
        holds: &[
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
    Room {
        name: "proving",
        floor: 4,
        uses: &["contract", "driver", "driver-sim", "engine", "uitree"],
        holds: &[
            "async-trait",
            "cpu-time",
            "getrandom",
            "jsonschema",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    },
    Room {
        name: "testkit",
        floor: 3,
        uses: &["driver", "uitree"],
        holds: &["async-trait", "serde_json", "tokio", "tokio-util"],
    },
    Room {
        name: "xtask",
        floor: 5,
        uses: &["contract"],
        holds: &["serde_json", "spdx"],
    },
];

/// The graph, one line a crate, lowest floor first.
pub(crate) fn picture() -> String {
    let mut lines = Vec::new();
    for room in ROOMS {
        lines.push(format!(
            "{} {:<10} -> {}",
            room.floor,
            room.name,
            room.uses.join(", ")
        ));
    }
    lines.join("\n")
}

/// Every way in which the workspace differs from the table, or the table from its own rule.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let packages = match packages(root) {
        Ok(packages) => packages,
        Err(problem) => return vec![problem],
    };
    let floors: BTreeMap<&str, u8> = ROOMS.iter().map(|room| (room.name, room.floor)).collect();
    for room in ROOMS {
        for used in room.uses {
            match floors.get(used) {
                Some(floor) if *floor < room.floor => {}
                Some(_) => problems.push(format!(
                    "layers: {} may not use {used}, which lies on the same floor or above",
                    room.name
                )),
                None => problems.push(format!(
                    "layers: {} uses {used}, which is no room",
                    room.name
                )),
            }
        }
        let Some(found) = packages.get(room.name) else {
            problems.push(format!(
                "layers: the table names {}, cargo does not",
                room.name
            ));
            continue;
        };
        for name in found {
            let allowed = if floors.contains_key(name.as_str()) {
                room.uses.contains(&name.as_str())
            } else {
                room.holds.contains(&name.as_str())
            };
            if !allowed {
                problems.push(format!(
                    "layers: {} uses {name}, which its row does not allow",
                    room.name
                ));
            }
        }
        for name in room.uses.iter().chain(room.holds) {
            if !found.iter().any(|used| used == name) {
                problems.push(format!(
                    "layers: the row of {} allows {name}, which it does not use",
                    room.name
                ));
            }
        }
    }
    for name in packages.keys() {
        if !floors.contains_key(name.as_str()) {
            problems.push(format!("layers: {name} has no row in the table"));
        }
    }
    match std::fs::read_to_string(root.join("ARCHITECTURE.md")) {
        Ok(text) => {
            for room in ROOMS {
                if !text.contains(&format!("| `{}` |", room.name)) {
                    problems.push(format!(
                        "layers: ARCHITECTURE.md has no row for {}",
                        room.name
                    ));
                }
                for name in room.holds {
                    if !text.contains(&format!("`{name}`")) {
                        problems.push(format!(
                            "layers: ARCHITECTURE.md does not say what {name} is for"
                        ));
                    }
                }
            }
        }
        Err(error) => problems.push(format!("layers: ARCHITECTURE.md: {error}")),
    }
    problems
}

/// The packages of the workspace, each with what it uses outside its tests.
fn packages(root: &Path) -> Result<BTreeMap<String, Vec<String>>, String> {
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
    let mut packages = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default().to_owned();
        let uses = package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
            .collect();
        packages.insert(name, uses);
    }
    Ok(packages)
}
