//! The words by which people say what kind of thing they mean, where it is and which one of several.

use crate::subject::{ContextKind, Kind, Kinds};

/// Words that carry no meaning of their own.
const STOP: &[&str] = &[
    "the", "a", "an", "of", "for", "to", "in", "on", "at", "with", "and", "or", "this", "that",
    "these", "those", "my", "your", "our", "their", "its", "me", "us", "is", "are", "be", "was",
    "it", "from", "by", "as", "into", "i", "you", "which", "where", "there", "here", "will",
    "would", "can", "could", "should", "how", "what", "when", "who", "whose", "do", "does", "did",
    "him", "her", "them", "he", "she", "we", "they", "very", "really", "far", "am", "many", "much",
    "so", "if", "then", "please", "just", "der", "die", "das", "den", "dem", "ein", "eine",
    "einen", "und", "oder", "mit", "von", "zu", "zum", "zur", "im", "le", "la", "les", "un", "une",
    "des", "du", "de", "et", "ou", "el", "los", "las", "y", "o", "en", "il", "lo", "gli", "i", "e",
    "di", "da", "per", "os", "um", "uma", "het", "een", "van", "op", "です", "を", "の", "に",
    "は",
];

/// Words that only point at what is meant by what stands beside them.
const FILLER: &[&str] = &[
    "labeled",
    "labelled",
    "named",
    "called",
    "titled",
    "saying",
    "says",
    "reads",
    "reading",
    "text",
    "containing",
    "contains",
    "element",
    "control",
    "item",
    "thing",
    "one",
    "page",
    "screen",
    "website",
    "site",
    "want",
    "need",
    "go",
    "using",
    "use",
    "shows",
    "showing",
    "displayed",
    "marked",
    "current",
    "main",
    "small",
    "big",
    "little",
    "large",
    "located",
    "specific",
    "appropriate",
    "corresponding",
    "option",
    "section",
    "area",
    "widget",
    "about",
    "cost",
    "price",
    "fare",
    "duration",
    "component",
    "corner",
    "side",
    "entire",
    "whole",
    "full",
    "now",
    "jetzt",
    "maintenant",
    "ahora",
    "only",
    "dont",
];

/// Whether `word` carries no meaning of its own.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP.contains(&word)
}

/// Whether `word` means a control and seldom anything else.
pub(crate) fn is_control(word: &str) -> bool {
    const OTHERS: Kinds = Kinds::of(&[
        Kind::Menu,
        Kind::Landmark,
        Kind::MenuItem,
        Kind::Option,
        Kind::Text,
    ]);
    let role = role_word(word).filter(|_| !matches!(word, "box" | "select" | "range" | "combo"));
    role.is_some_and(|role| role.kinds.meets(Kinds::CONTROLS) && !role.kinds.meets(OTHERS))
}

/// Whether `word` after another makes it the name of a control: `search box`, `filter icon`.
pub(crate) fn names_control(word: &str) -> bool {
    matches!(
        word,
        "button"
            | "btn"
            | "icon"
            | "symbol"
            | "box"
            | "bar"
            | "field"
            | "input"
            | "textbox"
            | "textarea"
            | "toggle"
            | "switch"
            | "checkbox"
            | "slider"
            | "dropdown"
    )
}

/// Whether things are put into what `word` means, and nothing is typed there.
pub(crate) fn is_kept_in(word: &str) -> bool {
    matches!(
        word,
        "cart"
            | "basket"
            | "bag"
            | "trolley"
            | "wishlist"
            | "favorites"
            | "favourites"
            | "folder"
            | "warenkorb"
            | "panier"
            | "carrito"
            | "cesta"
            | "carrello"
            | "carrinho"
            | "winkelwagen"
            | "winkelmandje"
            | "koszyka"
            | "varukorgen"
    )
}

/// Whether `word` means an entry of a list and says nothing of which one.
pub(crate) fn is_entry(word: &str) -> bool {
    matches!(
        word,
        "article"
            | "post"
            | "story"
            | "item"
            | "entry"
            | "result"
            | "product"
            | "card"
            | "listing"
            | "headline"
            | "page"
    )
}

