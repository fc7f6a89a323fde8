//! How the embedded phone is set up, as words say it: what flags of a surface hand on.

use std::path::PathBuf;

use driver_sim::{Fault, Keep, SimOptions, ThemeChoice};

/// Which time the embedded phone lives in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SimTime {
    /// Its own, in which waits cost nothing.
    #[default]
    Virtual,
    /// That of the world.
    Real,
}

/// A screen in pixels, with its pixels per dp.
#[derive(Clone, Copy, Debug)]
struct Screen {
    width: i32,
    height: i32,
    density: Option<f32>,
}

/// What is asked of the embedded phone. Everything that is not asked for is as the phone has it.
#[derive(Clone, Debug, Default)]
pub struct SimSetup {
    faults: Vec<Fault>,
    seed: Option<u64>,
    screen: Option<Screen>,
    theme: Option<ThemeChoice>,
    /// The file for its journal, as NDJSON, written anew after each run.
    pub journal: Option<PathBuf>,
    /// Its time.
    pub time: SimTime,
}

impl SimSetup {
    /// Adds a fault such as `lose_gesture 10%`.
    ///
    /// # Errors
    /// What is wrong with it, with the nearest name that exists.
    pub fn fault(&mut self, spec: &str) -> Result<(), String> {
        let faults = Fault::parse_all(spec).map_err(|error| error.to_string())?;
        self.faults.extend(faults);
        Ok(())
    }

    /// What its dice are thrown from.
    ///
    /// # Errors
    /// When it is no whole number from 0.
    pub fn seed(&mut self, text: &str) -> Result<(), String> {
        let seed = text.parse().map_err(|_| "expected a whole number from 0");
        self.seed = Some(seed?);
        Ok(())
    }

    /// Its screen, `1080x2340` or with its density in pixels per dp, `1080x2340@2.625`.
    ///
    /// # Errors
    /// When it is none, or beyond what the phone can have.
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

    /// Its look: `light` or `dark`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn theme(&mut self, text: &str) -> Result<(), String> {
        self.theme = Some(match text {
            "light" => ThemeChoice::Light,
            "dark" => ThemeChoice::Dark,
            _ => return Err("expected light or dark".to_owned()),
        });
        Ok(())
    }

    /// Its time: `virtual` or `real`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn time(&mut self, text: &str) -> Result<(), String> {
        self.time = match text {
            "virtual" => SimTime::Virtual,
            "real" => SimTime::Real,
            _ => return Err("expected virtual or real".to_owned()),
        };
        Ok(())
    }

    /// Lays what was asked for over the options of a phone.
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
        if let Some(theme) = self.theme {
            options.theme = theme;
        }
        options.journal = match self.journal {
            Some(_) => Keep::All,
            None => Keep::None,
        };
    }
}

/// One kind of fault, for lists.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SimFault {
    /// Its name.
    pub name: &'static str,
    /// What happens.
    pub about: &'static str,
    /// How it can be written.
    pub example: &'static str,
    /// The calls that it strikes or counts.
    pub on: String,
    /// Its parameters: name, what it is without being given, and what it says.
    pub params: Vec<SimParam>,
}

/// A parameter of a fault.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SimParam {
    /// Its name.
    pub name: &'static str,
    /// What it is when it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<&'static str>,
    /// What it says.
    pub about: &'static str,
}

/// Every fault that the embedded phone can have.
pub fn faults() -> Vec<SimFault> {
    driver_sim::fault::rows()
        .iter()
        .map(|row| SimFault {
            name: row.name,
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
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_refused() {
        let mut setup = SimSetup::default();
        setup.screen("720x1280@2").unwrap();
        setup.seed("7").unwrap();
        setup.fault("crash @4").unwrap();
        setup.theme("dark").unwrap();
        let mut options = SimOptions::default();
        setup.apply(&mut options);
        assert_eq!((options.screen.width, options.screen.height), (720, 1280));
        assert_eq!((options.seed, options.faults.len()), (7, 1));
        assert_eq!(options.journal, Keep::None);
        for wrong in ["720", "axb", "720x1280@x", "10x10", "720x1280@9", "720x-5"] {
            assert!(setup.screen(wrong).is_err(), "{wrong}");
        }
        assert!(setup.seed("-1").is_err());
        assert!(setup.theme("blue").is_err());
        assert!(setup.time("slow").is_err());
        assert_eq!(
            setup.fault("crsh").unwrap_err(),
            "`crsh` is no fault; did you mean `crash`?"
        );
    }
}
