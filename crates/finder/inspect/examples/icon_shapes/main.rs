//! Makes and measures the shapes of icons: `icon_shapes PACKAGES [--write]`.
//!
//! `PACKAGES` is the folder that `crates/dev/bench/fetch icons` makes. Prints how often icons of sets that are left out are
//! recognized; for the learned sets with shapes from the other ones. `--write` writes `data/icon_shapes.txt` instead.

mod sets;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use inspect::drawing::{self, KnownShapes, ShapeTable};
use sets::{Icon, LEARNED, LEFT_OUT, sketches};

type Failure = Box<dyn std::error::Error>;

/// Two shapes of a name that are more similar than this are one.
const SAME: f32 = 0.95;
/// Icons that are neither learned nor asked.
const LEFT_ASIDE: &str = "-";
const SETS_HEAD: &str = "\
# Shapes of icons by name, written by the example icon_shapes from Material Design Icons, Lucide, Font Awesome Free and
# Bootstrap Icons. Their licences are in data/icon_licenses. Icons of \"-\" mean something else and would be taken for others.

";
const SKETCHES_HEAD: &str = "\
# Shapes of simple drawings by name, written by the example icon_shapes from its sketches.txt.

";

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("icon_shapes takes a folder")?;
    let folder = Path::new(folder);
    let names = Names::new();
    let learned = LEARNED
        .iter()
        .map(|set| set.icons(folder))
        .collect::<Result<Vec<_>, _>>()?;
    let sketches = sketches()?;
    if arguments.iter().any(|argument| argument == "--write") {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let all: Vec<&Icon> = learned.iter().flatten().collect();
        let known = names.known(&sketches, &all);
        std::fs::write(data.join("icon_shapes.txt"), text(SETS_HEAD, &known.sets))?;
        std::fs::write(
            data.join("icon_sketches.txt"),
            text(SKETCHES_HEAD, &known.sketches),
        )?;
        return Ok(());
    }
    println!(
        "{:<24} {:>6} {:>7} {:>7} {:>7}   {:>6} {:>7}",
        "set", "icons", "right", "wrong", "unknown", "others", "named"
    );
    let all: Vec<&Icon> = learned.iter().flatten().collect();
    let known = names.known(&sketches, &all);
    for set in &LEFT_OUT {
        names.measure(set.0, &set.icons(folder)?, &known);
    }
    for (at, set) in LEARNED.iter().enumerate() {
        let (before, rest) = learned.split_at(at);
        let Some((own, after)) = rest.split_first() else {
            continue;
        };
        let others: Vec<&Icon> = before.iter().chain(after).flatten().collect();
        let known = names.known(&sketches, &others);
        names.measure(set.0, own, &known);
    }
    Ok(())
}

/// The shapes of sketches by name; every sketch is different.
fn sketched(sketches: &[Icon]) -> ShapeTable<'_> {
    let mut table = ShapeTable::default();
    for sketch in sketches {
        for shape in &sketch.shapes {
            table.add(&sketch.name, shape, 1.0);
        }
    }
    table
}

/// A table as a file: a name a line, with its shapes.
fn text(head: &str, table: &ShapeTable) -> String {
    let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, shape) in table.shapes() {
        by_name.entry(name).or_default().push(shape.written());
    }
    let rows = by_name
        .iter()
        .map(|(name, shapes)| format!("{name}: {}\n", shapes.join(" ")));
    rows.fold(head.to_owned(), |text, row| text + &row)
}

/// The names of `names.txt`, by the icons that draw them.
struct Names {
    by_icon: HashMap<&'static str, &'static str>,
}

impl Names {
    fn new() -> Self {
        let rows = include_str!("names.txt").lines();
        let rows = rows.filter(|row| !row.starts_with('#'));
        let rows: Vec<_> = rows.filter_map(|row| row.split_once(": ")).collect();
        let icons = |(name, icons): &(&'static str, &'static str)| {
            let name = *name;
            icons.split(", ").map(move |icon| (icon, name))
        };
        Self {
            by_icon: rows.iter().flat_map(icons).collect(),
        }
    }

    /// The shapes of icons by name.
    fn table(&self, icons: &[&Icon]) -> ShapeTable<'static> {
        let mut table = ShapeTable::default();
        for icon in icons {
            let name = self.by_icon.get(&*icon.name);
            if let Some(name) = name.filter(|name| **name != LEFT_ASIDE) {
                for shape in &icon.shapes {
                    table.add(name, shape, SAME);
                }
            }
        }
        table
    }

    /// The shapes of icons by name, and those of other icons that would be taken for them.
    fn known<'n>(&self, sketches: &'n [Icon], icons: &[&Icon]) -> KnownShapes<'n> {
        let mut known = KnownShapes {
            sketches: sketched(sketches),
            sets: self.table(icons),
        };
        for icon in icons {
            let found = known.name(&icon.shapes);
            if !self.by_icon.contains_key(&*icon.name)
                && found.is_some_and(|found| !self.draws(&icon.name, found))
            {
                for shape in &icon.shapes {
                    known.sets.add(drawing::OTHER, shape, SAME);
                }
            }
        }
        known
    }

    /// Prints how often icons are recognized, and how often icons without a name in the table get one.
    fn measure(&self, set: &str, icons: &[Icon], known: &KnownShapes) {
        let (mut right, mut wrong, mut unknown, mut others, mut named) = (0, 0, 0, 0, 0);
        for icon in icons {
            let found = known.name(&icon.shapes);
            match (self.by_icon.get(&*icon.name), found) {
                (Some(name), _) if *name == LEFT_ASIDE => {}
                (Some(name), Some(found)) if *name == found => right += 1,
                (Some(_), Some(_)) => wrong += 1,
                (Some(_), None) => unknown += 1,
                (None, found) => {
                    others += 1;
                    named += i32::from(found.is_some_and(|found| !self.draws(&icon.name, found)));
                }
            }
        }
        let percent = |part: i32, of: i32| 100.0 * f64::from(part) / f64::from(of.max(1));
        let all = right + wrong + unknown;
        println!(
            "{set:<24} {all:>6} {:>5.1} % {:>5.1} % {:>5.1} %   {others:>6} {:>5.1} %",
            percent(right, all),
            percent(wrong, all),
            percent(unknown, all),
            percent(named, others),
        );
    }

    /// Whether an icon draws, among other things, what has this name, as `home plus` draws a house.
    fn draws(&self, icon: &str, name: &str) -> bool {
        let has = |words: &str| {
            words
                .split(' ')
                .all(|word| icon.split(' ').any(|own| own == word))
        };
        has(name)
            || self
                .by_icon
                .iter()
                .any(|(words, of)| *of == name && has(words))
    }
}