/// Whether `word` is a language, in which something may be and which is no place.
pub(crate) fn is_language(word: &str) -> bool {
    matches!(
        word,
        "english"
            | "german"
            | "french"
            | "spanish"
            | "italian"
            | "portuguese"
            | "dutch"
            | "polish"
            | "russian"
            | "ukrainian"
            | "chinese"
            | "japanese"
            | "korean"
            | "arabic"
            | "hebrew"
            | "turkish"
            | "greek"
            | "hindi"
            | "swedish"
            | "norwegian"
            | "danish"
            | "finnish"
            | "czech"
            | "hungarian"
            | "romanian"
            | "vietnamese"
            | "indonesian"
            | "thai"
            | "welsh"
            | "irish"
            | "catalan"
            | "basque"
    )
}

/// Whether `word` is a month.
pub(crate) fn is_month(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "januar"
            | "februar"
            | "marz"
            | "mai"
            | "juni"
            | "juli"
            | "oktober"
            | "dezember"
    )
}

/// Whether `word` means the screen or a part of it that has no name.
pub(crate) fn is_whole(word: &str) -> bool {
    matches!(
        word,
        "page" | "screen" | "website" | "site" | "side" | "corner" | "area" | "section"
    )
}

/// Whether `word` only points at what stands beside it.
pub(crate) fn is_filler(word: &str) -> bool {
    FILLER.contains(&word)
}

/// A word for a kind of element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoleWord {
    /// The kinds that it means.
    pub(crate) kinds: Kinds,
    /// Kinds that it may mean, too.
    pub(crate) loosely: Kinds,
    /// Whether it means a control that shows a picture and no words.
    pub(crate) picture: bool,
}

const CLICKS: Kinds = Kinds::of(&[
    Kind::Button,
    Kind::Link,
    Kind::Clickable,
    Kind::MenuItem,
    Kind::Tab,
    Kind::Switch,
    Kind::Dropdown,
]);

