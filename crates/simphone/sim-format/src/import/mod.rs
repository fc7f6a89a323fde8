//! Imports an app from screens of a real device: a static screen for each tree, and taps that link them.

mod tap;
mod write;

use uitree::{Size, UiTree};

use crate::app::{self, MAX_WIDGETS};
use crate::problem::AppError;
use crate::style::SIDES;

pub use crate::reader::read_picture;
pub use tap::Tap;

/// The screens of a device that become an app.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The package; by default that of the first screen's active window.
    pub package: Option<String>,
    /// The label; by default the last part of the package.
    pub label: Option<String>,
    /// The screens; the app starts with the first.
    pub screens: Vec<ImportedScreen>,
    pub taps: Vec<Tap>,
}

#[derive(Clone, Debug)]
pub struct ImportedScreen {
    pub name: String,
    pub tree: UiTree,
    /// The path of its picture, relative to the app file.
    pub picture: Option<String>,
}

impl ImportedScreen {
    /// Reads a screen from a `hierarchy_xml` document.
    pub fn from_xml(name: String, xml: &[u8], picture: Option<String>) -> Result<Self, String> {
        let tree = UiTree::parse_hierarchy_xml(xml, None).map_err(|error| error.to_string())?;
        check(&tree)?;
        Ok(Self {
            name,
            tree,
            picture,
        })
    }

    pub fn nodes(&self) -> usize {
        self.tree.len()
    }
}

/// The maximum coordinate of a node, in pixels.
const MAX_COORDINATE: i32 = 1_000_000;

/// Refuses trees with too many nodes or invalid bounds.
fn check(tree: &UiTree) -> Result<(), String> {
    if tree.len() > MAX_WIDGETS {
        return Err(format!(
            "the dump holds {} nodes, and a screen holds {MAX_WIDGETS} at most",
            tree.len()
        ));
    }
    let Size { width, height } = tree.screen();
    let max_side = *SIDES.end();
    if width > max_side || height > max_side {
        return Err(format!(
            "its screen would be {width}x{height}, and a screen is {max_side} pixels wide and high at most: check the bounds of its first node"
        ));
    }
    let far = |side: i32| !(-MAX_COORDINATE..=MAX_COORDINATE).contains(&side);
    let absurd = tree
        .nodes()
        .iter()
        .filter_map(|node| node.bounds)
        .find(|bounds| {
            let sides = [bounds.left, bounds.top, bounds.right, bounds.bottom];
            sides.into_iter().any(far)
        });
    match absurd {
        Some(bounds) => Err(format!(
            "a node has the bounds [{},{}][{},{}], more than {MAX_COORDINATE} pixels away",
            bounds.left, bounds.top, bounds.right, bounds.bottom
        )),
        None => Ok(()),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct ImportError(pub Vec<String>);

const DEFAULT_PACKAGE: &str = "com.example.imported";

impl Import {
    /// Returns the app file.
    pub fn to_yaml(&self) -> Result<String, ImportError> {
        let problems = self.problems();
        if !problems.is_empty() {
            return Err(ImportError(problems));
        }
        let yaml = write::app(self);
        let app = app::parse("the imported app", &yaml).map_err(|error| self.in_tree(error))?;
        for screen in &self.screens {
            let read = app
                .screens
                .get(&*screen.name)
                .and_then(|page| page.static_screen.as_ref());
            if read.is_none_or(|read| read.tree != screen.tree) {
                let message = format!("{}: the screen cannot be read back unchanged", screen.name);
                return Err(ImportError(vec![message]));
            }
        }
        Ok(yaml)
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.screens.is_empty() {
            problems.push("there is no screen to import".to_owned());
        }
        for (index, screen) in self.screens.iter().enumerate() {
            let earlier = self.screens.get(..index).unwrap_or_default();
            if earlier.iter().any(|other| other.name == screen.name) {
                problems.push(format!("two screens are called `{}`", screen.name));
            }
            if screen.name.is_empty() {
                problems.push("a screen has no name".to_owned());
            }
            if screen.tree.is_empty() {
                problems.push(format!("{}: the screen holds no node", screen.name));
            }
        }
        for tap in &self.taps {
            let known = || self.screens.iter().map(|screen| &*screen.name);
            for name in [&tap.from, &tap.to] {
                let navigates = *name == tap.to && tap::navigation_effect(name).is_some();
                if !navigates && !known().any(|each| each == name) {
                    let hint = crate::words::nearest(name, known());
                    problems.push(format!(
                        "`{}`: there is no screen `{name}`{hint}",
                        tap.given
                    ));
                }
            }
        }
        problems
    }

    /// Converts an error of the generated file to one about the import.
    fn in_tree(&self, error: AppError) -> ImportError {
        let problems = error.problems.into_iter().map(|problem| {
            let handler = problem.path.split_once(".handlers.");
            let tap = handler.and_then(|(screen, rest)| {
                let name = screen.strip_prefix("screens.")?;
                let index: usize = rest.split('.').next()?.parse().ok()?;
                self.taps.iter().filter(|tap| tap.from == name).nth(index)
            });
            match tap {
                Some(tap) => format!("`{}`: {}", tap.given, problem.message),
                None if problem.path.is_empty() => problem.message,
                None => format!("{}: {}", problem.path, problem.message),
            }
        });
        ImportError(problems.collect())
    }

    fn package(&self) -> String {
        let owner = || {
            let tree = &self.screens.first()?.tree;
            let active = tree.windows().iter().find(|window| window.active);
            let root = active.or_else(|| tree.windows().first())?.root;
            let owner = tree.node(root).owner.to_string();
            app::is_package(&owner).then_some(owner)
        };
        let given = self.package.clone();
        given
            .or_else(owner)
            .unwrap_or_else(|| DEFAULT_PACKAGE.to_owned())
    }

    fn label(&self, package: &str) -> String {
        self.label.clone().unwrap_or_else(|| {
            crate::words::capital(package.rsplit('.').next().unwrap_or_default())
        })
    }

    /// Returns the smallest size that contains all screens.
    fn screen(&self) -> Size {
        let sizes = self.screens.iter().map(|screen| screen.tree.screen());
        let all = sizes.fold(Size::default(), |all, size| {
            Size::new(all.width.max(size.width), all.height.max(size.height))
        });
        let side = |side: i32| side.clamp(*SIDES.start(), *SIDES.end());
        Size::new(side(all.width), side(all.height))
    }
}
