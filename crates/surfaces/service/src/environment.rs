//! The table of the environment variables that clawperator reads, which reading and documentation share.

use std::path::PathBuf;

use adb::client::locate::ProgramSearch;
use adb::client::server::Address;

/// An environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: &'static str,
    /// Its meaning, in one sentence without a full stop.
    pub meaning: &'static str,
}

/// Every variable. An empty one counts as unset.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: "ADB_PATH",
        meaning: "The adb program, which starts an adb server if none runs; by default searched in PATH and the Android SDK's folders",
    },
    Variable {
        name: "ADB_SERVER_SOCKET",
        meaning: "The address of the adb server: `tcp:host:port` or `tcp:port`",
    },
    Variable {
        name: "ANDROID_ADB_SERVER_ADDRESS",
        meaning: "The host of the adb server; 127.0.0.1 by default",
    },
    Variable {
        name: "ANDROID_ADB_SERVER_PORT",
        meaning: "The port of the adb server; 5037 by default",
    },
    Variable {
        name: "ANDROID_HOME",
        meaning: "An Android SDK whose platform-tools are searched for adb; ANDROID_SDK_ROOT has the same meaning",
    },
    Variable {
        name: "ANDROID_USER_HOME",
        meaning: "The folder of the key that identifies this computer to phones; `~/.android` by default",
    },
    Variable {
        name: "CLAWPERATOR_CDP",
        meaning: "The browser for `--device chrome` unless `--cdp` names one: `http://host:port`, `ws://…` or an endpoint of `chrome list`",
    },
    Variable {
        name: "CLAWPERATOR_CHROME",
        meaning: "The browser program; by default Chrome and Chromium are searched in PATH and the usual places",
    },
    Variable {
        name: "CLAWPERATOR_CHROME_DOWNLOADS",
        meaning: "The folder for downloads, as an absolute path, unless `--downloads` names one; without a folder, browsers that clawperator starts deny them",
    },
    Variable {
        name: "CLAWPERATOR_CHROME_FILES",
        meaning: "`allow` permits pages from files of this computer, with `file:` urls",
    },
    Variable {
        name: "CLAWPERATOR_CHROME_FLAGS",
        meaning: "Additional flags for browsers that clawperator starts, separated by spaces",
    },
    Variable {
        name: "CLAWPERATOR_LOG_DIR",
        meaning: "The folder of the log; `~/.clawperator/logs` by default; `clawperator logs` shows the log",
    },
    Variable {
        name: "CLAWPERATOR_LOG_LEVEL",
        meaning: "The log level: debug, info, warn or error; info by default; `--log-level` wins",
    },
    Variable {
        name: "CLAWPERATOR_OPERATOR_PACKAGE",
        meaning: "The package of the Operator app unless `--operator-package` names one; com.clawperator.operator by default",
    },
    Variable {
        name: "CLAWPERATOR_TOKEN",
        meaning: "The secret that requests to `serve` must send unless `--token` names one",
    },
    Variable {
        name: "CLAWPERATOR_VIA",
        meaning: "The transport to phones unless `--via` names one: auto, stock or operator",
    },
    Variable {
        name: "NO_COLOR",
        meaning: "No colour on a terminal",
    },
    Variable {
        name: "XDG_RUNTIME_DIR",
        meaning: "The parent of the folder `clawperator` with locks of devices and records of simulated phones and browsers; without it the folder is `clawperator-<uid>` in the temporary folder",
    },
];

/// The folder of clawperator in the user's home, or one in the temporary folder if there is no home.
pub(crate) fn home() -> PathBuf {
    match variable("HOME") {
        Some(home) => PathBuf::from(home).join(".clawperator"),
        None => crate::runtime::temporary(),
    }
}

/// The value of a variable; blank counts as unset.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty())
}

/// How to find adb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdbSetup {
    /// The address of the server, or what is wrong with the variable that sets it.
    pub server: Result<Address, String>,
    /// Where to look for the program.
    pub places: ProgramSearch,
    /// The folder of locks.
    pub locks: PathBuf,
}

impl Default for AdbSetup {
    fn default() -> Self {
        Self {
            server: Address::from_env(|name| std::env::var(name).ok()),
            places: ProgramSearch::from_env(),
            locks: crate::runtime::default_folder(),
        }
    }
}
