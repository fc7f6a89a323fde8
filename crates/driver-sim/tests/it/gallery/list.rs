//! What the gallery shows.

use driver::Key;

/// One picture.
#[derive(Debug)]
pub(crate) struct Shot {
    /// The heading under which it stands.
    pub(crate) part: &'static str,
    /// The name of its file.
    pub(crate) name: &'static str,
    pub(crate) caption: &'static str,
    /// An app of its own, besides those that are built in.
    pub(crate) yaml: Option<&'static str>,
    /// A package or uri; empty for the home screen.
    pub(crate) start: &'static str,
    pub(crate) dark: bool,
    pub(crate) font_scale: f32,
    pub(crate) language: &'static str,
    pub(crate) steps: &'static [Step],
}

/// What is done before the picture is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A tap on what is called so.
    Tap(&'static str),
    Type(&'static str),
    Press(Key),
    /// So many milliseconds pass.
    Wait(u64),
    /// The content is pushed up by so many pixels.
    Up(i32),
}

const WIDGETS: Option<&str> = Some(include_str!("widgets.yaml"));
const TEXTS: Option<&str> = Some(include_str!("texts.yaml"));

const fn shot(
    part: &'static str,
    name: &'static str,
    caption: &'static str,
    start: &'static str,
    steps: &'static [Step],
) -> Shot {
    Shot {
        part,
        name,
        caption,
        yaml: None,
        start,
        dark: false,
        font_scale: 1.0,
        language: "en-US",
        steps,
    }
}

impl Shot {
    const fn with(self, yaml: Option<&'static str>) -> Self {
        Self { yaml, ..self }
    }

    const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    const fn scaled(self, font_scale: f32) -> Self {
        Self { font_scale, ..self }
    }

    const fn speaking(self, language: &'static str) -> Self {
        Self { language, ..self }
    }
}

const SETTINGS: &str = "com.android.settings";
const SHOP: &str = "com.example.shop";
const GALLERY: &str = "com.example.gallery";
const SIGN_IN: &[Step] = &[
    Step::Tap("Email"),
    Step::Type("ann@example.com"),
    Step::Press(Key::Enter),
    Step::Type("secret"),
    Step::Press(Key::Enter),
    Step::Wait(1500),
];

/// Every picture, in the order of the page.
pub(crate) const SHOTS: &[Shot] = &[
    shot("Home screen", "launcher", "The home screen", "", &[]),
    shot(
        "Home screen",
        "launcher-search",
        "Searching for an app",
        "",
        &[Step::Tap("Search apps"), Step::Type("se")],
    ),
    shot(
        "Home screen",
        "recents",
        "Recent apps",
        SETTINGS,
        &[Step::Press(Key::Recents)],
    ),
    shot("Settings", "settings", "Settings", SETTINGS, &[]),
    shot("Settings", "settings-dark", "Settings, dark", SETTINGS, &[]).dark(),
    shot(
        "Settings",
        "settings-arabic",
        "Settings, turned for Arabic",
        SETTINGS,
        &[],
    )
    .speaking("ar"),
    shot(
        "Settings",
        "settings-large",
        "Settings with text twice as large",
        SETTINGS,
        &[],
    )
    .scaled(2.0),
    shot(
        "Settings",
        "settings-connections",
        "Rows with switches",
        SETTINGS,
        &[Step::Tap("Connections")],
    ),
    shot(
        "Settings",
        "settings-connections-hebrew",
        "Rows with switches, turned for Hebrew",
        SETTINGS,
        &[Step::Tap("Connections")],
    )
    .dark()
    .speaking("he"),
    shot(
        "Settings",
        "settings-wifi",
        "A dialog with a field and the keyboard",
        SETTINGS,
        &[
            Step::Tap("Connections"),
            Step::Tap("Wi-Fi"),
            Step::Wait(1300),
            Step::Tap("Office"),
            Step::Tap("Password"),
            Step::Type("secret"),
        ],
    ),
    shot(
        "Settings",
        "settings-battery",
        "Key-value rows",
        "settings://battery",
        &[],
    ),
    shot(
        "Settings",
        "settings-display",
        "Display",
        SETTINGS,
        &[Step::Up(1300), Step::Tap("Display")],
    ),
    shot(
        "Settings",
        "settings-font-size",
        "Font size",
        SETTINGS,
        &[Step::Up(1300), Step::Tap("Display"), Step::Tap("Font size")],
    )
    .scaled(1.3),
    shot(
        "Shop",
        "shop-sign-in",
        "Signing in",
        SHOP,
        &[Step::Tap("Email"), Step::Type("ann@")],
    ),
    shot("Shop", "shop", "A list from data", SHOP, SIGN_IN),
    shot("Shop", "shop-dark", "A list from data, dark", SHOP, SIGN_IN).dark(),
    shot(
        "Browser",
        "browser",
        "The browser",
        "https://example.com/page",
        &[],
    ),
    shot("Widgets", "widgets", "Every widget", GALLERY, &[]).with(WIDGETS),
    shot(
        "Widgets",
        "widgets-dark",
        "Every widget, dark",
        GALLERY,
        &[],
    )
    .with(WIDGETS)
    .dark(),
    shot(
        "Widgets",
        "widgets-arabic",
        "Every widget, turned for Arabic",
        GALLERY,
        &[],
    )
    .with(WIDGETS)
    .speaking("ar"),
    shot(
        "Widgets",
        "widgets-large",
        "Every widget with text 1.5 times as large",
        GALLERY,
        &[],
    )
    .with(WIDGETS)
    .scaled(1.5),
    shot(
        "Widgets",
        "fields",
        "Fields, one with the cursor",
        GALLERY,
        &[
            Step::Tap("Fields"),
            Step::Tap("Name"),
            Step::Type("Zoë 你好"),
        ],
    )
    .with(WIDGETS),
    shot(
        "Widgets",
        "fields-dark",
        "Fields, dark, turned for Persian",
        GALLERY,
        &[
            Step::Tap("Fields"),
            Step::Tap("Message"),
            Step::Type("سلام دنیا\nhello"),
        ],
    )
    .with(WIDGETS)
    .dark()
    .speaking("fa"),
    shot("Text", "text-scripts", "Scripts of the world", GALLERY, &[]).with(TEXTS),
    shot(
        "Text",
        "text-scripts-dark",
        "Scripts of the world, dark, bold",
        GALLERY,
        &[Step::Tap("Bold")],
    )
    .with(TEXTS)
    .dark(),
    shot(
        "Text",
        "text-styles",
        "Text styles, alignment, ellipsis",
        GALLERY,
        &[Step::Tap("Styles")],
    )
    .with(TEXTS),
    shot(
        "Text",
        "text-styles-large",
        "Text styles, 1.3 times as large",
        GALLERY,
        &[Step::Tap("Styles")],
    )
    .with(TEXTS)
    .scaled(1.3),
];
