//! Features of an element for selectors, and how stable they are.

use dom::{Dom, Element, ElementId};

use super::classes::is_stable;
use super::css::{Complex, Compound, SimpleSelector};
use super::generated::{stem, why_generated};
use super::matching::Index;
use super::selector::{GENERATED, Selector, SelectorForm, Strategy};
use super::volatile::{cap_stability, why_volatile};

/// Longer values make no selector.
const MAX_VALUE: usize = 120;

/// Maximum number of classes that are combined.
const MAX_CLASSES: usize = 6;

/// Maximum number of custom attributes.
const MAX_CUSTOM_ATTRIBUTES: usize = 6;

/// Stability lost by volatile words.
const VOLATILE_PENALTY: u8 = 25;

/// Stability of an id from a series.
const SERIES_STABILITY: u8 = 60;

/// Minimum number of ids in a series.
const MIN_SERIES: usize = 3;

/// Simple selectors for one element, and their stability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) pieces: Vec<SimpleSelector>,
    pub(crate) strategy: Strategy,
    pub(crate) stability: u8,
    pub(crate) why: Option<&'static str>,
}

impl Feature {
    pub(crate) fn new(
        pieces: impl IntoIterator<Item = SimpleSelector>,
        strategy: Strategy,
        stability: u8,
    ) -> Self {
        Self {
            pieces: pieces.into_iter().collect(),
            strategy,
            stability,
            why: None,
        }
    }

    pub(crate) fn compound(&self) -> Compound {
        Compound::new(self.pieces.iter().cloned())
    }

    /// Combines both; the strategy is that of the weaker one.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let weaker = if self.stability <= other.stability {
            self
        } else {
            other
        };
        Self {
            pieces: self.pieces.iter().chain(&other.pieces).cloned().collect(),
            ..weaker.clone()
        }
    }

    /// Limits the stability for a reason.
    fn cap(mut self, why: Option<&'static str>, max: u8) -> Self {
        cap_stability((&mut self.stability, &mut self.why), why, max);
        self
    }

    /// Limits the stability of volatile words.
    fn cap_by_words(self, words: &str) -> Self {
        let max = self.stability.saturating_sub(VOLATILE_PENALTY);
        self.cap(why_volatile(words), max)
    }

    /// The selector for the feature.
    pub(crate) fn selector(&self, css: &Complex) -> Selector {
        Selector {
            how: SelectorForm::Css {
                chain: Vec::new(),
                css: css.to_string(),
            },
            strategy: self.strategy,
            stability: self.stability,
            matches: 1,
            why: self.why.map(str::to_owned),
        }
    }
}

/// All features except classes and position, in the order of strategies.
pub(crate) fn features(dom: &Dom, index: &Index<'_>, id: ElementId) -> Vec<Feature> {
    let element = dom.element(id);
    let tag = || SimpleSelector::Tag(tag_in_css(dom, id));
    let mut found = Vec::new();
    found.extend(by_id(dom, index, id));
    for (name, value) in &element.attributes {
        let value: &str = value;
        if value.trim().is_empty() || value.chars().count() > MAX_VALUE {
            continue;
        }
        let bare = |strategy, stability| {
            let piece = SimpleSelector::Attribute(name.to_string(), value.to_owned());
            Feature::new([piece], strategy, stability)
        };
        let tagged = |strategy, stability| {
            let piece = SimpleSelector::Attribute(name.to_string(), value.to_owned());
            Feature::new([tag(), piece], strategy, stability)
        };
        match &**name {
            name if is_test_id(name) => {
                found.push(bare(Strategy::TestId, 90).cap(why_generated(value), GENERATED));
            }
            "aria-label" => found.push(bare(Strategy::Label, 85).cap_by_words(value)),
            "title" => found.push(tagged(Strategy::Title, 84).cap_by_words(value)),
            "type" if matches!(&*element.tag, "input" | "button") => {
                found.push(tagged(Strategy::Type, 82));
            }
            "name" => {
                found.push(tagged(Strategy::Name, 80).cap(why_generated(value), GENERATED));
            }
            "for" if *element.tag == *"label" => {
                found.push(tagged(Strategy::Name, 78).cap(why_generated(value), GENERATED));
            }
            "href" | "action" => {
                found.extend(by_address(tagged(Strategy::Href, 78), name, value, tag()))
            }
            "alt" => found.push(tagged(Strategy::Alt, 76).cap_by_words(value)),
            "placeholder" => found.push(tagged(Strategy::Placeholder, 74).cap_by_words(value)),
            "value" if is_identified_by_value(element) => {
                found.push(tagged(Strategy::Value, 70).cap(why_generated(value), GENERATED));
            }
            "role" => found.push(bare(Strategy::Role, 52)),
            _ => {}
        }
    }
    if let (Some(role), Some(label)) = (element.attribute("role"), element.attribute("aria-label"))
        && !role.is_empty()
        && !label.trim().is_empty()
        && label.chars().count() <= MAX_VALUE
    {
        let pieces = [("role", role), ("aria-label", label)]
            .map(|(name, value)| SimpleSelector::Attribute(name.to_owned(), value.to_owned()));
        let both = Feature::new(pieces, Strategy::RoleLabel, 85).cap_by_words(label);
        // Adds nothing if the label is unique.
        let label = SimpleSelector::Attribute("aria-label".to_owned(), label.to_owned());
        if !index.is_unique(id, &Compound::new([label]).alone()) {
            found.push(both);
        }
    }
    found.extend(by_own_attributes(element));
    found
}

