//! The built-in app Forms: every page opens, every control gives its value to a finger and to accessibility alike, and
//! the registration knows its rules.

use std::time::Duration;

use driver::{Key, NodeAct, NodeRef};
use driver_sim::{Phone, SimOptions, Start};
use uitree::{Node, Point, State};

use crate::world::bounds;

/// Who works the controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    Finger,
    Accessibility,
}

const HANDS: [Hand; 2] = [Hand::Finger, Hand::Accessibility];

/// The pages, by the last part of their links, each with its title.
const PAGES: [(&str, &str); 18] = [
    ("start", "Forms"),
    ("text", "Text fields"),
    ("choices", "Choices"),
    ("pickers", "Pickers and sliders"),
    ("buttons", "Buttons and chips"),
    ("lists", "Lists and grids"),
    ("tabs", "Tabs and pager"),
    ("navigation", "Navigation"),
    ("dialogs", "Dialogs, sheets and menus"),
    ("web", "Web page"),
    ("canvas", "Canvas"),
    ("motion", "Motion"),
    ("toolkits", "Toolkits"),
    ("compose", "Jetpack Compose"),
    ("flutter", "Flutter"),
    ("react", "React Native"),
    ("registration", "Create your account"),
    ("summary", "Your account"),
];

struct Forms {
    phone: Phone,
    hand: Hand,
}

impl Forms {
    fn page(name: &str, hand: Hand) -> Self {
        let options = SimOptions {
            start: Start::Uri(format!("forms://{name}")),
            ..SimOptions::default()
        };
        let phone = Phone::start(&options).unwrap_or_else(|error| panic!("{error}"));
        Self { phone, hand }
    }

    fn tree(&mut self) -> String {
        let seen = self.phone.observe().expect("the screen is on");
        seen.tree.to_compact()
    }

    /// The first node that is called so by its text, its description or the end of its id.
    fn look(&mut self, name: &str) -> Option<(NodeRef, Node)> {
        let seen = self.phone.observe().expect("the screen is on");
        let end = format!("/{name}");
        let id = seen.tree.ids().find(|id| {
            let node = seen.tree.node(*id);
            let called = &*node.text == name
                || &*node.label == name
                || node.id.ends_with(&end)
                || &*node.id == name;
            called && node.is(State::VISIBLE)
        })?;
        Some((seen.node_ref(id), seen.tree.node(id).clone()))
    }

    /// What takes the clicks of a node: itself, or what is nearest around it.
    fn taker(&mut self, node: NodeRef, act: &NodeAct) -> NodeRef {
        let seen = self.phone.observe().expect("the screen is on");
        let takes = match act {
            NodeAct::LongClick => State::LONG_CLICKABLE,
            _ => State::CLICKABLE,
        };
        let mut at = seen.tree.ids().find(|id| seen.node_ref(*id) == node);
        while let Some(id) = at {
            if seen.tree.node(id).is(takes) {
                return seen.node_ref(id);
            }
            at = seen.tree.node(id).parent;
        }
        node
    }

