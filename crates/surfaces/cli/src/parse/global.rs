//! The global flags: taken out of the line wherever they stand, the last one counting.

use std::path::PathBuf;

use contract::{ErrorBody, limits};
use service::chrome::ChromeSetup;
use service::{SimSetup, TransportChoice, TransportOptions};

use super::{Token, number, split, usage};
use crate::echo;
use crate::table::{Flag, globals, sims};

/// How JSON is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    /// On one line.
    #[default]
    Compact,
    /// Indented by two spaces.
    Pretty,
}

/// How the answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Look {
    /// The format.
    pub(crate) format: Format,
    /// Whether JSON was asked for by name, which reading every match needs.
    pub(crate) json_by_name: bool,
    /// Whether any format was asked for.
    pub(crate) chosen: bool,
}

impl Look {
    /// What can be made out of a line, whatever else is wrong with it.
    ///
    /// An error about the line itself is printed in the format that the line asks for.
    pub(crate) fn guess(argv: &[String]) -> Self {
        let mut look = Self::default();
        let mut tokens = argv.iter().take_while(|token| *token != "--").peekable();
        while let Some(token) = tokens.next() {
            let (name, inline) = split(token);
            if globals::JSON.is_spelled(name) {
                look.json();
            } else if globals::OUTPUT.is_spelled(name)
                && let Some(value) = inline.or_else(|| tokens.peek().map(|next| next.as_str()))
            {
                look.output(value);
            }
        }
        look
    }

    fn json(&mut self) {
        self.format = Format::Compact;
        self.json_by_name = true;
        self.chosen = true;
    }

    fn output(&mut self, value: &str) {
        self.format = if value == "pretty" {
            Format::Pretty
        } else {
            Format::Compact
        };
        self.json_by_name |= value == "json";
        self.chosen = true;
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
    /// The flags that were given with a value or are about a run, each as it was spelled.
    pub(crate) named: Vec<(&'static Flag, String)>,
    /// How the answer is printed.
    pub(crate) look: Look,
    /// Whether the account of the steps is wanted even where nobody watches.
    pub(crate) verbose: bool,
    /// Whether colour is unwanted.
    pub(crate) no_color: bool,
    /// How the embedded phone is set up.
    pub(crate) sim: SimSetup,
    /// Remarks for people about the line itself.
    pub(crate) remarks: Vec<String>,
}

/// Takes the global flags out of the line and leaves the rest in its order.
pub(super) fn take<'a>(tokens: &[Token<'a>]) -> Result<(Globals, Vec<Token<'a>>), ErrorBody> {
    let mut globals = Globals::default();
    let mut rest = Vec::new();
    let mut ahead = tokens.iter().copied().peekable();
    while let Some(token) = ahead.next() {
        let Token::Free(text) = token else {
            rest.push(token);
            continue;
        };
        let (name, inline) = split(text);
        let Some(flag) = globals::find(name) else {
            rest.push(token);
            continue;
        };
        if flag.takes.count() == 0 {
            if inline.is_some() {
                return Err(usage(format!("{name} takes no value")));
            }
            globals.switch(flag);
            if globals::is_of_a_run(flag) {
                globals.named.push((flag, name.to_owned()));
            }
            continue;
        }
        let value = match inline {
            Some(value) => Some(value),
            None => {
                let value = ahead.peek().and_then(|next| next.value());
                if value.is_some() {
                    ahead.next();
                }
                value
            }
        };
        let value = value
            .filter(|value| !value.is_empty())
            .ok_or_else(|| usage(format!("{name} requires a value")))?;
        globals.set(flag, name, value)?;
        globals.named.push((flag, name.to_owned()));
    }
    Ok((globals, rest))
}

