//! The global flags, which go before or after the command: a row with the effect of each, and a field for its value.

use std::path::PathBuf;

use contract::{ErrorBody, Observe, limits};
use service::chrome::ChromeSetup;
use service::{SimSetup, TransportChoice, TransportOptions};

use super::{Flag, FlagValue};
use crate::errors::{not_one_of, usage};
use crate::output::OutputStyle;
use crate::{background, number};

/// The subject of a global flag. Commands list the subjects that apply to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The program: applies to every command.
    Program,
    /// How the answer is printed.
    Output,
    /// Help, which takes precedence over the command.
    Help,
    /// The version, which takes precedence over the command.
    Version,
    /// Which device is used.
    Device,
    /// Which browser is used.
    Browser,
    /// Files that web pages give.
    Downloads,
    /// How a phone is driven.
    Transport,
    /// The Operator app.
    Operator,
    /// The screen that is off.
    Wake,
    /// The time for the command.
    Timeout,
    /// The embedded phone.
    Simulator,
    /// What is returned of the screen afterwards.
    Observe,
}

impl Scope {
    /// The scopes of commands that use a device.
    pub(crate) const DEVICE: &[Self] = &[
        Self::Device,
        Self::Browser,
        Self::Downloads,
        Self::Operator,
        Self::Timeout,
        Self::Simulator,
    ];

    /// The scopes of commands that run a plan.
    pub(crate) const PLAN: &[Self] = &[
        Self::Device,
        Self::Browser,
        Self::Downloads,
        Self::Transport,
        Self::Operator,
        Self::Wake,
        Self::Timeout,
        Self::Simulator,
    ];

    /// The scopes of commands that act on a device.
    pub(crate) const ACTION: &[Self] = &[
        Self::Device,
        Self::Browser,
        Self::Downloads,
        Self::Transport,
        Self::Operator,
        Self::Wake,
        Self::Timeout,
        Self::Observe,
        Self::Simulator,
    ];

    /// The scopes of servers, whose requests set their own timeouts.
    pub(crate) const SERVER: &[Self] = &[
        Self::Device,
        Self::Browser,
        Self::Downloads,
        Self::Transport,
        Self::Operator,
        Self::Wake,
        Self::Simulator,
    ];

    /// Whether it applies only to commands that run something.
    pub(crate) fn applies_to_runs(self) -> bool {
        !matches!(
            self,
            Self::Program | Self::Output | Self::Help | Self::Version
        )
    }
}

/// A global flag.
pub(crate) struct Global {
    /// How it is written.
    pub(crate) flag: Flag,
    /// Its subject.
    pub(crate) scope: Scope,
    /// Its effect.
    pub(crate) set: fn(&mut Globals, &Setting<'_>) -> Result<(), ErrorBody>,
}

/// A global flag on the command line.
pub(crate) struct Setting<'a> {
    /// How it was spelled.
    pub(crate) name: &'a str,
    /// Its value, empty where it takes none.
    pub(crate) value: &'a str,
}

impl<'a> Setting<'a> {
    /// The value, which must not be blank.
    fn filled(&self, what: &str) -> Result<&'a str, ErrorBody> {
        match limits::is_blank(self.value) {
            true => Err(self.requires(what)),
            false => Ok(self.value),
        }
    }

    fn requires(&self, what: &str) -> ErrorBody {
        usage(format!("{} requires {what}", self.name))
    }

    fn invalid(&self, why: &str) -> ErrorBody {
        usage(format!(
            "{} {:?}: {why}",
            self.name,
            escape::truncate_input(self.value)
        ))
    }

    fn not_one_of(&self, expected: &[&str]) -> ErrorBody {
        usage(not_one_of(self.value, self.name, expected))
    }

    /// Turns the outcome of parsing the value into an error.
    fn check(&self, outcome: Result<(), String>) -> Result<(), ErrorBody> {
        let hint = "See `clawperator --help`";
        outcome.map_err(|why| self.invalid(&why).with_hint(hint))
    }
}