    fn act(&mut self, name: &str, node: NodeRef, act: &NodeAct) {
        let taker = self.taker(node, act);
        self.phone
            .act(taker, act)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// The same, with the content moved up until it is there.
    fn find(&mut self, name: &str) -> (NodeRef, Node) {
        for _ in 0..8 {
            if let Some(found) = self.look(name) {
                return found;
            }
            self.pull(-500);
        }
        panic!("nothing is called {name}:\n{}", self.tree());
    }

    /// A finger that moves the content and rests before it leaves.
    fn pull(&mut self, by: i32) {
        self.drag(Point::new(1040, 1200), by);
    }

    /// The same, from another place.
    fn drag(&mut self, from: Point, by: i32) {
        let to = Point::new(from.x, from.y + by);
        self.phone.touch_down(from);
        for part in 1..=5 {
            self.pass(20);
            self.phone
                .touch_move(Point::new(from.x, from.y + by * part / 5));
        }
        self.pass(300);
        self.phone.touch_up(to);
        self.pass(50);
    }

    fn pass(&mut self, millis: u64) {
        let to = self.phone.now() + Duration::from_millis(millis);
        self.phone.advance_to(to);
    }

    fn press(&mut self, name: &str) {
        let (node, found) = self.find(name);
        match self.hand {
            Hand::Finger => self.phone.tap(bounds(&found).center()),
            Hand::Accessibility => self.act(name, node, &NodeAct::Click),
        }
    }

    fn hold(&mut self, name: &str) {
        let (node, found) = self.find(name);
        match self.hand {
            Hand::Finger => {
                let at = bounds(&found).center();
                self.phone.touch_down(at);
                self.pass(500);
                self.phone.touch_up(at);
            }
            Hand::Accessibility => self.act(name, node, &NodeAct::LongClick),
        }
    }

    fn write(&mut self, field: &str, text: &str) {
        let (node, found) = self.find(field);
        match self.hand {
            Hand::Finger => {
                self.phone.tap(bounds(&found).center());
                self.phone.type_text(text);
                // The keyboard goes, the page stays.
                self.phone.press_key(Key::Back);
            }
            Hand::Accessibility => {
                self.phone
                    .act(node, &NodeAct::SetText(text.to_owned()))
                    .unwrap_or_else(|error| panic!("{field}: {error}"));
            }
        }
    }

    fn text(&mut self, id: &str) -> String {
        self.find(id).1.text.to_string()
    }

    /// Presses these one after the other, each time with the value that stands there afterwards.
    fn presses(&mut self, id: &str, steps: &[(&str, &str)]) {
        for (name, value) in steps {
            self.press(name);
            assert_eq!(
                self.text(id),
                format!("value: {value}"),
                "{name} by {:?}",
                self.hand
            );
        }
    }
}

#[test]
fn every_page_opens_by_its_link_and_from_the_list() {
    for (link, title) in PAGES {
        let mut forms = Forms::page(link, Hand::Finger);
        assert!(
            forms.look(title).is_some(),
            "forms://{link}: {}",
            forms.tree()
        );
    }
    for (_, title) in &PAGES[1..13] {
        let mut forms = Forms::page("start", Hand::Finger);
        forms.press(title);
        assert!(forms.look("Forms").is_none(), "{title}");
        assert!(forms.look(title).is_some(), "{}", forms.tree());
        forms.phone.press_key(Key::Back);
        assert!(forms.look("pages").is_some(), "{}", forms.tree());
    }
}

#[test]
fn text_fields_give_what_was_written() {
    for hand in HANDS {
        let mut forms = Forms::page("text", hand);
        for (field, text, value) in [
            ("full_name", "Robin Oak", "Robin Oak"),
            ("email", "robin@example.com", "robin@example.com"),
            ("secret", "swordfish", "9 characters"),
            ("amount", "12.50", "12.50"),
            ("motto", "Slow and steady", "Slow and steady"),
            ("notes", "Water the fig", "Water the fig"),
        ] {
            forms.write(field, text);
            assert_eq!(
                forms.text(&format!("{field}_value")),
                format!("value: {value}"),
                "{hand:?}"
            );
        }
        forms.write("search", "pears");
        assert_eq!(
            forms.text("query_value"),
            "value: pears, searched for: ",
            "{hand:?}"
        );
        let (search, _) = forms.find("search");
        forms.phone.act(search, &NodeAct::Submit).unwrap();
        assert_eq!(
            forms.text("query_value"),
            "value: pears, searched for: pears"
        );
        let (_, locked) = forms.find("locked");
        assert!(!locked.is(State::ENABLED));
        let (fixed, _) = forms.find("fixed");
        let refused = forms
            .phone
            .act(fixed, &NodeAct::SetText("other".to_owned()));
        assert!(refused.is_err(), "a field that is read only takes no text");
        assert_eq!(
            forms.text("fixed_value"),
            "value: Written when the app was made"
        );
    }
}

#[test]
fn invalid_address_is_marked_at_its_field() {
    let mut forms = Forms::page("text", Hand::Finger);
    assert!(forms.look("This is no email address").is_none());
    forms.write("email", "robin");
    assert!(forms.look("This is no email address").is_some());
    forms.press("Clear text");
    assert_eq!(forms.text("email_value"), "value: ");
    assert!(forms.look("This is no email address").is_none());
}

#[test]
fn choices_are_made_by_either_hand() {
    for hand in HANDS {
        let mut forms = Forms::page("choices", hand);
        forms.presses(
            "wifi_only_value",
            &[("wifi_only", "false"), ("wifi_only", "true")],
        );
        forms.press("reminders");
        forms.press("Not now");
        assert_eq!(forms.text("reminders_value"), "value: false");
        forms.press("reminders");
        forms.press("Turn on");
        assert_eq!(forms.text("reminders_value"), "value: true");
        forms.presses("reminders_value", &[("reminders", "false")]);
        let extras = "extras_value";
        forms.presses(
            extras,
            &[
                ("milk", "milk true, sugar true, lemon false"),
                ("everything", "milk true, sugar true, lemon true"),
                ("everything", "milk false, sugar false, lemon false"),
                ("lemon", "milk false, sugar false, lemon true"),
            ],
        );
        forms.presses("size_value", &[("large", "Large"), ("small", "Small")]);
        assert!(forms.find("small").1.is(State::CHECKED));
        assert!(!forms.find("large").1.is(State::CHECKED));
        forms.presses("seat_value", &[("Aisle", "Aisle")]);
        forms.presses("backup_value", &[("Back up photos", "false")]);
    }
}

#[test]
fn pickers_give_numbers() {
    for hand in HANDS {
        let mut forms = Forms::page("pickers", hand);
        forms.presses(
            "guests_value",
            &[("Increase", "3"), ("Increase", "4"), ("Decrease", "3")],
        );
        for (entry, value) in [("Hot chocolate", "Chocolate"), ("Coffee", "Coffee")] {
            forms.press("drink");
            forms.press(entry);
            assert_eq!(
                forms.text("drink_value"),
                format!("value: {value}"),
                "{hand:?}"
            );
        }
    }
    let mut forms = Forms::page("pickers", Hand::Finger);
    let at = |forms: &mut Forms, name: &str, share: i32| {
        if forms.look(name).is_none() {
            forms.pull(900);
        }
        let place = bounds(&forms.find(name).1);
        let x = place.left + (place.right - place.left - 1) * share / 100;
        forms.phone.tap(Point::new(x, place.center().y));
    };
    for (share, value, level) in [(0, "0", "0"), (100, "100", "6"), (50, "50", "3")] {
        at(&mut forms, "volume", share);
        assert_eq!(forms.text("volume_value"), format!("value: {value}"));
        assert_eq!(forms.text("bar_value"), format!("value: {value} of 100"));
        at(&mut forms, "level", share);
        assert_eq!(forms.text("level_value"), format!("value: {level}"));
    }
}

#[test]
fn buttons_and_chips_say_that_they_were_pressed() {
    for hand in HANDS {
        let mut forms = Forms::page("buttons", hand);
        forms.presses(
            "pressed_value",
            &[
                ("filled", "Filled"),
                ("tonal", "Tonal"),
                ("outlined", "Outlined"),
                ("plain", "Plain"),
                ("iconed", "Send"),
                ("held", "a short press"),
                ("Like", "Like"),
                ("fab", "the floating one"),
            ],
        );
        forms.hold("held");
        assert_eq!(forms.text("pressed_value"), "value: a long press");
        assert!(!forms.find("disabled").1.is(State::ENABLED));
        forms.presses(
            "pinned_value",
            &[("Pin", "pinned true"), ("Unpin", "pinned false")],
        );
        forms.presses(
            "filter_value",
            &[
                ("Nearby", "nearby true, open now true"),
                ("Open now", "nearby true, open now false"),
            ],
        );
        forms.presses(
            "sort_value",
            &[("Price", "Price"), ("Newest first", "Newest")],
        );
    }
}

#[test]
fn lists_give_their_rows_and_take_new_ones() {
    for hand in HANDS {
        let mut forms = Forms::page("lists", hand);
        let value = |picked: &str| format!("value: {picked}");
        for (name, picked) in [("Apricot", "Apricot"), ("Cherry", "Cherry")] {
            forms.press(name);
            assert_eq!(forms.text("picked_value"), value(picked), "{hand:?}");
        }
        forms.hold("Apple");
        forms.press("Peel");
        assert_eq!(forms.text("picked_value"), value("peeled"));
        forms.press("Mountain");
        assert_eq!(forms.text("picked_value"), value("Mountain of the grid"));
        forms.press("Beach");
        assert_eq!(forms.text("picked_value"), value("Beach of the strip"));
        forms.press("Tasks of one's own");
        forms.write("next_task", "Water the fig");
        forms.press("add_task");
        assert!(forms.look("1 tasks").is_some(), "{}", forms.tree());
        forms.press("Remove Water the fig");
        assert!(forms.look("Nothing to do").is_some(), "{}", forms.tree());
    }
}

#[test]
fn pages_are_changed_by_tabs_bars_drawers_and_menus() {
    for hand in HANDS {
        let mut forms = Forms::page("tabs", hand);
        forms.presses("tab_value", &[("Far away", "Travel")]);
        assert!(
            forms
                .look("The last page: it cannot be pulled any further.")
                .is_some()
        );
        let mut forms = Forms::page("navigation", hand);
        forms.presses("place_value", &[("Sent", "Sent"), ("Archive", "Archive")]);
        forms.press("open_drawer");
        forms.pass(400);
        assert!(forms.look("Mailboxes").is_some(), "{}", forms.tree());
        forms.press("Back to Forms");
        let mut forms = Forms::page("navigation", hand);
        forms.press("More options");
        forms.press("Sent");
        assert_eq!(forms.text("place_value"), "value: Sent");
    }
}

#[test]
fn every_window_gives_its_answer() {
    for hand in HANDS {
        for (row, answers) in [
            (
                "Alert",
                &[("Delete", "deleted"), ("Cancel", "cancelled")][..],
            ),
            (
                "Three answers",
                &[
                    ("Save", "saved"),
                    ("Discard", "discarded"),
                    ("Stay", "stayed"),
                ],
            ),
            ("One of several", &[("Birds", "Birds"), ("Waves", "Waves")]),
            ("That must be answered", &[("Agree", "agreed")]),
            ("Plain window", &[("Take it", "taken")]),
            ("Sheet", &[("Mail", "mail"), ("Copy link", "copied")]),
            ("Full screen", &[("Close", "closed")]),
            ("Banner", &[("Update", "updated"), ("Later", "later")]),
            ("Menu", &[("Share", "shared"), ("Duplicate", "duplicated")]),
            ("Message with a button", &[("snackbar_action", "undone")]),
            (
                "Permission",
                &[
                    ("Don’t allow", "camera denied"),
                    ("While using the app", "camera granted"),
                ],
            ),
        ] {
            let mut forms = Forms::page("dialogs", hand);
            for (button, answer) in answers {
                forms.press(row);
                forms.press(button);
                forms.pull(900);
                assert_eq!(
                    forms.text("answer_value"),
                    format!("value: {answer}"),
                    "{row}, {hand:?}"
                );
            }
        }
        let mut forms = Forms::page("dialogs", hand);
        forms.press("With a field");
        forms.write("new_name", "Autumn");
        forms.press("Rename");
        assert_eq!(forms.text("answer_value"), "value: renamed");
        forms.press("That must be answered");
        forms.phone.press_key(Key::Back);
        assert!(forms.look("Agree").is_some(), "back does not close it");
    }
}

#[test]
fn pages_canvases_and_what_moves_can_be_worked() {
    for hand in HANDS {
        let mut forms = Forms::page("web", hand);
        forms.presses("web_value", &[("Read the programme", "programme")]);
        forms.write("q", "lupin");
        forms.presses("web_value", &[("Search", "searched for lupin")]);
        let mut forms = Forms::page("canvas", hand);
        forms.presses(
            "spot_value",
            &[
                ("Old station", "Old station"),
                ("New bridge", "New bridge"),
                ("Mill", "Mill"),
            ],
        );
        let mut forms = Forms::page("motion", hand);
        assert!(forms.look("late").is_none());
        forms.pass(1100);
        assert!(forms.look("late").is_some());
        forms.presses("caught_value", &[("moving", "caught 1 times")]);
    }
}

#[test]
fn the_same_controls_work_in_every_toolkit() {
    for hand in HANDS {
        for page in ["compose", "flutter", "react"] {
            let mut forms = Forms::page(page, hand);
            forms.press("Continue");
            let said = "value: continued, , false";
            assert!(
                forms.look(said).is_some(),
                "{page}, {hand:?}: {}",
                forms.tree()
            );
        }
    }
}

#[test]
fn the_registration_says_what_is_wrong() {
    for hand in HANDS {
        let mut forms = Forms::page("registration", hand);
        forms.press("submit");
        assert!(
            forms.find("name").1.is(State::FOCUSED),
            "the first wrong one"
        );
        forms.phone.press_key(Key::Back);
        for error in [
            "Tell us your name",
            "This is no email address",
            "Not strong enough yet",
            "Tell us when you were born",
            "Choose a country",
            "Choose a plan",
            "You have to agree",
        ] {
            forms.find(error);
        }
        forms.pull(900);
        forms.pull(900);
        forms.write("name", "Robin Oak");
        assert!(forms.look("Tell us your name").is_none());
        forms.write("email", "robin@example");
        assert!(forms.look("This is no email address").is_some());
        forms.write("password", "swordfish");
        assert!(forms.look("Met").is_some(), "long enough");
        assert!(forms.look("Not met").is_some(), "without a digit");
        assert!(forms.look("Not strong enough yet").is_some());
        forms.press("submit");
        forms.pass(2000);
        assert!(forms.look("welcome").is_none());
    }
}

#[test]
fn valid_registration_shows_its_summary() {
    for hand in HANDS {
        let mut forms = Forms::page("registration", hand);
        forms.write("name", "Robin Oak");
        forms.write("email", "robin@example.com");
        forms.write("password", "swordfish7");
        assert!(forms.look("Not met").is_none());
        forms.press("born");
        // The years are a list in a window of its own.
        while forms.look("1990").is_none() {
            forms.drag(Point::new(540, 1000), -400);
        }
        forms.press("1990");
        forms.press("country");
        forms.press("Norway");
        forms.press("plan_family");
        forms.find("people");
        forms.press("Increase");
        forms.press("news");
        forms.press("terms");
        forms.press("submit");
        assert!(forms.look("One moment…").is_some(), "{}", forms.tree());
        forms.pass(1000);
        for (id, said) in [
            ("welcome", "Welcome, Robin Oak"),
            ("summary_email", "robin@example.com"),
            ("summary_born", "1990"),
            ("summary_country", "Norway"),
            ("summary_plan", "Family"),
            ("summary_people", "2"),
            ("summary_budget", "40 €"),
            ("summary_news", "Yes"),
        ] {
            assert_eq!(forms.text(id), said, "{hand:?}");
        }
        forms.press("again");
        assert_eq!(forms.text("name"), "Robin Oak");
        forms.press("reset");
        forms.pull(900);
        forms.pull(900);
        assert_ne!(forms.text("name"), "Robin Oak");
    }
}
