//! References keep their meaning: on every later screen a reference is the same element of the app, or stale.
//!
//! `PROPTEST_CASES=100000 cargo test --release -p uitree --test it refs` runs millions of steps.

mod screen;

use std::collections::BTreeMap;

use proptest::prelude::*;
use uitree::{NodeId, RefTable, ResolvedRef};

use screen::{Renderer, Screen};

/// An element of the app, whatever it looks like.
type Element = (usize, &'static str, u32);

#[derive(Clone, Debug)]
struct Entry {
    number: u32,
    name: usize,
    note: usize,
    is_on: bool,
    /// The node of the document, on a page.
    node: u32,
}

/// One page of an app: a toolbar, a counter, cards without a list around them, and a list.
#[derive(Clone, Debug, Default)]
struct Page {
    rows: Vec<Entry>,
    cards: Vec<Entry>,
    /// The first row that is on the screen.
    first: usize,
    /// What was removed.
    removed: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Platform {
    /// A phone, whose tree has only the rows on the screen.
    Phone,
    /// A page whose nodes follow its elements.
    Keyed,
    /// A page that recycles its nodes for other elements.
    Keyless,
}

#[derive(Clone, Debug)]
struct App {
    platform: Platform,
    pages: Vec<Page>,
    page: usize,
    /// The entries of the sidebar, which all pages have in common.
    folders: Vec<Entry>,
    removed_folders: Vec<Entry>,
    counter: u32,
    next: u32,
    has_banner: bool,
    /// The day whose cards and rows are on the pages.
    day: usize,
    /// The name of the record whose buttons are on the page, and its status.
    record: usize,
    status: usize,
    /// Whether the title of a phone's screen is the number of the rows that are on.
    selects: bool,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(usize, usize, usize),
    Remove(usize),
    Swap(usize, usize),
    Rename(usize, usize),
    /// The second text of a row changes.
    Note(usize, usize),
    Toggle(usize),
    /// A row that is on the screen is selected, or no longer.
    Select(usize),
    EndSelection,
    Scroll(i32),
    InsertCard(usize, usize),
    RemoveCard(usize),
    Count,
    Banner,
    /// The same cards and rows are those of another day.
    Day(usize),
    /// The buttons are those of another record.
    Record(usize),
    Status(usize),
    /// All nodes of the page are replaced, as on a rerender.
    Render,
    InsertFolder(usize, usize),
    RemoveFolder(usize),
    /// The nodes of the sidebar's entries are replaced, but not the sidebar itself.
    RenderFolders,
    Open(usize),
    /// The screen is read, and gives references.
    Read,
}

const NAMES: [&str; 8] = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hal"];
const NOTES: [&str; 4] = ["due", "paid", "10:32", ""];
/// The page of an element that all pages have in common.
const ALL_PAGES: usize = usize::MAX;
const DAYS: [&str; 3] = ["Monday", "Tuesday", "Friday"];
/// More than the number of any entry.
const PER_DAY: u32 = 100_000;
const TITLES: [&str; 2] = ["Invoices", "Customers"];
/// The note of a card, which has none.
const CARD: usize = usize::MAX;
/// The note of a folder, which has none either.
const FOLDER: usize = usize::MAX - 1;
const ROWS_ON_SCREEN: usize = 5;

fn any_step() -> impl Strategy<Value = Step> {
    let at = 0..12_usize;
    let name = 0..NAMES.len();
    prop_oneof![
        2 => name.clone().prop_map(Step::Record),
        2 => name.clone().prop_map(Step::Status),
        2 => (at.clone(), name.clone(), 0..NOTES.len()).prop_map(|(at, name, note)| Step::Insert(at, name, note)),
        2 => at.clone().prop_map(Step::Remove),
        1 => (at.clone(), at.clone()).prop_map(|(one, other)| Step::Swap(one, other)),
        1 => (at.clone(), name.clone()).prop_map(|(at, name)| Step::Rename(at, name)),
        2 => (at.clone(), 0..NOTES.len()).prop_map(|(at, note)| Step::Note(at, note)),
        1 => at.clone().prop_map(Step::Toggle),
        1 => at.clone().prop_map(Step::Select),
        1 => Just(Step::EndSelection),
        3 => (-4..=4_i32).prop_map(Step::Scroll),
        1 => (at.clone(), name).prop_map(|(at, name)| Step::InsertCard(at, name)),
        1 => at.clone().prop_map(Step::RemoveCard),
        1 => (at.clone(), 0..NAMES.len()).prop_map(|(at, name)| Step::InsertFolder(at, name)),
        1 => at.prop_map(Step::RemoveFolder),
        1 => Just(Step::RenderFolders),
        1 => Just(Step::Count),
        1 => Just(Step::Banner),
        1 => (0..DAYS.len()).prop_map(Step::Day),
        1 => Just(Step::Render),
        3 => (0..TITLES.len()).prop_map(Step::Open),
        5 => Just(Step::Read),
    ]
}

fn any_app() -> impl Strategy<Value = App> {
    let platform = prop_oneof![
        Just(Platform::Phone),
        Just(Platform::Keyed),
        Just(Platform::Keyless),
    ];
    let entries = |most| prop::collection::vec((0..NAMES.len(), 0..NOTES.len()), 0..most);
    let page = (entries(10), entries(4));
    let folders = prop::collection::vec(0..NAMES.len(), 0..6);
    let pages = prop::collection::vec(page, TITLES.len());
    (platform, pages, folders).prop_map(|(platform, pages, folders)| {
        let mut app = App {
            folders: Vec::new(),
            removed_folders: Vec::new(),
            platform,
            pages: vec![Page::default(); pages.len()],
            page: 0,
            counter: 1,
            next: 1,
            has_banner: false,
            day: 0,
            record: 0,
            status: 0,
            selects: false,
        };
        for (at, (rows, cards)) in pages.into_iter().enumerate() {
            for (name, note) in rows {
                let row = app.entry(name, note);
                app.pages[at].rows.push(row);
            }
            for (name, _) in cards {
                let card = app.entry(name, CARD);
                app.pages[at].cards.push(card);
            }
        }
        for name in folders {
            let folder = app.entry(name, FOLDER);
            app.folders.push(folder);
        }
        app
    })
}

impl App {
    fn entry(&mut self, name: usize, note: usize) -> Entry {
        self.next += 1;
        Entry {
            number: self.next,
            name,
            note,
            is_on: false,
            node: self.next,
        }
    }

    /// Whether the old element is gone, and the new one, with the same content, was made after the entry `last`. The second text
    /// of a row may differ: no screen shows whether it has changed or was made so.
    fn is_recreated(&self, old: Element, new: Element, last: u32) -> bool {
        let page = &self.pages[self.page];
        let mut entries = page.rows.iter().chain(&page.cards).chain(&self.folders);
        let number = |element: Element| element.2 % PER_DAY;
        let new_entry = entries.find(|entry| entry.number == number(new));
        let same = |old: &Entry| {
            let is_row = |entry: &Entry| entry.note < NOTES.len();
            new_entry.is_some_and(|new| {
                new.name == old.name && (new.note == old.note || is_row(new) && is_row(old))
            })
        };
        let mut removed = page.removed.iter().chain(&self.removed_folders);
        let is_gone = removed.any(|entry| entry.number == number(old) && same(entry));
        let is_same_day = old.2 / PER_DAY == new.2 / PER_DAY;
        (old.0, old.1) == (new.0, new.1) && is_same_day && is_gone && number(new) > last
    }

    fn step(&mut self, step: Step) {
        let place = |len: usize, at: usize| (len > 0).then(|| at % len.max(1));
        match step {
            Step::Insert(at, name, note) => {
                let row = self.entry(name, note);
                let rows = &mut self.pages[self.page].rows;
                rows.insert(at.min(rows.len()), row);
            }
            Step::InsertCard(at, name) => {
                let card = self.entry(name, CARD);
                let cards = &mut self.pages[self.page].cards;
                cards.insert(at.min(cards.len()), card);
            }
            Step::Remove(at) => {
                let rows = &mut self.pages[self.page].rows;
                let removed = place(rows.len(), at).map(|at| rows.remove(at));
                self.pages[self.page].removed.extend(removed);
            }
            Step::RemoveCard(at) => {
                let cards = &mut self.pages[self.page].cards;
                let removed = place(cards.len(), at).map(|at| cards.remove(at));
                self.pages[self.page].removed.extend(removed);
            }
            Step::Swap(one, other) => {
                let rows = &mut self.pages[self.page].rows;
                if let (Some(one), Some(other)) = (place(rows.len(), one), place(rows.len(), other))
                {
                    rows.swap(one, other);
                }
            }
            Step::Rename(at, name) => {
                let rows = &mut self.pages[self.page].rows;
                if let Some(at) = place(rows.len(), at) {
                    rows[at].name = name;
                }
            }
            Step::Note(at, note) => {
                let rows = &mut self.pages[self.page].rows;
                if let Some(at) = place(rows.len(), at) {
                    rows[at].note = note;
                }
            }
            Step::Toggle(at) => {
                let rows = &mut self.pages[self.page].rows;
                if let Some(at) = place(rows.len(), at) {
                    rows[at].is_on = !rows[at].is_on;
                }
            }
            Step::Select(at) => {
                let page = &mut self.pages[self.page];
                if !self.selects {
                    page.rows.iter_mut().for_each(|row| row.is_on = false);
                }
                self.selects = true;
                let mut seen = page.rows.iter_mut().skip(page.first).take(ROWS_ON_SCREEN);
                if let Some(row) = seen.nth(at % ROWS_ON_SCREEN) {
                    row.is_on = !row.is_on;
                }
            }
            Step::EndSelection => self.selects = false,
            Step::Scroll(by) => {
                let page = &mut self.pages[self.page];
                let to = page.first as i32 + by;
                page.first = to.max(0) as usize;
            }
            Step::Count => self.counter += 1,
            Step::Record(name) => self.record = name,
            Step::Status(name) => self.status = name,
            Step::Banner => self.has_banner = !self.has_banner,
            Step::Day(day) => {
                let is_another = day != self.day;
                self.day = day;
                if is_another {
                    self.step(Step::Render);
                }
            }
            Step::Render => {
                let mut next = self.next;
                for page in &mut self.pages {
                    for entry in page.rows.iter_mut().chain(&mut page.cards) {
                        next += 1;
                        entry.node = next;
                    }
                }
                self.next = next + 1;
            }
            Step::InsertFolder(at, name) => {
                let folder = self.entry(name, FOLDER);
                self.folders.insert(at.min(self.folders.len()), folder);
            }
            Step::RemoveFolder(at) => {
                let folders = &mut self.folders;
                let removed = place(folders.len(), at).map(|at| folders.remove(at));
                self.removed_folders.extend(removed);
            }
            Step::RenderFolders => {
                for folder in &mut self.folders {
                    self.next += 1;
                    folder.node = self.next;
                }
                self.next += 1;
            }
            Step::Open(page) => {
                self.selects = false;
                self.page = page;
            }
            Step::Read => {}
        }
        let page = &mut self.pages[self.page];
        let last = page.rows.len().saturating_sub(ROWS_ON_SCREEN);
        page.first = page.first.min(last);
    }

    fn screen(&self) -> Screen {
        let mut page = Renderer::new(self);
        page.render();
        page.finish()
    }
}

/// Counts of what references were.
#[derive(Debug, Default)]
struct Counts {
    held: u64,
    stale: u64,
    /// Stale although the element is on the screen.
    lost: u64,
}

/// Runs the steps and checks every reference after each.
fn run(mut app: App, steps: &[Step], counts: &mut Counts) -> Result<(), TestCaseError> {
    let mut table = RefTable::default();
    // The element of each reference, and what was around it and the last entry when it was given.
    let mut given: BTreeMap<String, (Element, String, u32)> = BTreeMap::new();
    let mut last = 0;
    for step in std::iter::once(&Step::Read).chain(steps) {
        if let Step::Select(_) = step {
            let screen = app.screen();
            let is_row = |id: &NodeId| matches!(screen.elements[id.index()], Some((_, "row", _)));
            if let Some(row) = screen.tree.ids().find(is_row) {
                table.note_press(&screen.tree, row);
            }
        }
        app.step(*step);
        let screen = app.screen();
        for (reference, (element, looks, last)) in &mut given {
            match table.resolve(reference, &screen.tree) {
                ResolvedRef::Found(id) => {
                    let found = screen.element(id);
                    let is_the_same_sight = looks == screen.looks_around(found);
                    prop_assert!(
                        found == *element
                            || is_the_same_sight
                            || app.is_recreated(*element, found, *last),
                        "{reference} was {element:?} and is {found:?} after {step:?}\n{:?}",
                        screen.tree
                    );
                    *element = found;
                    counts.held += 1;
                }
                ResolvedRef::Stale { .. } => {
                    counts.stale += 1;
                    let is_there = screen.elements.contains(&Some(*element));
                    counts.lost += u64::from(is_there);
                }
                ResolvedRef::Unknown => prop_assert!(false, "{reference} is forgotten"),
            }
        }
        if !matches!(step, Step::Read) {
            continue;
        }
        let refs = table.assign(&screen.tree);
        let before = last;
        for id in screen.tree.ids() {
            let Some(reference) = refs.get(id) else {
                continue;
            };
            let element = screen.element(id);
            let looks = screen.looks_around(element).to_owned();
            let number: u32 = reference[1..].parse().unwrap();
            last = last.max(number);
            if let Some((known, then, last)) = given.get(&reference) {
                prop_assert!(
                    *known == element || *then == looks || app.is_recreated(*known, element, *last),
                    "{reference} was given to {known:?} and to {element:?}"
                );
            } else {
                prop_assert!(number > before, "{reference} is used again");
            }
            given.insert(reference, (element, looks, app.next));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn reference_is_the_same_element_or_stale(
        app in any_app(),
        steps in prop::collection::vec(any_step(), 1..30),
    ) {
        run(app, &steps, &mut Counts::default())?;
    }
}

#[test]
fn most_references_hold_while_their_element_is_there() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut counts = Counts::default();
    for _ in 0..ProptestConfig::default().cases {
        let app = any_app().new_tree(&mut runner).unwrap().current();
        let steps = prop::collection::vec(any_step(), 20)
            .new_tree(&mut runner)
            .unwrap()
            .current();
        run(app, &steps, &mut counts).unwrap();
    }
    println!("{counts:?}");
    assert!(counts.held > 2 * counts.lost, "{counts:?}");
}