fn by_id(dom: &Dom, index: &Index<'_>, id: ElementId) -> Option<Feature> {
    let element = dom.element(id);
    let value = element.id();
    if value.trim().is_empty() || value.chars().count() > MAX_VALUE {
        return None;
    }
    let feature = Feature::new([SimpleSelector::Id(value.to_owned())], Strategy::Id, 95)
        .cap(why_generated(value), GENERATED);
    if feature.why.is_some() {
        return Some(feature);
    }
    if index.count_id(element.scope, value) > 1 {
        return Some(feature.cap(Some("several elements have this id"), GENERATED));
    }
    let series = stem(value).is_some_and(|stem| {
        let kin = index
            .with_attribute(element.scope, "id")
            .iter()
            .filter(|other| super::generated::stem(dom.element(**other).id()) == Some(stem));
        kin.take(MIN_SERIES).count() == MIN_SERIES
    });
    Some(feature.cap(
        series.then_some("is one of a numbered series"),
        SERIES_STABILITY,
    ))
}

/// Feature for an address. A volatile part is cut off.
fn by_address(whole: Feature, name: &str, value: &str, tag: SimpleSelector) -> Option<Feature> {
    let value_lower = value.trim().to_ascii_lowercase();
    if value_lower == "#"
        || value_lower.starts_with("javascript:")
        || value_lower.starts_with("data:")
    {
        return None;
    }
    let (path, rest) = value.split_at(value.find(['?', '#', ';']).unwrap_or(value.len()));
    let changes = |part: &str| why_generated(&part.replace([':', '/'], "-"));
    if let Some(why) = changes(path) {
        return Some(whole.cap(Some(why), 55));
    }
    if rest.len() > 1 && changes(rest).is_some() && path.len() > 1 {
        let cut = SimpleSelector::Prefix(
            name.to_owned(),
            format!("{path}{}", rest.get(..1).unwrap_or_default()),
        );
        let mut feature = Feature::new([tag, cut], Strategy::Href, 65);
        feature.why = Some("the rest of the address changes");
        return Some(feature);
    }
    Some(whole)
}

/// Custom attributes: `data-action="save"`.
fn by_own_attributes(element: &Element) -> Vec<Feature> {
    let custom = element.attributes.iter().filter(|(name, value)| {
        let tool = [
            "data-v-",
            "data-react",
            "data-ng",
            "data-emotion",
            "data-radix",
            "data-headlessui",
            "data-state",
            "data-index",
            "data-orientation",
        ];
        name.starts_with("data-")
            && !is_test_id(name)
            && !tool.iter().any(|prefix| name.starts_with(prefix))
            && !value.trim().is_empty()
            && value.len() <= 48
            && !matches!(&**value, "true" | "false" | "null" | "undefined")
            && !value.contains(['{', '[', '<'])
            && why_volatile(value).is_none()
            && why_generated(value).is_none()
    });
    custom
        .take(MAX_CUSTOM_ATTRIBUTES)
        .map(|(name, value)| {
            let piece = SimpleSelector::Attribute(name.to_string(), value.to_string());
            Feature::new([piece], Strategy::Data, 70)
        })
        .collect()
}

/// Whether the attribute is a test id.
pub(crate) fn is_test_id(name: &str) -> bool {
    const NAMES: &str = "data-aid data-auto-id data-automation data-automation-id data-automationid data-cy data-e2e data-hook \
        data-locator data-playwright data-pw data-qa data-qa-id data-selenium data-tid data-uia";
    name.starts_with("data-test") || NAMES.split_whitespace().any(|other| other == name)
}

/// Whether the value of a control identifies it.
fn is_identified_by_value(element: &Element) -> bool {
    match &*element.tag {
        "option" | "button" => true,
        "input" => element.attribute("type").is_some_and(|kind| {
            ["radio", "checkbox", "submit", "button", "reset"]
                .iter()
                .any(|other| kind.eq_ignore_ascii_case(other))
        }),
        _ => false,
    }
}

/// First stable classes of an element.
pub(crate) fn stable_classes(element: &Element) -> Vec<&str> {
    let mut classes: Vec<&str> = Vec::new();
    for class in element.classes() {
        if classes.len() < MAX_CLASSES && is_stable(class) && !classes.contains(&class) {
            classes.push(class);
        }
    }
    classes
}

/// SVG tags with capitals, which CSS requires.
const CAPITAL_TAGS: &str = "animateMotion animateTransform clipPath feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix \
    feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR \
    feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight \
    feTile feTurbulence foreignObject linearGradient radialGradient textPath";

/// The tag as CSS requires it.
pub(crate) fn tag_in_css(dom: &Dom, id: ElementId) -> String {
    let tag = &dom.element(id).tag;
    let drawing = || {
        dom.ancestors(id)
            .any(|around| *dom.element(around).tag == *"svg")
    };
    CAPITAL_TAGS
        .split_whitespace()
        .find(|name| name.eq_ignore_ascii_case(tag))
        .filter(|_| drawing())
        .map_or_else(|| tag.to_string(), str::to_owned)
}
