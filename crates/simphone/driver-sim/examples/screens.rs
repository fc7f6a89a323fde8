//! Writes pictures of the built-in apps' screens into a folder, for a look at them:
//! `cargo run -p driver-sim --example screens -- <folder>`, with `widgets` behind it for the widgets alone.

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use driver::Key;
use driver_sim::{AppSource, Phone, SimOptions, Start, ThemeChoice};
use uitree::Point;

struct Tour {
    phone: Phone,
    folder: PathBuf,
    pictures: u32,
}

impl Tour {
    fn save(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        self.pictures += 1;
        let path = self.folder.join(format!("{:02}-{name}.png", self.pictures));
        std::fs::write(path, self.phone.draw().to_png())?;
        Ok(())
    }

    fn tap(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        let seen = self.phone.observe().ok_or("the screen is off")?;
        let node = seen
            .tree
            .nodes()
            .iter()
            .find(|node| &*node.text == name || &*node.label == name);
        let bounds = node.and_then(|node| node.bounds);
        self.phone.tap(
            bounds
                .ok_or_else(|| format!("nothing is called {name}"))?
                .center(),
        );
        Ok(())
    }

    fn swipe(&mut self, from: i32, to: i32) {
        self.phone.touch_down(Point::new(500, from));
        self.phone.touch_move(Point::new(500, to));
        self.phone.touch_up(Point::new(500, to));
    }

    fn wait(&mut self, millis: u64) {
        let to = self.phone.now() + Duration::from_millis(millis);
        self.phone.advance_to(to);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("a folder is wanted")?;
    std::fs::create_dir_all(&folder)?;
    let only_widgets = std::env::args()
        .nth(2)
        .is_some_and(|word| word == "widgets");
    let mut tour = Tour {
        phone: Phone::start(&SimOptions::default())?,
        folder: PathBuf::from(folder),
        pictures: 0,
    };
    if only_widgets {
        return widgets(&mut tour);
    }
    tour.save("launcher")?;
    tour.tap("Search apps")?;
    tour.save("launcher-search")?;
    tour.phone.press_key(Key::Home);
    tour.tap("Settings")?;
    tour.save("settings")?;
    tour.swipe(2000, 600);
    tour.save("settings-scrolled")?;
    tour.swipe(600, 2200);
    tour.tap("Connections")?;
    tour.save("connections")?;
    tour.tap("Airplane mode")?;
    tour.save("connections-airplane")?;
    tour.tap("Wi-Fi")?;
    tour.save("wifi-scanning")?;
    tour.wait(1300);
    tour.save("wifi")?;
    tour.tap("Office")?;
    tour.tap("Password")?;
    tour.phone.type_text("secret");
    tour.save("wifi-password")?;
    tour.phone.press_key(Key::Home);
    tour.phone.close_app("com.android.settings")?;
    tour.phone.open_uri("settings://battery")?;
    tour.save("battery")?;
    tour.phone.open_app("com.android.settings")?;
    tour.phone.press_key(Key::Back);
    tour.tap("Settings")?;
    tour.tap("Search settings")?;
    tour.phone.type_text("b");
    tour.save("settings-search")?;
    tour.phone.press_key(Key::Back);
    tour.phone.press_key(Key::Back);
    tour.swipe(2000, 600);
    tour.tap("Display")?;
    tour.save("display")?;
    tour.tap("Screen timeout")?;
    tour.save("timeout")?;
    tour.phone.press_key(Key::Back);
    tour.phone.press_key(Key::Back);
    tour.swipe(2000, 200);
    tour.swipe(2000, 200);
    tour.tap("General management")?;
    tour.tap("Reset")?;
    tour.save("reset")?;
    tour.phone.press_key(Key::Back);
    tour.phone.press_key(Key::Back);
    tour.tap("About phone")?;
    tour.save("about")?;

    tour.phone.open_app("com.example.shop")?;
    tour.save("shop-login")?;
    tour.tap("Email")?;
    tour.phone.type_text("ann");
    tour.phone.press_key(Key::Enter);
    tour.phone.type_text("secret");
    tour.phone.press_key(Key::Enter);
    tour.save("shop-login-error")?;
    tour.tap("ann")?;
    tour.phone.type_text("@example.com");
    tour.save("shop-keyboard")?;
    tour.phone.press_key(Key::Back);
    let seen = tour.phone.observe().ok_or("the screen is off")?;
    let button = seen
        .tree
        .nodes()
        .iter()
        .rev()
        .find(|node| &*node.text == "Sign in");
    if let Some(bounds) = button.and_then(|node| node.bounds) {
        tour.phone.tap(bounds.center());
    }
    tour.wait(400);
    tour.save("shop-busy")?;
    tour.wait(900);
    tour.tap("Add")?;
    tour.save("shop")?;
    tour.tap("Item 3")?;
    tour.save("shop-detail")?;
    tour.tap("Note for the seller")?;
    tour.save("shop-detail-keyboard")?;
    tour.phone.press_key(Key::Back);
    tour.phone.press_key(Key::Back);
    tour.tap("Cart, 1 item")?;
    tour.save("shop-cart")?;
    tour.tap("Check out")?;
    tour.save("shop-order")?;
    tour.tap("Place order")?;
    tour.save("shop-thanks")?;
    tour.phone.open_uri("https://example.com/page")?;
    tour.save("browser")?;
    tour.phone.press_key(Key::Recents);
    tour.save("recents")?;

    tour.phone = Phone::start(&SimOptions {
        theme: ThemeChoice::Dark,
        start: Start::App("com.android.settings".to_owned()),
        ..SimOptions::default()
    })?;
    tour.save("dark-settings")?;
    tour.phone.open_app("com.example.shop")?;
    tour.tap("Email")?;
    tour.save("dark-shop")?;
    widgets(&mut tour)?;
    println!("{} pictures", tour.pictures);
    Ok(())
}

/// A picture of each page of the app in `widgets.yaml`.
fn widgets(tour: &mut Tour) -> Result<(), Box<dyn Error>> {
    let yaml = include_str!("widgets.yaml");
    let pages = yaml
        .lines()
        .skip_while(|line| *line != "screens:")
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '));
    for page in pages {
        let start = format!("start: {page}\n");
        tour.phone = Phone::start(&SimOptions {
            apps: vec![
                AppSource::BuiltIn,
                AppSource::Text {
                    name: "widgets.yaml".to_owned(),
                    yaml: yaml.replace("start: choices\n", &start),
                },
            ],
            start: Start::App("com.example.widgets".to_owned()),
            ..SimOptions::default()
        })?;
        tour.save(&format!("widgets-{page}"))?;
    }
    Ok(())
}