impl Globals {
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
            broker: crate::commands::chrome::broker::by_this_program(),
            ..setup
        };
        setup
    }

    fn switch(&mut self, flag: &'static Flag) {
        if std::ptr::eq(flag, &globals::JSON) {
            self.look.json();
        } else if std::ptr::eq(flag, &globals::VERBOSE) {
            self.verbose = true;
        } else if std::ptr::eq(flag, &globals::WAKE) {
            self.wake = true;
        } else if std::ptr::eq(flag, &globals::NO_COLOR) {
            self.no_color = true;
        }
        // Help and version are looked for in the whole line.
    }

    fn set(&mut self, flag: &'static Flag, name: &str, value: &str) -> Result<(), ErrorBody> {
        if std::ptr::eq(flag, &globals::DEVICE) {
            if limits::is_blank(value) {
                return Err(usage(format!("{name} requires a value")));
            }
            self.device = Some(value.to_owned());
        } else if std::ptr::eq(flag, &globals::CDP) {
            if limits::is_blank(value) {
                return Err(usage(format!("{name} requires a url")));
            }
            self.cdp = Some(value.to_owned());
        } else if std::ptr::eq(flag, &globals::DOWNLOADS) {
            let folder = std::fs::canonicalize(value).ok();
            let folder = folder.filter(|folder| folder.is_dir());
            self.downloads = Some(folder.ok_or_else(|| {
                usage(format!(
                    "{name} requires a folder that is there, not {:?}",
                    echo::cut(value)
                ))
            })?);
        } else if std::ptr::eq(flag, &globals::VIA) {
            let way = TransportChoice::parse(value);
            self.via = Some(way.ok_or_else(|| {
                let words = TransportChoice::WORDS.join(", ");
                usage(format!(
                    "{name} must be one of: {words}; {:?} is none",
                    echo::cut(value)
                ))
            })?);
        } else if std::ptr::eq(flag, &globals::OPERATOR_PACKAGE) {
            if limits::is_blank(value) || value.starts_with('-') {
                return Err(usage(format!("{name} requires a value")));
            }
            self.operator_package = Some(value.to_owned());
        } else if std::ptr::eq(flag, &globals::TIMEOUT) {
            self.timeout = Some(number::read(value));
            self.timeout_text = echo::cut(value);
        } else if std::ptr::eq(flag, &globals::OUTPUT) {
            if !globals::output_formats().contains(&value) {
                self.remarks.push(format!(
                    "{name} {:?} is neither json nor pretty; json is used",
                    echo::cut(value)
                ));
            }
            self.look.output(value);
        } else if sims::is_one(flag) {
            self.set_sim(flag, value).map_err(|why| {
                let error = usage(format!("{name} {:?}: {why}", echo::cut(value)));
                match std::ptr::eq(flag, &sims::FAULT) {
                    true => error.with_hint(
                        "`clawperator sim faults` lists what can go wrong and how it is written",
                    ),
                    false => error.with_hint("`clawperator --help` says what it takes"),
                }
            })?;
        } else if std::ptr::eq(flag, &globals::LOG_LEVEL) {
            let level = service::log::Level::parse(value).ok_or_else(|| {
                let levels = globals::log_levels().join(", ");
                usage(format!("{name} must be one of: {levels}"))
            })?;
            self.log_level = Some(level);
        }
        Ok(())
    }

    fn set_sim(&mut self, flag: &'static Flag, value: &str) -> Result<(), String> {
        let sim = &mut self.sim;
        if std::ptr::eq(flag, &sims::FAULT) {
            sim.fault(value)
        } else if std::ptr::eq(flag, &sims::SEED) {
            sim.seed(value)
        } else if std::ptr::eq(flag, &sims::TIME) {
            sim.time(value)
        } else if std::ptr::eq(flag, &sims::PACE) {
            sim.pace(value)
        } else if std::ptr::eq(flag, &sims::THEME) {
            sim.look().theme(value)
        } else if std::ptr::eq(flag, &sims::SCREEN) {
            sim.screen(value)
        } else if std::ptr::eq(flag, &sims::LANGUAGE) {
            sim.look().language(value)
        } else if std::ptr::eq(flag, &sims::FONT_SCALE) {
            sim.look().font_scale(value)
        } else if std::ptr::eq(flag, &sims::ROTATION) {
            sim.look().rotation(value)
        } else if std::ptr::eq(flag, &sims::ANIMATIONS) {
            sim.animations(value)
        } else if value == "-" {
            Err("standard output is for the result; name a file".to_owned())
        } else {
            sim.journal = Some(value.into());
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(argv: &[&str]) -> Look {
        let argv: Vec<String> = argv.iter().map(|token| (*token).to_owned()).collect();
        let guessed = Look::guess(&argv);
        let tokens: Vec<Token<'_>> = argv.iter().map(|token| Token::Free(token)).collect();
        let (globals, _) = take(&tokens).unwrap();
        assert_eq!(globals.look, guessed, "{argv:?}");
        guessed
    }

    #[test]
    fn the_last_format_counts_but_json_by_name_stays() {
        assert_eq!(look(&["x"]), Look::default());
        assert_eq!(look(&["x", "--output", "pretty"]).format, Format::Pretty);
        let both = look(&["--json", "x", "--format=pretty"]);
        assert_eq!(both.format, Format::Pretty);
        assert!(both.json_by_name);
        assert_eq!(
            look(&["--output", "pretty", "--json"]).format,
            Format::Compact
        );
        assert!(!look(&["--output", "pretty"]).json_by_name);
        assert!(!look(&["--output", "yaml"]).json_by_name);
    }

    #[test]
    fn values_are_checked() {
        for argv in [
            &["--timeout"][..],
            &["--timeout", ""],
            &["--timeout", "--json"],
            &["--log-level", "loud"],
            &["--operator-package", "-x"],
            &["--operator-package", " "],
            &["--device"],
            &["--device", "--json"],
            &["--device", " "],
            &["--output"],
            &["--json=1"],
        ] {
            let tokens: Vec<Token<'_>> = argv.iter().map(|token| Token::Free(token)).collect();
            let error = take(&tokens).err();
            assert_eq!(
                error.map(|error| error.code),
                Some(contract::ErrorCode::Usage),
                "{argv:?}"
            );
        }
    }
}
