//! The flags that every command takes, before the command or after it: a row for each, with its effect, and a field for
//! what it says.

use std::path::PathBuf;

use contract::{ErrorBody, limits};
use service::chrome::ChromeSetup;
use service::{SimSetup, TransportChoice, TransportOptions};

use super::{Flag, Takes};
use crate::errors::usage;
use crate::output::OutputStyle;
use crate::{background, number, truncate};

/// What a global flag is about. A command lists the subjects that mean something to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The program: it means something to every command.
    Program,
    /// How the answer is printed.
    Output,
    /// Help, which wins over the command.
    Help,
    /// The version, which wins over the command.
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
}

impl Scope {
    /// Those of a command that deals with a device.
    pub(crate) const DEVICE: &[Self] = &[
        Self::Device,
        Self::Browser,
        Self::Downloads,
        Self::Operator,
        Self::Timeout,
        Self::Simulator,
    ];

    /// Those of a command that runs a plan on a device.
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

    /// Those of a command that serves others, who say how long a run may take.
    pub(crate) const SERVER: &[Self] = &[
        Self::Device,
        Self::Browser,
        Self::Downloads,
        Self::Transport,
        Self::Operator,
        Self::Wake,
        Self::Simulator,
    ];

    /// Whether it means nothing to a command that runs nothing.
    pub(crate) fn is_of_a_run(self) -> bool {
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
    /// What it is about.
    pub(crate) scope: Scope,
    /// What it does.
    pub(crate) set: fn(&mut Globals, &Setting<'_>) -> Result<(), ErrorBody>,
}

/// A global flag as it was given.
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

    fn refused(&self, why: &str) -> ErrorBody {
        usage(format!(
            "{} {:?}: {why}",
            self.name,
            truncate::cut(self.value)
        ))
    }

    /// What came of reading the value.
    fn read(&self, outcome: Result<(), String>) -> Result<(), ErrorBody> {
        let hint = "`clawperator --help` says what it takes";
        outcome.map_err(|why| self.refused(&why).with_hint(hint))
    }
}

/// What the global flags say.
#[derive(Default)]
pub(crate) struct Globals {
    /// The device to use.
    pub(crate) device: Option<String>,
    /// `--cdp`.
    pub(crate) cdp: Option<String>,
    /// `--downloads`.
    pub(crate) downloads: Option<PathBuf>,
    /// `--via`.
    pub(crate) via: Option<TransportChoice>,
    /// How much is logged, over what the environment says.
    pub(crate) log_level: Option<service::log::Level>,
    /// `--operator-package`.
    pub(crate) operator_package: Option<String>,
    /// `--wake`.
    pub(crate) wake: bool,
    /// `--timeout`, not a number where the text was none.
    pub(crate) timeout: Option<f64>,
    /// `--timeout` as it was written.
    pub(crate) timeout_text: String,
    /// The flags about a run that were given, each as it was spelled.
    pub(crate) named: Vec<(&'static Global, String)>,
    /// How the answer is printed.
    pub(crate) style: OutputStyle,
    /// Whether progress is printed even where nobody watches.
    pub(crate) verbose: bool,
    /// Whether colour is unwanted.
    pub(crate) no_color: bool,
    /// How the embedded phone is set up.
    pub(crate) sim: SimSetup,
    /// Remarks for people about the line itself.
    pub(crate) remarks: Vec<String>,
}

impl Globals {
    /// How a flag was spelled, where it was given.
    pub(crate) fn spelling(&self, name: &str) -> Option<&str> {
        let mut named = self.named.iter();
        let (_, spelled) = named.find(|(global, _)| global.flag.name == name)?;
        Some(spelled)
    }

    /// Which way to a phone is asked for.
    pub(crate) fn transport(&self) -> TransportOptions {
        TransportOptions::from_flags(self.via, self.operator_package.as_deref())
    }