/// The values of the global flags.
#[derive(Default)]
pub(crate) struct Globals {
    /// The device to use.
    pub(crate) device: Option<String>,
    pub(crate) cdp: Option<String>,
    pub(crate) downloads: Option<PathBuf>,
    pub(crate) via: Option<TransportChoice>,
    /// The log level, which overrides the environment.
    pub(crate) log_level: Option<service::log::Level>,
    pub(crate) operator_package: Option<String>,
    pub(crate) wake: bool,
    /// `--timeout`; NaN if it is not a number.
    pub(crate) timeout: Option<f64>,
    /// `--timeout` as it was written.
    pub(crate) timeout_text: String,
    /// The given flags about a run, each with its spelling.
    pub(crate) named: Vec<(&'static Global, String)>,
    /// How the answer is printed.
    pub(crate) style: OutputStyle,
    /// What to return of the screen afterwards.
    pub(crate) observe: Option<Observe>,
    /// Whether progress is printed even without a terminal.
    pub(crate) verbose: bool,
    /// Whether colours are off.
    pub(crate) no_color: bool,
    /// How the embedded phone is set up.
    pub(crate) sim: SimSetup,
    /// Warnings about the command line.
    pub(crate) notices: Vec<String>,
}

impl Globals {
    /// The spelling of a flag, if given.
    pub(crate) fn spelling(&self, name: &str) -> Option<&str> {
        let mut named = self.named.iter();
        let (_, spelled) = named.find(|(global, _)| global.flag.name == name)?;
        Some(spelled)
    }

    /// The requested transport.
    pub(crate) fn transport(&self) -> TransportOptions {
        TransportOptions::from_flags(self.via, self.operator_package.as_deref())
    }

    /// The requested browsers.
    pub(crate) fn chrome(&self) -> ChromeSetup {
        let mut setup = ChromeSetup::from_flags(self.cdp.as_deref());
        if let Some(folder) = &self.downloads {
            setup.downloads = Some(folder.clone());
        }
        setup.broker = background::launcher(background::BROKER);
        setup
    }
}

/// The values of `--output`.
const OUTPUT_FORMATS: &[&str] = &["json", "pretty", "line"];

/// The values of `--observe`.
fn observations() -> Vec<&'static str> {
    Observe::ALL.iter().map(|word| word.as_str()).collect()
}

/// The values of `--log-level`.
pub(crate) fn log_levels() -> Vec<&'static str> {
    service::log::LEVELS.to_vec()
}

/// Makes the rows of the global flags: scope, spellings, value, help and effect of each.
macro_rules! globals {
    ($($scope:ident: $name:literal $(| $alias:literal)*, $value:expr, $help:literal, $set:expr;)+) => {
        &[$(Global {
            flag: Flag { name: $name, aliases: &[$($alias),*], value: $value, help: $help },
            scope: Scope::$scope,
            set: $set,
        }),+]
    };
}