/// The kinds that `word` means.
pub(crate) fn role_word(word: &str) -> Option<RoleWord> {
    let (kinds, loosely, picture): (&[Kind], Kinds, bool) = match word {
        "button" | "buttons" | "btn" | "knopf" | "schaltflache" | "taste" | "bouton" | "boton"
        | "pulsante" | "bottone" | "botao" | "knop" | "knapp" | "przycisk" | "кнопка"
        | "кнопку" | "按钮" | "按鈕" | "ボタン" | "버튼" => {
            (&[Kind::Button], CLICKS, false)
        }
        "link" | "links" | "hyperlink" | "lien" | "enlace" | "collegamento" | "ссылка"
        | "ссылку" | "链接" | "連結" | "リンク" | "링크" => {
            (&[Kind::Link], CLICKS, false)
        }
        "field" | "fields" | "textbox" | "textfield" | "input" | "inputs" | "textarea" | "feld"
        | "eingabefeld" | "textfeld" | "champ" | "campo" | "veld" | "falt" | "pole" | "поле"
        | "输入框" | "フィールド" | "입력란" | "searchbox" | "searchbar" | "editor"
        | "searchfield" => (
            &[Kind::TextField],
            Kinds::of(&[Kind::Dropdown, Kind::File, Kind::Slider]),
            false,
        ),
        "box" => (
            &[Kind::TextField, Kind::CheckBox, Kind::Dropdown],
            Kinds::of(&[Kind::Clickable, Kind::Radio]),
            false,
        ),
        "bar" => (
            &[Kind::TextField, Kind::TabBar, Kind::Menu, Kind::Landmark],
            Kinds::of(&[Kind::Slider, Kind::Status]),
            false,
        ),
        "checkbox"
        | "checkboxes"
        | "tickbox"
        | "checkmark"
        | "kontrollkastchen"
        | "casilla"
        | "casella"
        | "флажок"
        | "复选框"
        | "チェックボックス"
        | "체크박스" => (
            &[Kind::CheckBox],
            Kinds::of(&[Kind::Switch, Kind::Radio]),
            false,
        ),
        "radio" | "radiobutton" | "optionsfeld" => {
            (&[Kind::Radio], Kinds::of(&[Kind::CheckBox]), false)
        }
        "dropdown" | "combobox" | "select" | "picker" | "selector" | "combo" | "listbox"
        | "auswahlliste" | "desplegable" | "下拉" | "spinner" => (
            &[Kind::Dropdown],
            Kinds::of(&[
                Kind::Button,
                Kind::TextField,
                Kind::Menu,
                Kind::Link,
                Kind::Clickable,
            ]),
            false,
        ),
        "option" | "choice" => (
            &[Kind::Option, Kind::Radio, Kind::MenuItem],
            Kinds::of(&[
                Kind::CheckBox,
                Kind::ListItem,
                Kind::Tab,
                Kind::Button,
                Kind::Link,
                Kind::Clickable,
            ]),
            false,
        ),
        "tab" | "tabs" | "reiter" | "onglet" | "pestana" | "scheda" | "aba" | "вкладка"
        | "选项卡" | "タブ" | "탭" => (&[Kind::Tab], CLICKS, false),
        "icon" | "icons" | "symbol" | "glyph" | "icone" | "icono" | "icona" | "ikone"
        | "значок" | "иконка" | "图标" | "圖示" | "アイコン" | "아이콘" => (
            &[Kind::Button, Kind::Link, Kind::Clickable, Kind::Image],
            CLICKS,
            true,
        ),
        "image" | "img" | "picture" | "photo" | "photograph" | "thumbnail" | "avatar"
        | "illustration" | "logo" | "poster" | "screenshot" | "bild" | "foto" | "imagen"
        | "immagine" | "图片" | "画像" => (
            &[Kind::Image],
            Kinds::of(&[Kind::Link, Kind::Button, Kind::Clickable, Kind::Media]),
            true,
        ),
        "menu" | "submenu" => (
            &[Kind::Menu, Kind::Dropdown],
            Kinds::of(&[
                Kind::Button,
                Kind::MenuItem,
                Kind::Link,
                Kind::Landmark,
                Kind::List,
                Kind::Clickable,
            ]),
            false,
        ),
        "toggle"
        | "switch"
        | "schalter"
        | "interrupteur"
        | "interruptor"
        | "переключатель"
        | "开关"
        | "スイッチ" => (
            &[Kind::Switch, Kind::CheckBox],
            Kinds::of(&[Kind::Button, Kind::Radio, Kind::Clickable]),
            false,
        ),
        "slider" | "range" | "schieberegler" => {
            (&[Kind::Slider], Kinds::of(&[Kind::TextField]), false)
        }
        "heading" | "headline" | "title" | "uberschrift" | "titre" => (
            &[Kind::Heading],
            Kinds::of(&[Kind::Text, Kind::Link, Kind::Label]),
            false,
        ),
        "paragraph" | "message" | "caption" | "sentence" => (
            &[Kind::Text, Kind::Label, Kind::Status],
            Kinds::of(&[Kind::Heading, Kind::Cell]),
            false,
        ),
        "label" => (
            &[Kind::Text, Kind::Label, Kind::Link, Kind::Button],
            CLICKS.with(Kinds::of(&[Kind::Heading, Kind::Cell])),
            false,
        ),
        "row" => (&[Kind::Row], Kinds::of(&[Kind::ListItem]), false),
        "cell" => (&[Kind::Cell], CLICKS, false),
        "menuitem" => (
            &[Kind::MenuItem],
            Kinds::of(&[Kind::Link, Kind::Button, Kind::Option, Kind::ListItem]),
            false,
        ),
        "item" | "entry" => (
            &[Kind::ListItem, Kind::MenuItem, Kind::Option],
            Kinds::of(&[Kind::Link, Kind::Button, Kind::Row, Kind::Clickable]),
            false,
        ),
        "form" | "formular" | "formulaire" | "formulario" => (&[Kind::Form], Kinds::NONE, false),
        "dialog" | "modal" | "popup" => (&[Kind::Dialog], Kinds::NONE, false),
        "table" => (&[Kind::Table], Kinds::NONE, false),
        "list" => (&[Kind::List], Kinds::of(&[Kind::Dropdown]), false),
        "video" | "player" => (
            &[Kind::Media],
            Kinds::of(&[Kind::Link, Kind::Frame, Kind::Image]),
            false,
        ),
        "iframe" | "frame" => (&[Kind::Frame], Kinds::NONE, false),
        _ => return None,
    };
    Some(RoleWord {
        kinds: Kinds::of(kinds),
        loosely,
        picture,
    })
}