    /// Which browsers are asked for.
    pub(crate) fn chrome(&self) -> ChromeSetup {
        let mut setup = ChromeSetup::from_flags(self.cdp.as_deref());
        if let Some(folder) = &self.downloads {
            setup.downloads = Some(folder.clone());
        }
        #[cfg(unix)]
        let setup = ChromeSetup {
            broker: background::launcher(background::BROKER),
            ..setup
        };
        setup
    }
}

/// The values of `--output`.
const OUTPUT_FORMATS: &[&str] = &["json", "pretty"];

/// The values of `--log-level`.
pub(crate) fn log_levels() -> Vec<&'static str> {
    service::log::Level::ALL
        .map(service::log::Level::as_str)
        .to_vec()
}

/// Every global flag, in the order of help.
pub(crate) static ALL: &[Global] = &[
    Global {
        flag: Flag {
            aliases: &["--device-id"],
            ..Flag::new(
                "--device",
                Takes::Word("<id>", || vec!["sim", "sim:", "chrome", "chrome:"]),
                "The device to use: an id from `devices`, `sim` for the embedded simulated phone, `sim:<path>` for the same with the app of that file, or those of that folder, `sim#<name>` for one of several, `chrome` for the tab of a browser that was driven last, or `chrome:<tab>` for the one with this id, title or part of a url",
            )
        },
        scope: Scope::Device,
        set: |globals, given| {
            globals.device = Some(given.filled("a value")?.to_owned());
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--cdp",
            Takes::One("<url>"),
            "The browser whose pages are meant: `http://host:port` or `ws://…` of one that was started with --remote-debugging-port, or an endpoint of `chrome list`",
        ),
        scope: Scope::Browser,
        set: |globals, given| {
            globals.cdp = Some(given.filled("a url")?.to_owned());
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--downloads",
            Takes::Path("<folder>"),
            "The folder for downloads from web pages; without one, browsers that clawperator starts deny them. CLAWPERATOR_CHROME_DOWNLOADS names one for every command",
        ),
        scope: Scope::Downloads,
        set: |globals, given| {
            let folder = std::fs::canonicalize(given.value).ok();
            let folder = folder.filter(|folder| folder.is_dir());
            globals.downloads = Some(folder.ok_or_else(|| {
                usage(format!(
                    "{} requires a folder that is there, not {:?}",
                    given.name,
                    truncate::cut(given.value)
                ))
            })?);
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--via",
            Takes::Word("<way>", || TransportChoice::WORDS.to_vec()),
            "How a phone is driven: `stock` with what every phone has, `operator` by the Operator app, `auto` by the app where it is ready, else as `stock`; the answer says which",
        ),
        scope: Scope::Transport,
        set: |globals, given| {
            globals.via = Some(TransportChoice::parse(given.value).ok_or_else(|| {
                let words = TransportChoice::WORDS.join(", ");
                usage(format!(
                    "{} must be one of: {words}; {:?} is none",
                    given.name,
                    truncate::cut(given.value)
                ))
            })?);
            Ok(())
        },
    },
    Global {
        flag: Flag {
            aliases: &["--receiver-package"],
            ..Flag::new(
                "--operator-package",
                Takes::One("<package>"),
                "The package of the Operator app, com.clawperator.operator without it; who names one wants the app",
            )
        },
        scope: Scope::Operator,
        set: |globals, given| {
            let package = given.filled("a value")?;
            if package.starts_with('-') {
                return Err(given.requires("a value"));
            }
            globals.operator_package = Some(package.to_owned());
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--wake",
            Takes::Nothing,
            "Wake the phone first, and put away a lock screen without PIN, pattern or password; a server does so before each run",
        ),
        scope: Scope::Wake,
        set: |globals, _| {
            globals.wake = true;
            Ok(())
        },
    },
    Global {
        flag: Flag {
            aliases: &["--timeout-ms"],
            ..Flag::new(
                "--timeout",
                Takes::One("<ms>"),
                "How long the command may take; each command's help says what it means there",
            )
        },
        scope: Scope::Timeout,
        set: |globals, given| {
            globals.timeout = Some(number::read(given.value));
            globals.timeout_text = truncate::cut(given.value);
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--json",
            Takes::Nothing,
            "Print compact JSON and nothing for people, on a terminal too",
        ),
        scope: Scope::Output,
        set: |globals, _| {
            globals.style.json();
            Ok(())
        },
    },
    Global {
        flag: Flag {
            aliases: &["--format"],
            ..Flag::new(
                "--output",
                Takes::Word("<json|pretty>", || OUTPUT_FORMATS.to_vec()),
                "How JSON is printed: `json` on one line, `pretty` indented",
            )
        },
        scope: Scope::Output,
        set: |globals, given| {
            if !OUTPUT_FORMATS.contains(&given.value) {
                globals.remarks.push(format!(
                    "{} {:?} is neither json nor pretty; json is used",
                    given.name,
                    truncate::cut(given.value)
                ));
            }
            globals.style.output(given.value);
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--log-level",
            Takes::Word("<level>", log_levels),
            "How much is logged: debug, info, warn or error; `clawperator logs` shows it",
        ),
        scope: Scope::Program,
        set: |globals, given| {
            let level = service::log::Level::parse(given.value).ok_or_else(|| {
                usage(format!(
                    "{} must be one of: {}",
                    given.name,
                    log_levels().join(", ")
                ))
            })?;
            globals.log_level = Some(level);
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--verbose",
            Takes::Nothing,
            "Tell every step on standard error as it ends, also when that is not a terminal",
        ),
        scope: Scope::Program,
        set: |globals, _| {
            globals.verbose = true;
            Ok(())
        },
    },
    Global {
        flag: Flag {
            aliases: &["--no-colour"],
            ..Flag::new(
                "--no-color",
                Takes::Nothing,
                "Use no colour; the environment variable NO_COLOR does the same",
            )
        },
        scope: Scope::Program,
        set: |globals, _| {
            globals.no_color = true;
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--sim-fault",
            Takes::One("<spec>"),
            "Something that goes wrong on the simulated phone, such as `lose_gesture 10%`, `crash @4` or `chaos`; may be repeated",
        ),
        scope: Scope::Simulator,
        set: |globals, given| {
            let hint = "`clawperator sim faults` lists what can go wrong and how it is written";
            globals
                .sim
                .fault(given.value)
                .map_err(|why| given.refused(&why).with_hint(hint))
        },
    },
    Global {
        flag: Flag::new(
            "--sim-seed",
            Takes::One("<n>"),
            "What all chance on the simulated phone depends on: the same seed gives the same run",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.seed(given.value)),
    },
    Global {
        flag: Flag::new(
            "--sim-journal",
            Takes::Path("<file>"),
            "Write what really happened on the simulated phone to this file, one JSON object a line, passwords masked",
        ),
        scope: Scope::Simulator,
        set: |globals, given| {
            if given.value == "-" {
                return given.read(Err(
                    "standard output is for the result; name a file".to_owned()
                ));
            }
            globals.sim.journal = Some(given.value.into());
            Ok(())
        },
    },
    Global {
        flag: Flag::new(
            "--sim-time",
            Takes::Word("<virtual|real>", || service::TIMES.to_vec()),
            "Whether waits on the simulated phone cost no time, or take as long as they say",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.time(given.value)),
    },
    Global {
        flag: Flag {
            aliases: &["--pace"],
            ..Flag::new(
                "--sim-pace",
                Takes::Word("<instant|phone>", || service::PACES.to_vec()),
                "Whether the simulated phone answers at once, or as fast as a phone: 1.6 s for a look, 0.3 s for an input",
            )
        },
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.pace(given.value)),
    },
    Global {
        flag: Flag::new(
            "--sim-theme",
            Takes::Word("<light|dark>", || service::THEMES.to_vec()),
            "The look of the simulated phone",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.look().theme(given.value)),
    },
    Global {
        flag: Flag::new(
            "--sim-screen",
            Takes::One("<WxH[@density]>"),
            "The screen of the simulated phone in pixels, and its pixels per dp, such as `1080x2340@2.625`",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.screen(given.value)),
    },
    Global {
        flag: Flag::new(
            "--sim-language",
            Takes::One("<tag>"),
            "The language of the simulated phone, such as `en-US`, or `ar`, which is written from right to left",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.look().language(given.value)),
    },
    Global {
        flag: Flag::new(
            "--sim-font-scale",
            Takes::One("<n>"),
            "How many times larger than designed text is on the simulated phone, from 0.85 to 2",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.look().font_scale(given.value)),
    },
    Global {
        flag: Flag::new(
            "--sim-rotation",
            Takes::Word("<rotation>", || service::ROTATIONS.to_vec()),
            "How the simulated phone is held",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.look().rotation(given.value)),
    },
    Global {
        flag: Flag::new(
            "--sim-animations",
            Takes::Word("<on|off>", || service::ANIMATIONS.to_vec()),
            "Whether screens, dialogs and the keyboard of the simulated phone take a quarter of a second to come in",
        ),
        scope: Scope::Simulator,
        set: |globals, given| given.read(globals.sim.animations(given.value)),
    },
    Global {
        flag: Flag {
            aliases: &["-h"],
            ..Flag::new(
                "--help",
                Takes::Nothing,
                "Show help, for the command where one is named",
            )
        },
        scope: Scope::Help,
        set: |_, _| Ok(()),
    },
    Global {
        flag: Flag {
            aliases: &["-V"],
            ..Flag::new("--version", Takes::Nothing, "Show the version")
        },
        scope: Scope::Version,
        set: |_, _| Ok(()),
    },
];

/// The global flag that is written like this.
pub(crate) fn find(name: &str) -> Option<&'static Global> {
    ALL.iter().find(|global| global.flag.is_spelled(name))
}
