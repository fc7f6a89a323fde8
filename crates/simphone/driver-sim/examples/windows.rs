//! Writes pictures of windows above apps, light and dark, into a folder, for a look at them:
//! `cargo run -p driver-sim --example windows -- <folder>`.

use std::error::Error;
use std::path::{Path, PathBuf};

use driver::Key;
use driver_sim::{
    AppSource, Permission, Phone, Rotation, SimOptions, Start, SystemWindow, ThemeChoice,
};

struct Tour {
    phone: Phone,
    folder: PathBuf,
    look: &'static str,
}

impl Tour {
    fn save(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        let path = self.folder.join(format!("{name}-{}.png", self.look));
        std::fs::write(path, self.phone.draw().to_png())?;
        Ok(())
    }

    fn tap(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        let seen = self.phone.observe().ok_or("the screen is off")?;
        let called = |node: &&uitree::Node| &*node.text == name || &*node.label == name;
        let bounds = seen
            .tree
            .nodes()
            .iter()
            .find(called)
            .and_then(|node| node.bounds);
        let bounds = bounds.ok_or_else(|| format!("nothing is called {name}"))?;
        self.phone.tap(bounds.center());
        Ok(())
    }

    fn show(&mut self, name: &str, what: SystemWindow) -> Result<(), Box<dyn Error>> {
        self.phone.open_app(SHOP)?;
        self.phone.show_system(what);
        self.save(name)?;
        self.phone.close_app(SHOP)?;
        Ok(())
    }
}

const APP: &str = r##"
app: com.example.tour
label: Mail
icon: mail
color: "#7b1fa2"
start: home
state: { order: date, to: "" }
data:
  mails: { repeat: 6, item: { name: "Message {n}" } }
screens:
  home:
    title: Inbox
    menu: main
    drawer:
      - text: { text: "Mail", style: title, padding: [16, 28] }
      - item: { title: "Inbox", icon: mail, on_click: { toast: "Inbox" } }
      - item: { title: "Starred", icon: star, on_click: { toast: "Starred" } }
      - space: { line: true }
      - item: { title: "Settings", icon: settings, on_click: { toast: "Settings" } }
    body:
      - list:
          items: mails
          row: [ { item: "{name}", summary: "What it is about", icon: person, tile: true } ]
      - row:
          padding: 16
          gap: 8
          children:
            - button: { text: "Share", style: tonal, on_click: { dialog: share } }
            - button: { text: "Write", on_click: { dialog: write } }
            - button: { text: "Notify", style: text, on_click: { notify: { title: "Ann", text: "See you at five, at the usual place" } } }
dialogs:
  share:
    kind: sheet
    title: Share with
    body:
      - item: { title: "Ann", icon: person }
      - item: { title: "Copy link", icon: link }
      - item: { title: "Print", icon: document }
  write:
    kind: full
    body:
      - row:
          padding: [8, 8]
          children:
            - icon_button: { name: close, desc: "Close", on_click: dismiss, width: 48, height: 48 }
            - text: { text: "New message", style: title, grow: 1 }
            - button: { text: "Send", style: text, on_click: dismiss }
      - field: { hint: "To", bind: to, margin: [8, 16] }
menus:
  main:
    - { text: "By date", checked: "order == 'date'", on_click: { set: { order: date } } }
    - { text: "By sender", checked: "order == 'sender'", on_click: { set: { order: sender } } }
    - { text: "Mark all as read", enabled: "false" }
"##;

const SHOP: &str = "com.example.shop";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("a folder is wanted")?;
    std::fs::create_dir_all(&folder)?;
    for (look, theme) in [("light", ThemeChoice::Light), ("dark", ThemeChoice::Dark)] {
        tour(Path::new(&folder), look, theme)?;
    }
    Ok(())
}

fn tour(folder: &Path, look: &'static str, theme: ThemeChoice) -> Result<(), Box<dyn Error>> {
    let mut tour = Tour {
        phone: Phone::start(&SimOptions {
            apps: vec![
                AppSource::BuiltIn,
                AppSource::Text {
                    name: "tour.yaml".to_owned(),
                    yaml: APP.to_owned(),
                },
            ],
            theme,
            start: Start::App(SHOP.to_owned()),
            ..SimOptions::default()
        })?,
        folder: folder.to_owned(),
        look,
    };
    let app = || SHOP.to_owned();
    tour.show("not-responding", SystemWindow::NotResponding { app: app() })?;
    tour.show(
        "permission",
        SystemWindow::Permission {
            app: app(),
            permission: Permission::Camera,
        },
    )?;
    tour.show("update", SystemWindow::Update { app: app() })?;
    tour.show(
        "banner",
        SystemWindow::Banner {
            app: app(),
            title: "Your parcel is on its way".to_owned(),
            text: "It arrives tomorrow between nine and twelve. Tap to follow it.".to_owned(),
        },
    )?;
    tour.show("crash", SystemWindow::Crash { app: app() })?;
    tour.tap("Close app")?;
    tour.phone.open_app("com.example.tour")?;
    tour.tap("More options")?;
    tour.save("menu")?;
    tour.phone.press_key(Key::Back);
    tour.tap("Open navigation drawer")?;
    tour.save("drawer")?;
    tour.phone.press_key(Key::Back);
    tour.tap("Share")?;
    tour.save("sheet")?;
    tour.phone.press_key(Key::Back);
    tour.tap("Write")?;
    tour.save("full")?;
    tour.phone.press_key(Key::Back);
    tour.tap("Notify")?;
    tour.phone.open_shade();
    tour.save("shade")?;
    tour.phone.close_shade();
    tour.phone.rotate(Rotation::Landscape);
    tour.tap("Email")?;
    tour.save("landscape-keyboard")?;
    tour.phone.press_key(Key::Back);
    tour.phone.show_system(SystemWindow::Permission {
        app: app(),
        permission: Permission::Location,
    });
    tour.save("landscape-permission")?;
    Ok(())
}