/// Words before a role word that make it another: `check box`, `radio button`, `text field`.
pub(crate) fn compound_role(before: &str, word: &str) -> Option<RoleWord> {
    let joined = match (before, word) {
        ("check" | "tick", "box" | "mark") => "checkbox",
        ("radio", "button" | "option" | "box") => "radio",
        ("drop", "down")
        | ("combo" | "selection", "box")
        | ("dropdown" | "down" | "select", "menu" | "list" | "box" | "button") => "dropdown",
        ("text" | "input" | "edit" | "entry", "field" | "box" | "area" | "bar")
        | ("editing" | "writing" | "typing", "area" | "field" | "box") => "field",
        ("menu", "item" | "entry" | "option") => "menuitem",
        ("menu" | "hamburger", "icon" | "button") => return role_word("button"),
        ("list", "item") => "item",
        ("column" | "row" | "table", "header" | "heading") => "cell",
        ("toggle", "switch" | "button") => "switch",
        ("submit" | "push", "button") => "button",
        ("search", "box" | "bar" | "field" | "input") => "field",
        ("dialog" | "modal", "box" | "window") | ("pop", "up") => "dialog",
        ("tab", "button" | "link") => "tab",
        _ => return None,
    };
    role_word(joined)
}

/// Which one of several, counted from 1; from the end where it is negative.
pub(crate) fn ordinal(word: &str) -> Option<i32> {
    let place = match word {
        "first" | "1st" | "erste" | "ersten" | "erster" | "premier" | "premiere" | "primer"
        | "primero" | "primera" | "primo" | "prima" | "primeiro" | "primeira" | "eerste"
        | "первый" | "первая" | "первую" | "pierwszy" | "pierwsza" | "forsta" | "topmost" => {
            1
        }
        "second" | "2nd" | "zweite" | "zweiten" | "zweiter" | "deuxieme" | "segundo"
        | "segunda" | "secondo" | "seconda" | "tweede" | "второй" | "вторая" | "вторую"
        | "drugi" | "druga" => 2,
        "third" | "3rd" | "dritte" | "dritten" | "dritter" | "troisieme" | "tercero" | "tercer"
        | "tercera" | "terzo" | "terza" | "terceiro" | "terceira" | "derde" | "третий"
        | "третья" | "третью" | "trzeci" | "trzecia" | "tredje" => 3,
        "fourth" | "4th" | "vierte" | "vierten" | "quatrieme" | "cuarto" | "cuarta" | "quarto" => 4,
        "fifth" | "5th" | "funfte" | "funften" | "cinquieme" | "quinto" | "quinta" => 5,
        "sixth" | "6th" => 6,
        "seventh" | "7th" => 7,
        "eighth" | "8th" => 8,
        "ninth" | "9th" => 9,
        "tenth" | "10th" => 10,
        "last" | "final" | "letzte" | "letzten" | "letzter" | "dernier" | "derniere" | "ultimo"
        | "ultima" | "laatste" | "последний" | "последняя" | "последнюю" | "ostatni"
        | "ostatnia" | "sista" | "bottommost" => -1,
        "penultimate" => -2,
        _ => {
            let digits = word
                .strip_suffix("th")
                .or_else(|| word.strip_suffix("st"))
                .or_else(|| word.strip_suffix("nd"))
                .or_else(|| word.strip_suffix("rd"))?;
            return digits.parse().ok().filter(|place| (1..=99).contains(place));
        }
    };
    Some(place)
}

