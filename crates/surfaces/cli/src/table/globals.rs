//! The flags that every command takes, before the command or after it.

use super::{Flag, Takes, sims};

/// `--device`.
pub(crate) static DEVICE: Flag = Flag {
    name: "--device",
    aliases: &["--device-id"],
    takes: Takes::Word("<id>", simulated),
    help: "The device to use: an id from `devices`, `sim` for the embedded simulated phone, `sim:<path>` for the same with the app of that file, or those of that folder, `sim#<name>` for one of several, `chrome` for the tab of a browser that was driven last, or `chrome:<tab>` for the one with this id, title or part of a url",
};

/// `--cdp`.
pub(crate) static CDP: Flag = Flag::new(
    "--cdp",
    Takes::One("<url>"),
    "The browser whose pages are meant: `http://host:port` or `ws://…` of one that was started with --remote-debugging-port, or an endpoint of `chrome list`",
);

/// `--downloads`.
pub(crate) static DOWNLOADS: Flag = Flag::new(
    "--downloads",
    Takes::Path("<folder>"),
    "The folder for files that web pages give; without one they are denied. CLAWPERATOR_CHROME_DOWNLOADS names one for every command",
);

/// `--operator-package`.
pub(crate) static OPERATOR_PACKAGE: Flag = Flag {
    name: "--operator-package",
    aliases: &["--receiver-package"],
    takes: Takes::One("<package>"),
    help: "The package of the Operator app, com.clawperator.operator without it; who names one wants the app",
};

/// `--via`.
pub(crate) static VIA: Flag = Flag::new(
    "--via",
    Takes::Word("<way>", transports),
    "How a phone is driven: `stock` with what every phone has, `operator` by the Operator app, `auto` by the app where it is ready, else as `stock`; the answer says which",
);

/// `--wake`.
pub(crate) static WAKE: Flag = Flag::new(
    "--wake",
    Takes::Nothing,
    "Wake the phone first, and put away a lock screen without PIN, pattern or password; a server does so before each run",
);

/// `--timeout`.
pub(crate) static TIMEOUT: Flag = Flag {
    name: "--timeout",
    aliases: &["--timeout-ms"],
    takes: Takes::One("<ms>"),
    help: "How long the command may take; each command's help says what it means there",
};

/// `--json`.
pub(crate) static JSON: Flag = Flag::new(
    "--json",
    Takes::Nothing,
    "Print compact JSON and nothing for people, on a terminal too",
);

/// `--output`.
pub(crate) static OUTPUT: Flag = Flag {
    name: "--output",
    aliases: &["--format"],
    takes: Takes::Word("<json|pretty>", output_formats),
    help: "How JSON is printed: `json` on one line, `pretty` indented",
};

/// `--log-level`.
pub(crate) static LOG_LEVEL: Flag = Flag::new(
    "--log-level",
    Takes::Word("<level>", log_levels),
    "How much is logged: debug, info, warn or error; `clawperator logs` shows it",
);

/// `--verbose`.
pub(crate) static VERBOSE: Flag = Flag::new(
    "--verbose",
    Takes::Nothing,
    "Tell every step on standard error as it ends, also when that is not a terminal",
);

/// `--no-color`.
pub(crate) static NO_COLOR: Flag = Flag {
    name: "--no-color",
    aliases: &["--no-colour"],
    takes: Takes::Nothing,
    help: "Use no colour; the environment variable NO_COLOR does the same",
};

/// `--help`.
pub(crate) static HELP: Flag = Flag {
    name: "--help",
    aliases: &["-h"],
    takes: Takes::Nothing,
    help: "Show help, for the command where one is named",
};

/// `--version`.
pub(crate) static VERSION: Flag = Flag {
    name: "--version",
    aliases: &["-V"],
    takes: Takes::Nothing,
    help: "Show the version",
};

/// Every global flag, in the order of help.
pub(crate) static ALL: &[&Flag] = &[
    &DEVICE,
    &CDP,
    &DOWNLOADS,
    &VIA,
    &OPERATOR_PACKAGE,
    &WAKE,
    &TIMEOUT,
    &JSON,
    &OUTPUT,
    &LOG_LEVEL,
    &VERBOSE,
    &NO_COLOR,
    &sims::FAULT,
    &sims::SEED,
    &sims::JOURNAL,
    &sims::TIME,
    &sims::PACE,
    &sims::THEME,
    &sims::SCREEN,
    &sims::LANGUAGE,
    &sims::FONT_SCALE,
    &sims::ROTATION,
    &sims::ANIMATIONS,
    &HELP,
    &VERSION,
];

/// The global flag that is written like this.
pub(crate) fn find(name: &str) -> Option<&'static Flag> {
    ALL.iter().copied().find(|flag| flag.is_spelled(name))
}

/// The flags that are about a run, and mean nothing to a command that runs nothing.
pub(crate) static OF_A_RUN: &[&Flag] = &[
    &DEVICE,
    &CDP,
    &DOWNLOADS,
    &VIA,
    &OPERATOR_PACKAGE,
    &WAKE,
    &TIMEOUT,
];

/// Whether a flag is about a run.
pub(crate) fn is_of_a_run(flag: &Flag) -> bool {
    sims::is_one(flag) || OF_A_RUN.iter().any(|own| std::ptr::eq(*own, flag))
}

/// The beginnings of `--device` that do not depend on what is connected.
pub(crate) fn simulated() -> Vec<&'static str> {
    vec!["sim", "sim:", "chrome", "chrome:"]
}

/// The values of `--via`.
pub(crate) fn transports() -> Vec<&'static str> {
    service::TransportChoice::WORDS.to_vec()
}

/// The values of `--output`.
pub(crate) fn output_formats() -> Vec<&'static str> {
    vec!["json", "pretty"]
}

/// The values of `--log-level`.
pub(crate) fn log_levels() -> Vec<&'static str> {
    service::log::Level::ALL
        .map(service::log::Level::as_str)
        .to_vec()
}
