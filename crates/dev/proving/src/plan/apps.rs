//! The built-in apps of the phone and their links.

use std::sync::OnceLock;

use driver_sim::built_in_apps;

use super::{Planner, samples};

#[derive(Debug)]
pub(super) struct Apps {
    pub(super) packages: Vec<&'static str>,
    /// URI patterns, such as `shop://item/{id}`.
    links: Vec<String>,
}

/// The built-in apps, loaded once.
pub(super) fn built_in() -> &'static Apps {
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
    /// A package name, sometimes of an app that is not installed.
    pub(super) fn package(&mut self) -> &'static str {
        if self.chance(5) {
            return samples::MISSING_PACKAGE;
        }
        self.pick(&built_in().packages)
    }

    /// A URI that an app handles, or sometimes one that no app handles.
    pub(super) fn uri(&mut self) -> String {
        let links = &built_in().links;
        if links.is_empty() || self.chance(12) {
            return self.pick(&samples::URIS).to_owned();
        }
        let index = self.below(links.len() as u64) as usize;
        let pattern = links.get(index).map_or("", String::as_str);
        let mut uri = String::new();
        let mut rest = pattern;
        while let Some((fixed, more)) = rest.split_once('{') {
            uri += fixed;
            uri += &match self.below(4) {
                0 => self.pick(&samples::LINK_VALUES).to_owned(),
                _ => (self.below(24)).to_string(),
            };
            rest = more.split_once('}').map_or("", |(_, after)| after);
        }
        uri + rest
    }
}