/// A place on the screen or a part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// In the upper part.
    Top,
    /// In the lower part.
    Bottom,
    /// On the left side.
    Left,
    /// On the right side.
    Right,
    /// In the middle.
    Middle,
    /// In this part of the page.
    Part(ContextKind),
}

/// The place that `word` names.
pub(crate) fn spot(word: &str) -> Option<Spot> {
    Some(match word {
        "top" | "upper" | "topmost" | "oben" | "obere" | "oberen" | "haut" | "arriba" | "alto" => {
            Spot::Top
        }
        "bottom" | "lower" | "bottommost" | "unten" | "untere" | "unteren" | "bas" | "abajo"
        | "basso" => Spot::Bottom,
        "left" | "leftmost" | "lefthand" | "links" | "linke" | "linken" | "gauche"
        | "izquierda" | "sinistra" => Spot::Left,
        "right" | "rightmost" | "righthand" | "rechts" | "rechte" | "rechten" | "droite"
        | "derecha" | "destra" => Spot::Right,
        "middle" | "center" | "centre" | "central" | "mitte" => Spot::Middle,
        "header" | "masthead" | "banner" | "kopfzeile" | "topbar" => {
            Spot::Part(ContextKind::Header)
        }
        "footer" | "fusszeile" => Spot::Part(ContextKind::Footer),
        "sidebar" | "aside" | "sidenav" | "seitenleiste" => Spot::Part(ContextKind::Aside),
        "nav" | "navigation" | "navbar" => Spot::Part(ContextKind::Navigation),
        "dialog" | "modal" | "popup" | "popover" | "overlay" | "drawer" => {
            Spot::Part(ContextKind::Dialog)
        }
        _ => return None,
    })
}

/// How what is meant lies to something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Close to it.
    Beside,
    /// Under it on the screen, or in the section that it heads.
    Under,
    /// Over it.
    Over,
    /// To its left.
    LeftOf,
    /// To its right.
    RightOf,
    /// The next one when reading: to its right, or under it.
    After,
    /// The one before when reading: to its left, or over it.
    Before,
    /// Inside it, or in its row.
    Inside,
    /// It belongs to it: `of`, `for`, `from`.
    Of,
}

impl Relation {
    /// The relation in words.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Beside => "next to",
            Self::Under => "below",
            Self::Over => "above",
            Self::LeftOf => "left of",
            Self::RightOf => "right of",
            Self::After => "after",
            Self::Before => "before",
            Self::Inside => "in",
            Self::Of => "of",
        }
    }

    /// Whether the words of a relation are seldom part of a name.
    pub(crate) const fn is_plain(self) -> bool {
        match self {
            Self::Beside
            | Self::Under
            | Self::Over
            | Self::LeftOf
            | Self::RightOf
            | Self::After
            | Self::Before => true,
            Self::Inside | Self::Of => false,
        }
    }
}

