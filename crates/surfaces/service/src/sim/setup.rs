//! The options of the embedded phone, from the words of flags.

use std::path::PathBuf;

use driver_sim::{
    AnimationChoice, Fault, PaceChoice, Retention, Rotation, SimOptions, ThemeChoice, Words,
};
use sim_adb::{WireFaultSpec, WireRow, wire_faults};

use driver_sim::TimeChoice as Clock;

/// A screen in pixels, with its density in pixels per dp.
#[derive(Clone, Copy, Debug)]
struct Screen {
    width: i32,
    height: i32,
    density: Option<f32>,
}

/// The options of the embedded phone; unset ones keep the phone's defaults.
#[derive(Clone, Debug, Default)]
pub struct SimSetup {
    faults: Vec<Fault>,
    /// Faults of the adb connection.
    wire: Vec<WireFaultSpec>,
    seed: Option<u64>,
    screen: Option<Screen>,
    look: SimAppearance,
    animations: Option<AnimationChoice>,
    pace: PaceChoice,
    /// The file of its journal, as NDJSON, rewritten after each run.
    pub journal: Option<PathBuf>,
    /// The file that a phone with its own process records its screens and events to, as NDJSON, as they happen.
    pub record: Option<PathBuf>,
    /// Its clock; [`Options::clock_of`](crate::Options::clock_of) returns which runtime to create.
    pub time: Clock,
}

/// The appearance of the embedded phone; unset values keep the phone's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimAppearance {
    language: Option<String>,
    font_scale: Option<f32>,
    rotation: Option<Rotation>,
    theme: Option<ThemeChoice>,
}

/// The values of [`SimAppearance::rotation`].
pub const ROTATIONS: &[&str] = Rotation::WORDS;

/// The values of [`SimAppearance::theme`].
pub const THEMES: &[&str] = ThemeChoice::WORDS;

/// The values of [`SimSetup::animations`].
pub const ANIMATIONS: &[&str] = AnimationChoice::WORDS;

/// The values of [`SimSetup::pace`].
pub const PACES: &[&str] = PaceChoice::WORDS;

/// The values of [`SimSetup::time`].
pub const TIMES: &[&str] = Clock::WORDS;

/// The value of a word; `-` counts as `_`, as usual on command lines.
fn read<T: Words>(text: &str) -> Result<T, String> {
    T::of_word(&text.replace('-', "_")).ok_or_else(|| match T::WORDS {
        [one, other] => format!("expected {one} or {other}"),
        several => format!("expected one of {}", several.join(", ")),
    })
}

impl SimAppearance {
    /// Sets its language.
    pub fn language(&mut self, tag: &str) -> Result<(), String> {
        if !driver_sim::is_language(tag) {
            return Err("expected a language tag such as en, pt-BR or ar".to_owned());
        }
        crate::sim::languages::known(tag)?;
        self.language = Some(tag.to_owned());
        Ok(())
    }

    /// Sets its font scale, from 0.85 to 2.
    pub fn font_scale(&mut self, text: &str) -> Result<(), String> {
        let scale = text.parse().ok();
        let scale = scale.filter(|scale| (0.85..=2.0).contains(scale));
        self.font_scale = Some(scale.ok_or("expected a number from 0.85 to 2")?);
        Ok(())
    }

    /// Sets its rotation: one of [`ROTATIONS`].
    pub fn rotation(&mut self, text: &str) -> Result<(), String> {
        self.rotation = Some(read(text)?);
        Ok(())
    }

    /// Sets its theme: one of [`THEMES`].
    pub fn theme(&mut self, text: &str) -> Result<(), String> {
        self.theme = Some(read(text)?);
        Ok(())
    }

    /// Applies the appearance to the options of a phone.
    pub(crate) fn apply(&self, options: &mut SimOptions) {
        if let Some(language) = &self.language {
            options.language.clone_from(language);
        }
        options.font_scale = self.font_scale.unwrap_or(options.font_scale);
        options.rotation = self.rotation.unwrap_or(options.rotation);
        options.theme = self.theme.unwrap_or(options.theme);
    }
}

