//! What the gallery shows.

use driver::Key;
use driver_sim::Rotation;

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
    /// The shade is pulled down from the top.
    Shade,
    Turn(Rotation),
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

    /// Whether the picture is wider than high.
    pub(crate) fn is_wide(&self) -> bool {
        let turned = |step: &Step| matches!(step, Step::Turn(Rotation::Landscape));
        self.steps.iter().any(turned)
    }

    const fn speaking(self, language: &'static str) -> Self {
        Self { language, ..self }
    }
}

const SETTINGS: &str = "com.android.settings";
const SHOP: &str = "com.example.shop";
const MAIL: &str = "com.example.mail";
const CHAT: &str = "com.example.chat";
const MAPS: &str = "com.example.maps";
const FORMS: &str = "com.example.forms";
const TORTURE: &str = "com.example.torture";
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
    shot(
        "Home screen",
        "launcher",
        "The home screen with every built-in app",
        "",
        &[],
    ),
    shot(
        "Home screen",
        "launcher-search",
        "Searching for an app, with the keyboard",
        "",
        &[Step::Tap("Search apps"), Step::Type("se")],
    ),
    shot(
        "Home screen",
        "recents",
        "Recent apps, from the Recents key",
        SETTINGS,
        &[
            Step::Press(Key::Home),
            Step::Tap("Maps"),
            Step::Press(Key::Recents),
        ],
    ),
    shot(
        "System windows",
        "crash",
        "The dialog after an app has crashed",
        "torture://crash",
        &[Step::Tap("Export"), Step::Wait(1000)],
    ),
    shot(
        "System windows",
        "not-responding",
        "The dialog about an app that does not respond",
        "torture://hang",
        &[Step::Tap("Synchronise"), Step::Wait(12000)],
    )
    .dark(),
    shot(
        "System windows",
        "permission",
        "An app asks for the location",
        MAPS,
        &[Step::Tap("My location"), Step::Wait(500)],
    ),
    shot(
        "System windows",
        "banner",
        "A heads-up notification over an app",
        MAIL,
        &[Step::Wait(20500)],
    ),
    shot(
        "System windows",
        "shade",
        "The notification shade, dark",
        MAIL,
        &[Step::Wait(20500), Step::Shade, Step::Wait(500)],
    )
    .dark(),
    shot(
        "System windows",
        "landscape",
        "An app in landscape",
        "chat://conversation/c1",
        &[Step::Turn(Rotation::Landscape), Step::Wait(500)],
    ),
    shot(
        "Settings",
        "settings",
        "Settings, the first screen",
        SETTINGS,
        &[],
    ),
    shot("Settings", "settings-dark", "Settings, dark", SETTINGS, &[]).dark(),
    shot(
        "Settings",
        "settings-arabic",
        "Settings, mirrored for Arabic",
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
        "Rows with switches, dark and mirrored for Hebrew",
        SETTINGS,
        &[Step::Tap("Connections")],
    )
    .dark()
    .speaking("he"),
    shot(
        "Settings",
        "settings-wifi",
        "A dialog with a password field and the keyboard",
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
        "Figures, a progress bar and switches",
        "settings://battery",
        &[],
    ),
    shot(
        "Settings",
        "settings-apps",
        "The list of installed apps",
        "settings://apps",
        &[],
    )
    .dark(),
    shot(
        "Settings",
        "settings-font-size",
        "Choosing the font size, at 1.3",
        "settings://font_size",
        &[],
    )
    .scaled(1.3),
    shot(
        "Shop",
        "shop-sign-in",
        "Signing in, with the keyboard for addresses",
        SHOP,
        &[Step::Tap("Email"), Step::Type("ann@")],
    ),
    shot("Shop", "shop", "A list from data", SHOP, SIGN_IN),
    shot("Shop", "shop-dark", "A list from data, dark", SHOP, SIGN_IN).dark(),
    shot(
        "Shop",
        "shop-item",
        "One item, with amount and delivery",
        "shop://item/7",
        &[],
    ),
    shot("Mail", "mail", "The inbox", MAIL, &[]),
    shot("Mail", "mail-dark", "The inbox, dark", MAIL, &[]).dark(),
    shot(
        "Mail",
        "mail-drawer",
        "The drawer with the folders",
        MAIL,
        &[Step::Tap("Open navigation drawer"), Step::Wait(500)],
    ),
    shot(
        "Mail",
        "mail-message",
        "Reading a message",
        "mail://message/326",
        &[],
    ),
    shot(
        "Mail",
        "mail-compose",
        "Writing a message",
        "mailto:tomas@paperkite.example?subject=Kites",
        &[Step::Tap("Message"), Step::Type("See you at nine.")],
    ),
    shot(
        "Mail",
        "mail-arabic",
        "The inbox, mirrored for Arabic",
        MAIL,
        &[],
    )
    .speaking("ar"),
    shot("Chat", "chat", "The conversations", CHAT, &[]),
    shot(
        "Chat",
        "chat-conversation",
        "A group conversation",
        "chat://conversation/c1",
        &[],
    ),
    shot(
        "Chat",
        "chat-arabic",
        "A conversation in Arabic, dark",
        "chat://conversation/c3",
        &[],
    )
    .dark()
    .speaking("ar"),
    shot(
        "Chat",
        "chat-large",
        "A conversation with text 1.5 times as large",
        "chat://conversation/c4",
        &[],
    )
    .scaled(1.5),
    shot("Maps", "maps", "A drawn map with places", MAPS, &[]),
    shot(
        "Maps",
        "maps-place",
        "The sheet of a place",
        "maps://place/lantern",
        &[Step::Wait(1000)],
    ),
    shot(
        "Maps",
        "maps-directions",
        "A route and its steps, dark",
        "maps://directions/museum",
        &[Step::Wait(2000)],
    )
    .dark(),
    shot(
        "Browser",
        "browser",
        "A web page",
        "https://example.com/page",
        &[],
    ),
    shot(
        "Forms",
        "forms",
        "The pages of the app that has every widget",
        FORMS,
        &[],
    ),
    shot(
        "Forms",
        "forms-text",
        "Text fields: label, helper, error, prefix, counter",
        "forms://text",
        &[
            Step::Tap("Email"),
            Step::Type("robin@"),
            Step::Tap("Amount"),
            Step::Type("12"),
            Step::Press(Key::Back),
        ],
    ),
    shot(
        "Forms",
        "forms-choices",
        "Switches, check boxes, radio buttons",
        "forms://choices",
        &[],
    ),
    shot(
        "Forms",
        "forms-choices-arabic",
        "Choices, mirrored for Arabic, dark",
        "forms://choices",
        &[],
    )
    .dark()
    .speaking("ar"),
    shot(
        "Forms",
        "forms-pickers",
        "Sliders, steppers, ratings, progress",
        "forms://pickers",
        &[],
    ),
    shot(
        "Forms",
        "forms-selection",
        "A word is selected",
        "forms://text",
        &[
            Step::Tap("Name"),
            Step::Type("Ada Lovelace"),
            // Two taps at once are a double tap, three are none.
            Step::Wait(1000),
            Step::Tap("Ada Lovelace"),
            Step::Tap("Ada Lovelace"),
        ],
    ),
    shot(
        "Forms",
        "forms-buttons",
        "Buttons and chips",
        "forms://buttons",
        &[],
    ),
    shot(
        "Forms",
        "forms-buttons-large",
        "Buttons and chips with text 1.5 times as large, dark",
        "forms://buttons",
        &[],
    )
    .dark()
    .scaled(1.5),
    shot(
        "Forms",
        "forms-lists",
        "Rows, tiles and what unfolds",
        "forms://lists",
        &[],
    ),
    shot(
        "Forms",
        "forms-tabs",
        "Tabs and a pager",
        "forms://tabs",
        &[],
    ),
    shot(
        "Forms",
        "forms-navigation",
        "A bottom bar and a rail",
        "forms://navigation",
        &[],
    ),
    shot(
        "Forms",
        "forms-dialog",
        "A dialog that asks before it deletes, dark",
        "forms://dialogs",
        &[Step::Tap("Alert"), Step::Wait(500)],
    )
    .dark(),
    shot(
        "Forms",
        "forms-sheet",
        "A bottom sheet with what can be shared to",
        "forms://dialogs",
        &[Step::Tap("Sheet"), Step::Wait(500)],
    ),
    shot("Forms", "forms-web", "A web view", "forms://web", &[]),
    shot(
        "Forms",
        "forms-canvas",
        "Places on a canvas",
        "forms://canvas",
        &[],
    ),
    shot(
        "Forms",
        "forms-toolkits",
        "Controls made with Compose",
        "forms://compose",
        &[],
    ),
    shot(
        "Forms",
        "forms-registration",
        "A form whose errors are marked",
        "forms://registration",
        &[
            Step::Up(1500),
            Step::Tap("Create account"),
            Step::Wait(500),
            Step::Press(Key::Back),
            Step::Up(-120),
        ],
    ),
    shot(
        "Torture",
        "torture",
        "The index of what is hard for an actuator",
        TORTURE,
        &[],
    ),
    shot(
        "Torture",
        "torture-unicode",
        "Buttons with strange letters",
        "torture://unicode",
        &[],
    ),
    shot(
        "Torture",
        "torture-nested",
        "Scrollers in scrollers, dark",
        "torture://nested",
        &[Step::Tap("Choose"), Step::Wait(500)],
    )
    .dark(),
    shot(
        "Widgets and text",
        "widgets",
        "The widgets of one file",
        GALLERY,
        &[],
    )
    .with(WIDGETS),
    shot(
        "Widgets and text",
        "widgets-dark",
        "The widgets of one file, dark",
        GALLERY,
        &[],
    )
    .with(WIDGETS)
    .dark(),
    shot(
        "Widgets and text",
        "fields-dark",
        "Fields, dark and mirrored for Persian",
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
    shot(
        "Widgets and text",
        "text-scripts",
        "Scripts of the world",
        GALLERY,
        &[],
    )
    .with(TEXTS),
    shot(
        "Widgets and text",
        "text-styles",
        "Text styles, alignment, ellipsis",
        GALLERY,
        &[Step::Tap("Styles")],
    )
    .with(TEXTS),
];
