//! The flags that set the embedded phone up; with any other device they are refused.

use super::{Flag, Takes};

macro_rules! flag {
    ($id:ident = $name:literal, $takes:expr, $help:literal) => {
        pub(crate) static $id: Flag = Flag::new($name, $takes, $help);
    };
}

flag!(
    FAULT = "--sim-fault",
    Takes::One("<spec>"),
    "Something that goes wrong on the simulated phone, such as `lose_gesture 10%`, `crash @4` or `chaos`; may be repeated"
);
flag!(
    SEED = "--sim-seed",
    Takes::One("<n>"),
    "What all chance on the simulated phone depends on: the same seed gives the same run"
);
flag!(
    JOURNAL = "--sim-journal",
    Takes::Path("<file>"),
    "Write what really happened on the simulated phone to this file, one JSON object a line, passwords masked"
);
flag!(
    TIME = "--sim-time",
    Takes::Word("<virtual|real>", times),
    "Whether waits on the simulated phone cost no time, or take as long as they say"
);
flag!(
    THEME = "--sim-theme",
    Takes::Word("<light|dark>", themes),
    "The look of the simulated phone"
);
flag!(
    SCREEN = "--sim-screen",
    Takes::One("<WxH[@density]>"),
    "The screen of the simulated phone in pixels, and its pixels per dp, such as `1080x2340@2.625`"
);
pub(crate) static PACE: Flag = Flag {
    aliases: &["--pace"],
    ..Flag::new(
        "--sim-pace",
        Takes::Word("<instant|phone>", paces),
        "Whether the simulated phone answers at once, or as fast as a phone: 1.6 s for a look, 0.3 s for an input",
    )
};
flag!(
    LANGUAGE = "--sim-language",
    Takes::One("<tag>"),
    "The language of the simulated phone, such as `en-US`, or `ar`, which is written from right to left"
);
flag!(
    FONT_SCALE = "--sim-font-scale",
    Takes::One("<n>"),
    "How many times larger than designed text is on the simulated phone, from 0.85 to 2"
);
flag!(
    ROTATION = "--sim-rotation",
    Takes::Word("<rotation>", rotations),
    "How the simulated phone is held"
);
flag!(
    ANIMATIONS = "--sim-animations",
    Takes::Word("<on|off>", on_or_off),
    "Whether screens, dialogs and the keyboard of the simulated phone take a quarter of a second to come in"
);

/// Every flag of the embedded phone.
pub(crate) static ALL: &[&Flag] = &[
    &FAULT,
    &SEED,
    &JOURNAL,
    &TIME,
    &PACE,
    &THEME,
    &SCREEN,
    &LANGUAGE,
    &FONT_SCALE,
    &ROTATION,
    &ANIMATIONS,
];

/// Whether a flag is about the embedded phone.
pub(crate) fn is_one(flag: &Flag) -> bool {
    ALL.iter().any(|own| std::ptr::eq(*own, flag))
}

/// The values of `--sim-time`.
fn times() -> Vec<&'static str> {
    service::TIMES.to_vec()
}

/// The values of `--sim-pace`.
fn paces() -> Vec<&'static str> {
    service::PACES.to_vec()
}

/// The values of `--sim-theme`.
pub(crate) fn themes() -> Vec<&'static str> {
    service::THEMES.to_vec()
}

/// The values of `--sim-rotation`.
pub(crate) fn rotations() -> Vec<&'static str> {
    service::ROTATIONS.to_vec()
}

/// The values of `--sim-animations`.
fn on_or_off() -> Vec<&'static str> {
    service::ANIMATIONS.to_vec()
}