/// Every global flag, in the order of help.
pub(crate) static ALL: &[Global] = globals![
    Device: "--device" | "--device-id", FlagValue::OneOf("<id>", || vec!["sim", "sim:", "chrome", "chrome:"]),
        "The device to use: an id from `devices`; `sim`, the embedded simulated phone; `sim:<path>`, the same \
        with the app in that file or the apps in that directory; `sim#<name>`, one of several; `chrome`, the \
        browser tab used last; `chrome:<tab>`, the tab with this id, title or part of its URL",
        |globals, given| {
            globals.device = Some(given.filled("a value")?.to_owned());
            Ok(())
        };
    Browser: "--cdp", FlagValue::Text("<url>"),
        "The browser to connect to: `http://host:port` or `ws://…` of a browser started with \
        --remote-debugging-port, or an endpoint from `chrome list` [env: CLAWPERATOR_CDP]",
        |globals, given| {
            globals.cdp = Some(given.filled("a url")?.to_owned());
            Ok(())
        };
    Downloads: "--downloads", FlagValue::Path("<dir>"),
        "The directory for downloads from web pages; without it, browsers started by clawperator deny downloads \
        [env: CLAWPERATOR_CHROME_DOWNLOADS]",
        |globals, given| {
            let folder = std::fs::canonicalize(given.value).ok();
            let folder = folder.filter(|folder| folder.is_dir());
            globals.downloads = Some(folder.ok_or_else(|| {
                usage(format!(
                    "{} requires an existing directory, not {:?}",
                    given.name,
                    escape::truncate_input(given.value)
                ))
            })?);
            Ok(())
        };
    Transport: "--via", FlagValue::OneOf("<mode>", || TransportChoice::WORDS.to_vec()),
        "How to drive a phone: `agent` starts a small program on it, `app` uses the same program as an installed app, `operator` uses the Operator app, `stock` the tools \
        of every Android phone, and `auto` the first of these that is ready; the result says which was used [env: \
        CLAWPERATOR_VIA]",
        |globals, given| {
            globals.via = Some(
                TransportChoice::parse(given.value)
                    .ok_or_else(|| given.not_one_of(TransportChoice::WORDS))?,
            );
            Ok(())
        };
    Operator: "--operator-package" | "--receiver-package", FlagValue::Text("<package>"),
        "The package of the Operator app; implies --via operator [default: com.clawperator.operator] [env: \
        CLAWPERATOR_OPERATOR_PACKAGE]",
        |globals, given| {
            let package = given.filled("a value")?;
            if package.starts_with('-') {
                return Err(given.requires("a value"));
            }
            globals.operator_package = Some(package.to_owned());
            Ok(())
        };
    Wake: "--wake", FlagValue::Switch,
        "Wake the phone first, and dismiss a lock screen that has no PIN, pattern or password; servers do so before each run",
        |globals, _| {
            globals.wake = true;
            Ok(())
        };
    Timeout: "--timeout" | "--timeout-ms", FlagValue::Text("<ms>"),
        "Time limit of the command; see the command's help",
        |globals, given| {
            globals.timeout = Some(number::read(given.value));
            globals.timeout_text = escape::truncate_input(given.value);
            Ok(())
        };
    Observe: "--observe", FlagValue::OneOf("<none|diff|screen>", observations),
        "Return what the command changed on the screen, or the whole screen, as text; all values add the effect of each step",
        |globals, given| {
            let observe = Observe::from_word(given.value);
            globals.observe = Some(
                observe
                    .ok_or_else(|| usage(not_one_of(given.value, given.name, &observations())))?,
            );
            Ok(())
        };
    Output: "--json", FlagValue::Switch,
        "Print compact JSON and no progress, even on a terminal",
        |globals, _| {
            globals.style.json();
            Ok(())
        };
    Output: "--batch", FlagValue::Switch,
        "Print one line for each step, the same as `--output line`",
        |globals, _| {
            globals.style.output("line");
            Ok(())
        };
    Output: "--output" | "--format", FlagValue::OneOf("<json|pretty|line>", || OUTPUT_FORMATS.to_vec()),
        "Output format: `json` prints one line, `pretty` indents, `line` prints a line for each step",
        |globals, given| {
            if !OUTPUT_FORMATS.contains(&given.value) {
                globals.notices.push(format!(
                    "invalid value {1:?} for {0} (expected json, pretty or line); using json",
                    given.name,
                    escape::truncate_input(given.value)
                ));
            }
            globals.style.output(given.value);
            Ok(())
        };
    Program: "--log-level", FlagValue::OneOf("<level>", log_levels),
        "Log level: debug, info, warn or error; `clawperator logs` shows the log [env: CLAWPERATOR_LOG_LEVEL]",
        |globals, given| {
            let level = service::log::parse_level(given.value)
                .ok_or_else(|| given.not_one_of(&log_levels()))?;
            globals.log_level = Some(level);
            Ok(())
        };
    Program: "--verbose", FlagValue::Switch,
        "Print each finished step to standard error, even if it is not a terminal",
        |globals, _| {
            globals.verbose = true;
            Ok(())
        };
    Program: "--no-color" | "--no-colour", FlagValue::Switch,
        "Disable colours [env: NO_COLOR]",
        |globals, _| {
            globals.no_color = true;
            Ok(())
        };
    Simulator: "--sim-fault", FlagValue::Text("<spec>"),
        "Inject a fault into the simulated phone, such as `lose_gesture 10%`, `crash @4` or `chaos`; repeatable",
        |globals, given| {
            let hint = "`clawperator sim faults` lists the faults and their syntax";
            globals
                .sim
                .fault(given.value)
                .map_err(|why| given.invalid(&why).with_hint(hint))
        };
    Simulator: "--sim-seed", FlagValue::Text("<n>"),
        "Seed of the simulated phone's random numbers; the same seed gives the same run",
        |globals, given| given.check(globals.sim.seed(given.value));
    Simulator: "--sim-journal", FlagValue::Path("<file>"),
        "Write a journal of the simulated phone to this file, one JSON object per line, passwords masked",
        |globals, given| {
            if given.value == "-" {
                return given.check(Err(
                    "standard output is reserved for the result; name a file".to_owned(),
                ));
            }
            globals.sim.journal = Some(given.value.into());
            Ok(())
        };
    Simulator: "--sim-time", FlagValue::OneOf("<virtual|real>", || service::TIMES.to_vec()),
        "Clock of the simulated phone: `virtual` skips waits, `real` runs in real time",
        |globals, given| given.check(globals.sim.time(given.value));
    Simulator: "--sim-pace" | "--pace", FlagValue::OneOf("<instant|phone>", || service::PACES.to_vec()),
        "Speed of the simulated phone: `instant`, or `phone` for 1.6 s per snapshot and 0.3 s per input",
        |globals, given| given.check(globals.sim.pace(given.value));
    Simulator: "--sim-theme", FlagValue::OneOf("<light|dark>", || service::THEMES.to_vec()),
        "Colour theme of the simulated phone",
        |globals, given| given.check(globals.sim.appearance().theme(given.value));
    Simulator: "--sim-screen", FlagValue::Text("<WxH[@density]>"),
        "Screen size of the simulated phone in pixels, and its pixels per dp, such as `1080x2340@2.625`",
        |globals, given| given.check(globals.sim.screen(given.value));
    Simulator: "--sim-language", FlagValue::Text("<tag>"),
        "Language of the simulated phone, such as `en-US`, or `ar` for right-to-left",
        |globals, given| given.check(globals.sim.appearance().language(given.value));
    Simulator: "--sim-font-scale", FlagValue::Text("<n>"),
        "Text scale of the simulated phone, from 0.85 to 2",
        |globals, given| given.check(globals.sim.appearance().font_scale(given.value));
    Simulator: "--sim-rotation", FlagValue::OneOf("<rotation>", || service::ROTATIONS.to_vec()),
        "Orientation of the simulated phone",
        |globals, given| given.check(globals.sim.appearance().rotation(given.value));
    Simulator: "--sim-animations", FlagValue::OneOf("<on|off>", || service::ANIMATIONS.to_vec()),
        "Whether screens, dialogs and the keyboard of the simulated phone animate for a quarter of a second",
        |globals, given| given.check(globals.sim.animations(given.value));
    Help: "--help" | "-h", FlagValue::Switch,
        "Show help, or the help of the given command",
        |_, _| Ok(());
    Version: "--version" | "-V", FlagValue::Switch,
        "Show the version",
        |_, _| Ok(());
];

/// The global flag that is written like this.
pub(crate) fn find(name: &str) -> Option<&'static Global> {
    ALL.iter().find(|global| global.flag.has_spelling(name))
}