/// Phrases that say how two things lie to each other, the longest first.
const RELATIONS: &[(&[&str], Relation)] = &[
    (
        &["to", "the", "left", "hand", "side", "of"],
        Relation::LeftOf,
    ),
    (
        &["to", "the", "right", "hand", "side", "of"],
        Relation::RightOf,
    ),
    (
        &["on", "the", "left", "hand", "side", "of"],
        Relation::LeftOf,
    ),
    (
        &["on", "the", "right", "hand", "side", "of"],
        Relation::RightOf,
    ),
    (&["left", "hand", "side", "of"], Relation::LeftOf),
    (&["right", "hand", "side", "of"], Relation::RightOf),
    (&["to", "the", "left", "side", "of"], Relation::LeftOf),
    (&["to", "the", "right", "side", "of"], Relation::RightOf),
    (&["on", "the", "left", "side", "of"], Relation::LeftOf),
    (&["on", "the", "right", "side", "of"], Relation::RightOf),
    (&["to", "the", "left", "of"], Relation::LeftOf),
    (&["to", "the", "right", "of"], Relation::RightOf),
    (&["on", "the", "left", "of"], Relation::LeftOf),
    (&["on", "the", "right", "of"], Relation::RightOf),
    (&["in", "the", "row", "of"], Relation::Inside),
    (&["in", "the", "row", "for"], Relation::Inside),
    (&["in", "the", "row", "with"], Relation::Inside),
    (&["on", "the", "row", "of"], Relation::Inside),
    (&["in", "the", "same", "row", "as"], Relation::Inside),
    (&["in", "front", "of"], Relation::LeftOf),
    (&["on", "top", "of"], Relation::Over),
    (&["on", "the", "left", "to"], Relation::LeftOf),
    (&["on", "the", "right", "to"], Relation::RightOf),
    (&["left", "side", "of"], Relation::LeftOf),
    (&["right", "side", "of"], Relation::RightOf),
    (&["to", "left", "of"], Relation::LeftOf),
    (&["to", "right", "of"], Relation::RightOf),
    (&["on", "left", "of"], Relation::LeftOf),
    (&["on", "right", "of"], Relation::RightOf),
    (&["on", "left", "to"], Relation::LeftOf),
    (&["on", "right", "to"], Relation::RightOf),
    (&["left", "of"], Relation::LeftOf),
    (&["right", "of"], Relation::RightOf),
    (&["left", "to"], Relation::LeftOf),
    (&["right", "to"], Relation::RightOf),
    (&["left", "from"], Relation::LeftOf),
    (&["right", "from"], Relation::RightOf),
    (&["lefthand", "of"], Relation::LeftOf),
    (&["righthand", "of"], Relation::RightOf),
    (&["over", "the"], Relation::Over),
    (&["next", "to"], Relation::Beside),
    (&["close", "to"], Relation::Beside),
    (&["adjacent", "to"], Relation::Beside),
    (&["along", "with"], Relation::Beside),
    (&["associated", "with"], Relation::Of),
    (&["belonging", "to"], Relation::Of),
    (&["related", "to"], Relation::Of),
    (&["inside", "of"], Relation::Inside),
    (&["in", "the"], Relation::Inside),
    (&["on", "the"], Relation::Inside),
    (&["about"], Relation::Of),
    (&["beside"], Relation::Beside),
    (&["near"], Relation::Beside),
    (&["in", "a"], Relation::Inside),
    (&["at"], Relation::Of),
    (&["with"], Relation::Of),
    (&["by"], Relation::Of),
    (&["below"], Relation::Under),
    (&["under"], Relation::Under),
    (&["underneath"], Relation::Under),
    (&["beneath"], Relation::Under),
    (&["after"], Relation::After),
    (&["following"], Relation::After),
    (&["above"], Relation::Over),
    (&["before"], Relation::Before),
    (&["inside"], Relation::Inside),
    (&["within"], Relation::Inside),
    (&["in"], Relation::Inside),
    (&["on"], Relation::Inside),
    (&["from"], Relation::Of),
    (&["of"], Relation::Of),
    (&["for"], Relation::Of),
    (&["neben"], Relation::Beside),
    (&["unter"], Relation::Under),
    (&["uber"], Relation::Over),
    (&["im"], Relation::Inside),
    (&["fur"], Relation::Of),
    (&["von"], Relation::Of),
    (&["sous"], Relation::Under),
    (&["dans"], Relation::Inside),
    (&["pour"], Relation::Of),
    (&["debajo", "de"], Relation::Under),
    (&["junto", "a"], Relation::Beside),
    (&["para"], Relation::Of),
];

/// The relation that the words from `at` on name, and how many words name it.
pub(crate) fn relation<W: AsRef<str>>(words: &[W], at: usize) -> Option<(Relation, usize)> {
    let rest = words.get(at..)?;
    RELATIONS
        .iter()
        .find(|(phrase, _)| {
            rest.get(..phrase.len())
                .is_some_and(|there| there.iter().map(AsRef::as_ref).eq(phrase.iter().copied()))
        })
        .map(|(phrase, relation)| (*relation, phrase.len()))
}
