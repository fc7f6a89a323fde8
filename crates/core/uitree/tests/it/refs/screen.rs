//! Renders the screens of the test's app.

use uitree::{NodeId, NodeSpec, Rect, Role, Size, State, TreeBuilder, UiTree};

use super::{
    ALL_PAGES, App, DAYS, Element, Entry, NAMES, NOTES, PER_DAY, Platform, ROWS_ON_SCREEN, TITLES,
};

/// A screen, and the app's element of each node.
pub(super) struct Screen {
    pub(super) tree: UiTree,
    pub(super) elements: Vec<Option<Element>>,
    /// The content of the rest of the screen, of the list, and of the header with the sidebar.
    looks: [String; 3],
}

pub(super) struct Renderer<'a> {
    app: &'a App,
    builder: TreeBuilder,
    elements: Vec<Option<Element>>,
    origins: Vec<u64>,
    looks: [String; 3],
    y: i32,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(app: &'a App) -> Self {
        Self {
            app,
            builder: TreeBuilder::new(Size::new(100, 1000), 0),
            elements: Vec::new(),
            origins: Vec::new(),
            looks: Default::default(),
            y: 0,
        }
    }

    /// Opens a landmark of the page.
    fn landmark(&mut self, kind: &str, node: u64) {
        self.open_with(
            NodeSpec {
                role: Some(Role::Container),
                attributes: vec![("landmark".into(), kind.into())],
                ..NodeSpec::default()
            },
            None,
            node,
        );
    }

    fn open(
        &mut self,
        role: Role,
        text: &str,
        label: &str,
        state: State,
        element: Option<Element>,
        node: u64,
    ) {
        let spec = NodeSpec {
            role: Some(role),
            text: text.into(),
            label: label.into(),
            state,
            ..NodeSpec::default()
        };
        self.open_with(spec, element, node);
    }

    fn open_with(&mut self, spec: NodeSpec, element: Option<Element>, node: u64) {
        let on_screen = State::ENABLED | State::VISIBLE;
        self.builder.open(NodeSpec {
            owner: "com.app".into(),
            bounds: Some(Rect::new(0, self.y, 100, self.y + 20)),
            state: spec.state | on_screen,
            ..spec
        });
        self.elements.push(element);
        let numbered = self.app.platform != Platform::Phone;
        self.origins.push(if numbered { node } else { 0 });
    }

    fn leaf(
        &mut self,
        role: Role,
        text: &str,
        label: &str,
        state: State,
        element: Option<Element>,
        node: u64,
    ) {
        self.open(role, text, label, state, element, node);
        self.builder.close();
    }

    /// The node of an entry: its own, or that of its place.
    fn node(&self, entry: &Entry, place: usize, part: u64) -> u64 {
        let node = match self.app.platform {
            Platform::Keyless => 1_000_000 + place as u64,
            Platform::Phone | Platform::Keyed => u64::from(entry.node),
        };
        node * 10 + part
    }

    pub(super) fn render(&mut self) {
        let app = self.app;
        let page = &app.pages[app.page];
        let fixed = 100 * (app.page as u64 + 1);
        let path = format!("/{}", TITLES[app.page].to_lowercase());
        let is_page = app.platform != Platform::Phone;
        let root = NodeSpec {
            role: Some(if is_page {
                Role::WebView
            } else {
                Role::Container
            }),
            attributes: vec![("path".into(), path.into())],
            ..NodeSpec::default()
        };
        self.open_with(root, None, 50);
        if is_page {
            self.frame();
            self.landmark("main", 70);
        } else {
            self.open(Role::Container, "", "", State::empty(), None, fixed);
        }
        self.y += 20;
        // A navigation inside of the content belongs to its page.
        if is_page {
            self.landmark("navigation", 71);
            let details = Some((app.page, "details", 0));
            self.leaf(Role::Tab, "Details", "", State::CLICKABLE, details, 72);
            self.builder.close();
        }
        // On a phone, the title of the first page is part of the content until the screen is scrolled.
        let selected = page.rows.iter().filter(|row| row.is_on).count();
        let (role, title) = match is_page {
            false if app.selects && selected > 0 => (Role::Title, format!("{selected} selected")),
            false if app.page == 0 && page.first == 0 => (Role::Text, TITLES[app.page].to_owned()),
            _ => (Role::Title, TITLES[app.page].to_owned()),
        };
        self.leaf(role, &title, "", State::empty(), None, fixed + 1);
        let acts = State::CLICKABLE;
        self.leaf(
            Role::Button,
            "",
            "Back",
            acts,
            Some((app.page, "back", 0)),
            fixed + 2,
        );
        self.leaf(
            Role::Button,
            "-",
            "",
            acts,
            Some((app.page, "less", 0)),
            fixed + 3,
        );
        self.leaf(
            Role::Text,
            &app.counter.to_string(),
            "",
            State::empty(),
            None,
            fixed + 4,
        );
        self.leaf(
            Role::Button,
            "+",
            "",
            acts,
            Some((app.page, "more", 0)),
            fixed + 5,
        );
        if app.has_banner {
            self.leaf(
                Role::Text,
                "You are offline",
                "",
                State::empty(),
                None,
                fixed + 6,
            );
        }
        self.day(fixed + 20);
        for (place, card) in page.cards.iter().enumerate() {
            self.y += 20;
            let node = |part| self.node(card, place + 100, part);
            let (text, button) = (node(1), node(2));
            self.leaf(Role::Text, NAMES[card.name], "", State::empty(), None, text);
            self.leaf(
                Role::Button,
                "Edit",
                "",
                acts,
                Some((app.page, "edit", self.of_day(card.number))),
                button,
            );
            self.looks[0].push_str(&format!("{} Edit\n", NAMES[card.name]));
        }
        self.looks[0].push_str(&format!("{} {} {}", app.page, app.has_banner, app.day));
        self.record(fixed);
        self.open(
            Role::List,
            "",
            "",
            match page.rows.len() > ROWS_ON_SCREEN {
                true => State::SCROLLABLE,
                false => State::empty(),
            },
            Some((app.page, "list", 0)),
            fixed + 7,
        );
        let last = (page.first + ROWS_ON_SCREEN).min(page.rows.len());
        self.looks[1].push_str(&format!("{} {}\n", app.page, app.day));
        for (place, row) in page.rows.iter().enumerate() {
            let is_seen = (page.first..last).contains(&place);
            if app.platform == Platform::Phone && !is_seen {
                continue;
            }
            self.y = match is_seen {
                true => 500 + 20 * (place - page.first) as i32,
                false => 2000 + 20 * place as i32,
            };
            let (name, note) = (NAMES[row.name], NOTES[row.note]);
            let number = self.of_day(row.number);
            let element = |part| Some((app.page, part, number));
            let node = |part| self.node(row, place, part);
            let nodes = [node(1), node(2), node(3), node(4), node(5)];
            let is_on = if row.is_on {
                State::CHECKED
            } else {
                State::empty()
            };
            self.open(Role::ListItem, "", "", acts, element("row"), nodes[0]);
            self.leaf(Role::Text, name, "", State::empty(), None, nodes[1]);
            self.leaf(Role::Text, note, "", State::empty(), None, nodes[2]);
            self.leaf(
                Role::Switch,
                "",
                "",
                State::CHECKABLE | acts | is_on,
                element("switch"),
                nodes[3],
            );
            self.leaf(Role::Icon, "", "", acts, element("icon"), nodes[4]);
            self.builder.close();
            self.looks[1].push_str(&format!("{name} {note}\n"));
        }
        self.builder.close();
        self.looks[2].push_str(&format!("{}\n", app.page));
        self.y = 900;
        self.leaf(
            Role::Button,
            "Save",
            "",
            acts,
            Some((app.page, "save", 0)),
            fixed + 8,
        );
        self.builder.close();
        self.builder.close();
    }

    /// The number of a card or a row of the day.
    fn of_day(&self, number: u32) -> u32 {
        number + self.app.day as u32 * PER_DAY
    }

    /// The day of the cards and rows, between arrows if the page recycles its nodes, else beside a button.
    fn day(&mut self, fixed: u64) {
        let (page, day) = (self.app.page, DAYS[self.app.day]);
        let button = |part| Some((page, part, 0));
        self.y += 20;
        if self.app.platform == Platform::Keyless {
            let first = button("previous");
            self.leaf(Role::Button, "‹", "", State::CLICKABLE, first, fixed);
        }
        self.leaf(Role::Text, day, "", State::empty(), None, fixed + 1);
        let name = match self.app.platform {
            Platform::Keyless => "›",
            Platform::Phone | Platform::Keyed => "Today",
        };
        let last = button("next");
        self.leaf(Role::Button, name, "", State::CLICKABLE, last, fixed + 2);
    }

    /// The buttons of a record below its name, and its status.
    fn record(&mut self, fixed: u64) {
        let app = self.app;
        let (record, plain) = (NAMES[app.record], State::empty());
        self.y += 20;
        self.leaf(Role::Text, record, "", plain, None, fixed + 9);
        for (at, name) in ["Open", "Share", "Print", "Trash"].into_iter().enumerate() {
            self.y += 20;
            let element = Some((app.page, name, app.record as u32));
            let node = fixed + 10 + at as u64;
            self.leaf(Role::Button, name, "", State::CLICKABLE, element, node);
        }
        self.y += 20;
        let status = format!("{} was here", NAMES[app.status]);
        self.leaf(Role::Text, &status, "", plain, None, fixed + 14);
    }

    /// The header, whose middle belongs to the page, and the sidebar.
    fn frame(&mut self) {
        let app = self.app;
        let acts = State::CLICKABLE;
        self.landmark("banner", 51);
        let common = |part| Some((ALL_PAGES, part, 0));
        self.leaf(Role::Button, "Menu", "", acts, common("menu"), 52);
        self.leaf(Role::Text, TITLES[app.page], "", State::empty(), None, 53);
        self.leaf(
            Role::Button,
            "Share",
            "",
            acts,
            Some((app.page, "share", 0)),
            54,
        );
        self.leaf(Role::Button, "Search", "", acts, common("search"), 55);
        self.leaf(Role::Button, "Help", "", acts, common("help"), 56);
        self.builder.close();
        self.landmark("complementary", 60);
        self.landmark("navigation", 61);
        for (place, folder) in app.folders.iter().enumerate() {
            self.y += 20;
            let name = NAMES[folder.name];
            let element = Some((ALL_PAGES, "folder", folder.number));
            self.leaf(
                Role::Link,
                name,
                "",
                acts,
                element,
                self.node(folder, place + 200, 1),
            );
            self.looks[2].push_str(&format!("{name}\n"));
        }
        self.builder.close();
        self.builder.close();
    }

    pub(super) fn finish(self) -> Screen {
        Screen {
            tree: self.builder.finish().with_origins(self.origins),
            elements: self.elements,
            looks: self.looks,
        }
    }
}

impl Screen {
    pub(super) fn element(&self, id: NodeId) -> Element {
        self.elements[id.index()].expect("only elements of the app have references")
    }

    /// What is around an element.
    pub(super) fn looks_around(&self, element: Element) -> &str {
        let place = match element.1 {
            "row" | "switch" | "icon" => 1,
            "folder" | "menu" | "share" | "search" | "help" => 2,
            _ => 0,
        };
        &self.looks[place]
    }
}
