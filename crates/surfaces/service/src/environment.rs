//! The variables of the environment that clawperator reads: one table, from which they are read and documented.

use std::path::PathBuf;

use adb::client::locate::ProgramSearch;
use adb::client::server::Address;

/// One variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it says, in one sentence without a full stop.
    pub meaning: &'static str,
}

/// Every variable that is read. One that is empty counts as missing.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: "ADB_PATH",
        meaning: "The program adb, which starts an adb server where none runs; without it PATH and the Android SDK's folders are searched",
    },
    Variable {
        name: "ADB_SERVER_SOCKET",
        meaning: "Where the adb server listens: `tcp:host:port` or `tcp:port`",
    },
    Variable {
        name: "ANDROID_ADB_SERVER_ADDRESS",
        meaning: "The host of the adb server, 127.0.0.1 without it",
    },
    Variable {
        name: "ANDROID_ADB_SERVER_PORT",
        meaning: "The port of the adb server, 5037 without it",
    },
    Variable {
        name: "ANDROID_HOME",
        meaning: "An Android SDK, in whose platform-tools adb may lie; ANDROID_SDK_ROOT says the same",
    },
    Variable {
        name: "ANDROID_USER_HOME",
        meaning: "The folder of the key by which phones know this computer, `~/.android` without it",
    },
    Variable {
        name: "CLAWPERATOR_CDP",
        meaning: "The browser that `--device chrome` means where `--cdp` names none: `http://host:port`, `ws://…` or an endpoint of `chrome list`",
    },
    Variable {
        name: "CLAWPERATOR_CHROME",
        meaning: "The program that is started as the browser; without it PATH and the usual places are searched for Chrome and Chromium",
    },
    Variable {
        name: "CLAWPERATOR_CHROME_DOWNLOADS",
        meaning: "The folder for downloads if `--downloads` names none, as an absolute path; without one, browsers that clawperator starts deny them",
    },
    Variable {
        name: "CLAWPERATOR_CHROME_FILES",
        meaning: "`allow` lets pages be opened from files of this computer, by `file:` urls",
    },
    Variable {
        name: "CLAWPERATOR_CHROME_FLAGS",
        meaning: "Flags for browsers that are started, parted by spaces, behind those of clawperator",
    },
    Variable {
        name: "CLAWPERATOR_LOG_DIR",
        meaning: "The folder of the log, `~/.clawperator/logs` without it; `clawperator logs` shows what is in it",
    },
    Variable {
        name: "CLAWPERATOR_LOG_LEVEL",
        meaning: "How much is logged: debug, info, warn or error, info without it; `--log-level` counts before it",
    },
    Variable {
        name: "CLAWPERATOR_OPERATOR_PACKAGE",
        meaning: "The package of the Operator app where `--operator-package` names none; com.clawperator.operator without it",
    },
    Variable {
        name: "CLAWPERATOR_TOKEN",
        meaning: "The secret that requests to `serve` have to say where `--token` names none",
    },
    Variable {
        name: "CLAWPERATOR_VIA",
        meaning: "How a phone is driven where `--via` says nothing: auto, stock or operator",
    },
    Variable {
        name: "NO_COLOR",
        meaning: "No colour on a terminal",
    },
    Variable {
        name: "XDG_RUNTIME_DIR",
        meaning: "The folder of the locks that keep a device to one run at a time, and of what is known of phones and browsers that stay; without it `clawperator-<uid>` in the temporary folder",
    },
];

/// The user's own folder of clawperator, or one in the temporary folder where there is no home.
pub(crate) fn home() -> PathBuf {
    match variable("HOME") {
        Some(home) => PathBuf::from(home).join(".clawperator"),
        None => crate::runtime::temporary(),
    }
}

/// What a variable says; one that is blank says nothing.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty())
}

/// What the environment says about adb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdbSetup {
    /// Where the server listens, or what is wrong with the variable that should say it.
    pub server: Result<Address, String>,
    /// Where the program lies.
    pub places: ProgramSearch,
    /// The folder of the locks.
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