impl SimSetup {
    /// Adds a fault such as `lose_gesture 10%`, or one of the adb connection such as `cut_done input tap x1`.
    ///
    /// # Errors
    /// The problem, with the nearest name that exists.
    pub fn fault(&mut self, spec: &str) -> Result<(), String> {
        let text = spec.trim();
        let name = text.split([' ', '\t', '=']).next().unwrap_or_default();
        if WireRow::named(name).is_some() {
            let spec = text.parse::<WireFaultSpec>();
            self.wire.push(spec.map_err(|error| error.to_string())?);
            return Fault::check_count(self.wire.len()).map_err(|error| error.to_string());
        }
        let known = |row: &driver_sim::fault::FaultRow| row.name == name;
        let unknown = !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !["chaos", "all"].contains(&name)
            && !driver_sim::fault::rows().iter().any(known);
        if unknown {
            let wire: Vec<&str> = wire_faults().iter().map(|row| row.name).collect();
            return Err(driver_sim::fault::no_such(name, &wire).to_string());
        }
        let faults = Fault::parse_all(spec).map_err(|error| error.to_string())?;
        let count = self.faults.len() + faults.len();
        Fault::check_count(count).map_err(|error| error.to_string())?;
        self.faults.extend(faults);
        Ok(())
    }

    /// The faults of its adb connection, if it has one.
    pub fn wire_faults(&self) -> &[WireFaultSpec] {
        &self.wire
    }

    /// Sets the seed of its random numbers.
    pub fn seed(&mut self, text: &str) -> Result<(), String> {
        let seed = text.parse().map_err(|_| "expected a whole number from 0");
        self.seed = Some(seed?);
        Ok(())
    }

    /// Sets its screen: `1080x2340`, or with its density in pixels per dp `1080x2340@2.625`.
    pub fn screen(&mut self, text: &str) -> Result<(), String> {
        let expected = || "expected a size such as 1080x2340 or 1080x2340@2.625".to_owned();
        let (size, density) = match text.split_once('@') {
            Some((size, density)) => (size, Some(density.parse().map_err(|_| expected())?)),
            None => (text, None),
        };
        let (width, height) = size.split_once('x').ok_or_else(expected)?;
        let pixels = |text: &str| {
            let number = text.parse().map_err(|_| expected())?;
            if (200..=8000).contains(&number) {
                Ok(number)
            } else {
                Err("a screen is 200 to 8000 pixels wide and high".to_owned())
            }
        };
        let (width, height) = (pixels(width)?, pixels(height)?);
        if density.is_some_and(|density: f32| !(0.5..=8.0).contains(&density)) {
            return Err("a density is 0.5 to 8 pixels per dp".to_owned());
        }
        self.screen = Some(Screen {
            width,
            height,
            density,
        });
        Ok(())
    }

    /// Its theme, language, font scale and rotation.
    pub const fn appearance(&mut self) -> &mut SimAppearance {
        &mut self.look
    }

    /// Sets whether screens, dialogs and the keyboard animate: `on` or `off`.
    pub fn animations(&mut self, text: &str) -> Result<(), String> {
        self.animations = Some(read(text)?);
        Ok(())
    }

    /// Sets how fast it answers: `instant` or `phone`.
    pub fn pace(&mut self, text: &str) -> Result<(), String> {
        self.pace = read(text)?;
        Ok(())
    }

    /// Sets its clock: `virtual` or `real`.
    pub fn time(&mut self, text: &str) -> Result<(), String> {
        self.time = read(text)?;
        Ok(())
    }

    /// Applies the options to those of a phone.
    pub(crate) fn apply(&self, options: &mut SimOptions) {
        options.faults.extend(self.faults.iter().cloned());
        if let Some(seed) = self.seed {
            options.seed = seed;
        }
        if let Some(screen) = self.screen {
            options.screen.width = screen.width;
            options.screen.height = screen.height;
            options.density = screen.density.unwrap_or(options.density);
        }
        self.look.apply(options);
        options.animations = self.animations.unwrap_or(options.animations);
        options.pace = self.pace;
        options.journal = match (&self.journal, &self.record) {
            (Some(_), _) => Retention::All,
            // Written entries need not be kept in memory.
            (None, Some(_)) => Retention::Last(JOURNAL_CAPACITY),
            (None, None) => Retention::None,
        };
    }
}

