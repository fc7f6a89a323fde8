//! `read_console`: the console errors and failed requests of a web page.

use super::prelude::*;

params! {
    |_reader|
    /// Reads the last console errors and failed requests of a web page into `data.errors`, a JSON array of texts, the newest first.
    ///
    /// They are collected while the page is attached: between commands by the daemon or server. Texts are shortened, and URLs have
    /// no query.
    pub struct ReadConsole {}
}

impl ActionParams for ReadConsole {
    const FACTS: KindFacts = KindFacts {
        found,
        ..KindFacts::new("", "{}")
    };

    fn facts(&self) -> StepFacts<'_> {
        let requirement = Requirement::of_pages("type", "only web pages have a console");
        StepFacts {
            requirements: vec![requirement],
            ..StepFacts::default()
        }
    }
}

/// All errors, and how many there are.
fn found(data: &StepData) -> Option<ReturnedData<'_>> {
    Some(ReturnedData::List {
        short: data.get("count")?,
        json: data.get("errors")?,
        out_of_view: None,
    })
}
