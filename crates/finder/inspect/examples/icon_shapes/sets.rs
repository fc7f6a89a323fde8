//! Icons of open icon sets, read from the folder of packages that `crates/dev/bench/fetch icons` makes.

use std::path::{Path, PathBuf};

use dom::{Dom, DomBuilder, ElementSpec, Viewport};
use inspect::drawing::{self, Shape};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::Failure;

/// An icon set: its name and the folders of its drawings, separated by spaces.
pub(crate) struct IconSet(pub(crate) &'static str, &'static str);

/// Sets whose shapes are learned.
pub(crate) const LEARNED: [IconSet; 4] = [
    IconSet("Material Design Icons", "@mdi/svg/svg"),
    IconSet("Lucide", "lucide-static/icons"),
    IconSet(
        "Font Awesome Free",
        "@fortawesome/fontawesome-free/svgs/solid @fortawesome/fontawesome-free/svgs/regular",
    ),
    IconSet("Bootstrap Icons", "bootstrap-icons/icons"),
];

/// Sets that are left out and only measured.
pub(crate) const LEFT_OUT: [IconSet; 5] = [
    IconSet(
        "Tabler Icons",
        "@tabler/icons/icons/outline @tabler/icons/icons/filled",
    ),
    IconSet(
        "Heroicons",
        "heroicons/24/outline heroicons/24/solid heroicons/16/solid",
    ),
    IconSet("Remix Icon", "remixicon/icons"),
    IconSet("Octicons", "@primer/octicons/build/svg"),
    IconSet("Feather", "feather-icons/dist/icons"),
];

/// A drawing of a set.
pub(crate) struct Icon {
    /// Its words, without those for the style.
    pub(crate) name: String,
    /// As the finder reads them from a page.
    pub(crate) shapes: Vec<Shape>,
}

impl IconSet {
    /// All icons of the set, in the order of their files.
    pub(crate) fn icons(&self, packages: &Path) -> Result<Vec<Icon>, Failure> {
        let mut files = Vec::new();
        for folder in self.1.split(' ') {
            list(&packages.join("node_modules").join(folder), &mut files)?;
        }
        files.iter().map(|file| Icon::read(file)).collect()
    }
}

/// Adds the drawings of a folder and of those in it.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        format!(
            "{}: {error}; run crates/dev/bench/fetch icons",
            folder.display()
        )
    })?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_some_and(|by| by == "svg") {
            files.push(path);
        }
    }
    Ok(())
}

/// Drawings as authors of pages write them by hand, from `sketches.txt`.
pub(crate) fn sketches() -> Result<Vec<Icon>, Failure> {
    let rows = include_str!("sketches.txt").lines();
    let rows = rows.filter(|row| !row.starts_with("# "));
    let rows = rows.filter_map(|row| row.split_once(": "));
    rows.map(|(name, path)| {
        let (mirrored, path) = match path.strip_prefix('~') {
            Some(path) => (true, path),
            None => (false, path),
        };
        let (paint, path) = match path.strip_prefix('#') {
            Some(path) => ("fill-rule=\"evenodd\" fill", path),
            None => ("stroke", path),
        };
        let page = page(&format!(
            "<svg {paint}=\"black\"><path d=\"{path}\"/></svg>"
        ))?;
        let mut sketch = Icon::of(name.to_owned(), &page);
        if mirrored {
            let images = sketch.shapes.clone().into_iter().map(Shape::mirrored);
            sketch.shapes.extend(images);
        }
        Ok(sketch)
    })
    .collect()
}

impl Icon {
    fn of(name: String, page: &Dom) -> Self {
        let root = page.ids().next();
        let shapes = root.map_or_else(Vec::new, |root| drawing::shapes_of(page, root));
        Self { name, shapes }
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let page = page(&std::fs::read_to_string(file)?)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Self::of(plain_name(&stem), &page))
    }
}

/// The words of a file name, without those for style and size.
fn plain_name(stem: &str) -> String {
    const STYLES: [&str; 12] = [
        "outline", "outlined", "fill", "filled", "line", "solid", "regular", "sharp", "rounded",
        "variant", "o", "alt",
    ];
    const SIZES: [&str; 6] = ["12", "16", "24", "32", "48", "96"];
    let mut words: Vec<&str> = stem
        .split('-')
        .filter(|word| !STYLES.contains(word))
        .collect();
    while words.len() > 1 && words.last().is_some_and(|last| SIZES.contains(last)) {
        words.pop();
    }
    words.join(" ")
}

/// A page with nothing but this drawing.
fn page(svg: &str) -> Result<Dom, Failure> {
    let mut reader = Reader::from_str(svg);
    let mut builder = DomBuilder::new(Viewport::default(), "", "");
    loop {
        match reader.read_event()? {
            Event::Start(tag) => {
                builder.open(element(&tag)?);
            }
            Event::Empty(tag) => {
                builder.open(element(&tag)?);
                builder.close();
            }
            Event::End(_) => builder.close(),
            Event::Eof => return Ok(builder.finish()),
            _ => {}
        }
    }
}

fn element(tag: &BytesStart) -> Result<ElementSpec, Failure> {
    let mut attributes = dom::Attributes::new();
    for attribute in tag.attributes() {
        let attribute = attribute?;
        let key = attribute.key.as_ref().to_lowercase();
        attributes.push((key.into(), attribute.value.into()));
    }
    let name = tag.name();
    Ok(ElementSpec {
        tag: name.as_ref().to_lowercase().into(),
        attributes,
        ..ElementSpec::default()
    })
}