/// How many journal entries stay in memory if they are written as they happen: more than one command makes.
const JOURNAL_CAPACITY: usize = 20_000;

/// A kind of fault, for lists.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SimFault {
    pub name: &'static str,
    /// `phone` for faults of any simulated phone, `wire` for those of the adb connection.
    pub place: &'static str,
    /// What happens.
    pub about: &'static str,
    /// Its syntax.
    pub example: &'static str,
    /// The calls that it affects.
    pub on: String,
    /// Its parameters: name, default and meaning.
    pub params: Vec<SimParam>,
}

/// A parameter of a fault.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SimParam {
    pub name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<&'static str>,
    /// Its meaning.
    pub about: &'static str,
}

/// Every fault of a simulated phone.
pub fn faults() -> Vec<SimFault> {
    let of_wire = wire_faults().iter().map(|row| SimFault {
        name: row.name,
        place: "wire",
        about: row.about,
        example: row.example,
        on: row.on.to_owned(),
        params: row
            .param
            .iter()
            .map(|param| SimParam {
                name: param.name,
                default: None,
                about: param.about,
            })
            .collect(),
    });
    driver_sim::fault::rows()
        .iter()
        .map(|row| SimFault {
            name: row.name,
            place: "phone",
            about: row.about,
            example: row.example,
            on: row.on.to_string(),
            params: row
                .params
                .iter()
                .map(|param| SimParam {
                    name: param.name,
                    default: param.default,
                    about: param.about,
                })
                .collect(),
        })
        .chain(of_wire)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_words_are_parsed_and_validated() {
        let mut setup = SimSetup::default();
        setup.screen("720x1280@2").unwrap();
        setup.seed("7").unwrap();
        setup.fault("crash @4").unwrap();
        setup.appearance().theme("dark").unwrap();
        setup.appearance().language("ar").unwrap();
        setup.appearance().font_scale("1.3").unwrap();
        setup.appearance().rotation("reverse-landscape").unwrap();
        setup.appearance().rotation("reverse_landscape").unwrap();
        setup.animations("on").unwrap();
        setup.pace("phone").unwrap();
        let mut options = SimOptions::default();
        setup.apply(&mut options);
        assert_eq!((options.screen.width, options.screen.height), (720, 1280));
        assert_eq!((options.seed, options.faults.len()), (7, 1));
        assert_eq!(options.journal, Retention::None);
        assert_eq!(
            (&*options.language, options.font_scale, options.rotation),
            ("ar", 1.3, Rotation::ReverseLandscape)
        );
        assert_eq!(options.animations, AnimationChoice::On);
        assert_eq!(options.pace, PaceChoice::Phone);
        for wrong in ["720", "axb", "720x1280@x", "10x10", "720x1280@9", "720x-5"] {
            assert!(setup.screen(wrong).is_err(), "{wrong}");
        }
        assert!(setup.seed("-1").is_err());
        assert!(setup.appearance().theme("blue").is_err());
        assert!(setup.appearance().language("english").is_err());
        for wrong in ["0.5", "3", "big", "NaN"] {
            assert!(setup.appearance().font_scale(wrong).is_err(), "{wrong}");
        }
        assert!(setup.appearance().rotation("left").is_err());
        assert!(setup.animations("yes").is_err());
        assert!(setup.time("slow").is_err());
        assert!(setup.pace("slow").is_err());
        assert_eq!(
            setup.fault("crsh").unwrap_err(),
            "`crsh` is not a fault; did you mean `crash`?"
        );
        assert_eq!(
            setup.fault("offlin x1").unwrap_err(),
            "`offlin` is not a fault; did you mean `offline`?"
        );
        assert!(setup.fault("").unwrap_err().contains("missing"));
        setup.fault("cut_done input tap @2").unwrap();
        assert!(setup.fault("slow often").unwrap_err().contains("slow 20ms"));
        assert_eq!(setup.wire_faults().len(), 1);
    }
}
