//! The apps that are part of the phone and the uris that lead into them, as the phone's own catalog tells them.

use std::sync::OnceLock;

use driver_sim::built_in_apps;

use super::{Planner, words};

/// What the catalog has.
#[derive(Debug)]
pub(super) struct Apps {
    /// The packages of all apps.
    pub(super) packages: Vec<&'static str>,
    /// The patterns of their uris, such as `shop://item/{id}`.
    links: Vec<String>,
}

/// The apps of every phone; their files are read once.
pub(super) fn all() -> &'static Apps {
    static APPS: OnceLock<Apps> = OnceLock::new();
    APPS.get_or_init(|| {
        let (mut packages, mut links) = (Vec::new(), Vec::new());
        for app in built_in_apps() {
            packages.push(app.package);
            links.extend(app.links);
        }
        Apps { packages, links }
    })
}

impl Planner {
    /// A package, now and then one that is not installed.
    pub(super) fn package(&mut self) -> &'static str {
        if self.chance(5) {
            return words::NO_APP;
        }
        self.pick(&all().packages)
    }

    /// A uri that leads into some app, or now and then into none.
    pub(super) fn uri(&mut self) -> String {
        let links = &all().links;
        if links.is_empty() || self.chance(12) {
            return self.pick(&words::URIS).to_owned();
        }
        let place = self.below(links.len() as u64) as usize;
        let pattern = links.get(place).map_or("", String::as_str);
        let mut uri = String::new();
        let mut rest = pattern;
        while let Some((fixed, more)) = rest.split_once('{') {
            uri += fixed;
            uri += &match self.below(4) {
                0 => self.pick(&words::FILLINGS).to_owned(),
                _ => (self.below(24)).to_string(),
            };
            rest = more.split_once('}').map_or("", |(_, behind)| behind);
        }
        uri + rest
    }
}
