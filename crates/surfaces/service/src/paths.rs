//! Which files a request may access, and which files a screenshot may replace.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use contract::{ErrorBody, ErrorCode, Execution, Params};
use driver::ImageFormat;

use crate::Options;

/// Which files a request may access.
#[derive(Clone, Debug, Default)]
pub enum Paths {
    /// Any, because the request comes from the user.
    #[default]
    Anywhere,
    /// Those inside named folders.
    Within(Folders),
}

/// The folders that a request may access.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    /// Folders from the start of the program; a relative path is resolved in the first one.
    pub folders: Vec<PathBuf>,
    /// Folders that the client of a session has named, after those.
    pub roots: Roots,
    /// One additional path, exactly as it is written here.
    pub file: Option<String>,
}

/// Folders that a client can replace during its session. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Roots(Arc<RwLock<Vec<PathBuf>>>);

impl Roots {
    /// Replaces the folders.
    pub fn set(&self, folders: Vec<PathBuf>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = folders;
    }

    fn get(&self) -> Vec<PathBuf> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Paths {
    /// No files.
    pub fn nowhere() -> Self {
        Self::Within(Folders::default())
    }

    /// The files inside a folder, or none without a folder.
    pub fn within(folder: Option<PathBuf>) -> Self {
        Self::Within(Folders {
            folders: folder.into_iter().collect(),
            ..Folders::default()
        })
    }

    /// Resolves a path.
    pub(crate) fn resolve(&self, path: &str) -> Result<PathBuf, String> {
        match self {
            Self::Anywhere => std::path::absolute(path).map_err(|error| format!("{path}: {error}")),
            Self::Within(allowed) => allowed
                .resolve(path)
                .map_err(|why| format!("{path}: {why}")),
        }
    }
}

impl Paths {
    /// The real path of an existing file, without links.
    pub(crate) fn existing_file(&self, path: &str) -> Result<PathBuf, String> {
        let place = self.resolve(path)?;
        match fs::canonicalize(&place) {
            Ok(real) if real.is_file() => Ok(real),
            Ok(_) => Err(format!("{path}: it is not a regular file")),
            Err(error) => Err(format!("{path}: {error}")),
        }
    }
}

impl Folders {
    fn resolve(&self, path: &str) -> Result<PathBuf, String> {
        if self.file.as_deref() == Some(path) {
            return Ok(PathBuf::from(path));
        }
        let mut folders = self.folders.clone();
        folders.extend(self.roots.get());
        let Some(first) = folders.first() else {
            return Err("no folder for files was named".to_owned());
        };
        let given = Path::new(path);
        let (folder, inner) = if given.is_absolute() {
            folders
                .iter()
                .find_map(|folder| below(folder, given))
                .ok_or_else(|| outside(&folders))?
        } else {
            (resolved(first)?, given.to_owned())
        };
        let mut steps = inner.components().peekable();
        if steps.peek().is_none() {
            return Err(outside(&folders));
        }
        // No component may be a link, which could lead out of the folder.
        let mut place = folder;
        for step in steps {
            let Component::Normal(step) = step else {
                return Err(outside(&folders));
            };
            place.push(step);
            if place.is_symlink() {
                return Err(format!("{} is a link", place.display()));
            }
        }
        Ok(place)
    }
}

/// The canonical folder, and the rest of the path; `None` for a path outside of it.
fn below(folder: &Path, path: &Path) -> Option<(PathBuf, PathBuf)> {
    let real = resolved(folder).ok()?;
    let rest = path
        .strip_prefix(&real)
        .or_else(|_| path.strip_prefix(folder))
        .ok()?
        .to_owned();
    Some((real, rest))
}

fn resolved(folder: &Path) -> Result<PathBuf, String> {
    fs::canonicalize(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn outside(folders: &[PathBuf]) -> String {
    let named: Vec<String> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    format!("it is not inside {}", named.join(" or "))
}

/// Which files a screenshot may replace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replace {
    /// Only PNG and JPEG pictures.
    #[default]
    Pictures,
    /// Any file.
    Any,
}

impl Replace {
    /// Checks that a screenshot may be written to a path.
    pub(crate) fn check(self, path: &Path) -> Result<(), String> {
        // Anything but a regular file is refused when it is written.
        if self == Self::Any || !path.is_file() {
            return Ok(());
        }
        let mut begin = Vec::new();
        let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut begin));
        match read.ok().and_then(|_| ImageFormat::of_file(&begin)) {
            Some(_) => Ok(()),
            None => Err(format!(
                "{}: the file exists and is not a PNG or JPEG picture",
                path.display()
            )),
        }
    }
}

impl Options {
    /// Checks the paths of a plan before anything is done.
    pub(crate) fn check_files(&self, execution: &Execution) -> Result<(), ErrorBody> {
        self.check_screenshots(execution)?;
        self.check_uploads(execution)
    }

    /// Checks the files that a plan gives to pages.
    fn check_uploads(&self, execution: &Execution) -> Result<(), ErrorBody> {
        for action in execution.actions() {
            let files = action.params().facts().uploads();
            for file in files {
                if let Err(why) = self.upload_paths.existing_file(file) {
                    let step = action.id();
                    let message = format!("a file of step {step:?} cannot be uploaded: {why}");
                    let hint = match self.upload_paths {
                        Paths::Anywhere => "Name an existing file",
                        Paths::Within(_) => {
                            "Name an existing file in the directory of `--uploads <dir>`"
                        }
                    };
                    return Err(ErrorBody::new(ErrorCode::InvalidPath, message)
                        .with_hint(hint)
                        .with_detail("actionId", step));
                }
            }
        }
        Ok(())
    }

    /// Checks the paths of screenshots.
    fn check_screenshots(&self, execution: &Execution) -> Result<(), ErrorBody> {
        for action in execution.actions() {
            let Params::TakeScreenshot(shot) = action.params() else {
                continue;
            };
            let Some(path) = shot.path.as_deref() else {
                continue;
            };
            let refused = |why: String, hint: &str| {
                let step = action.id();
                let message = format!("the screenshot of step {step:?} cannot be written: {why}");
                ErrorBody::new(ErrorCode::InvalidPath, message)
                    .with_hint(hint)
                    .with_detail("actionId", step)
            };
            let place = self.screenshot_paths.resolve(path).map_err(|why| {
                refused(
                    why,
                    "Omit the path, or use a file in the directory of `--screenshots <dir>`",
                )
            })?;
            self.replace.check(&place).map_err(|why| {
                let hint = match self.screenshot_paths {
                    Paths::Anywhere => "Choose another file, or overwrite this one with --force",
                    Paths::Within(_) => "Name another file",
                };
                refused(why, hint)
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn request_paths_stay_in_named_folders() {
        let folder = testkit::TempFolder::new("paths");
        let root = folder.join("shots");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::create_dir_all(folder.join("second")).unwrap();
        symlink(&root, folder.join("alias")).unwrap();
        let root = fs::canonicalize(root).unwrap();
        symlink("/", root.join("out")).unwrap();
        symlink("inner", root.join("in")).unwrap();
        symlink(root.join("x"), root.join("leaf.png")).unwrap();
        let roots = Roots::default();
        let within = Paths::Within(Folders {
            folders: vec![folder.join("alias")],
            roots: roots.clone(),
            file: Some("own.yaml".to_owned()),
        });
        let full = root.join("inner/a.png");
        let by_alias = folder.join("alias/a.png");
        for inside in [
            "a.png",
            "inner/a.png",
            full.to_str().unwrap(),
            by_alias.to_str().unwrap(),
        ] {
            let place = within.resolve(inside).unwrap();
            assert!(place.starts_with(&root), "{inside}");
        }
        let beside = format!("{}-not/a.png", root.display());
        let climbing = format!("{}/../a.png", root.display());
        for outside in [
            "",
            ".",
            "..",
            "../a.png",
            "inner/../../a.png",
            "inner/../a.png",
            "/etc/passwd",
            "out/tmp/a.png",
            "in/a.png",
            "leaf.png",
            root.to_str().unwrap(),
            &beside,
            &climbing,
        ] {
            let why = within.resolve(outside).unwrap_err();
            assert!(why.starts_with(&format!("{outside}: ")), "{why}");
            assert!(Paths::nowhere().resolve(outside).is_err(), "{outside}");
        }
        assert!(
            within
                .resolve("own.yaml")
                .is_ok_and(|path| path == Path::new("own.yaml"))
        );
        let second = folder.join("second/a.png");
        assert!(within.resolve(second.to_str().unwrap()).is_err());
        roots.set(vec![folder.join("second")]);
        assert!(within.resolve(second.to_str().unwrap()).is_ok());
        roots.set(Vec::new());
        assert!(within.resolve(second.to_str().unwrap()).is_err());
    }

    #[test]
    fn uploads_are_existing_files_of_named_folders() {
        let folder = testkit::TempFolder::new("uploads");
        let root = folder.join("files");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::write(root.join("inner/a.txt"), "a").unwrap();
        fs::write(folder.join("secret.txt"), "s").unwrap();
        symlink(folder.join("secret.txt"), root.join("link.txt")).unwrap();
        let root = fs::canonicalize(root).unwrap();
        let within = Paths::within(Some(root.clone()));
        let file = root.join("inner/a.txt");
        assert_eq!(within.existing_file("inner/a.txt"), Ok(file.clone()));
        let outside = folder.join("secret.txt");
        let outside = outside.to_str().unwrap();
        for (refused, why) in [
            ("link.txt", "is a link"),
            ("../secret.txt", "it is not inside"),
            (outside, "it is not inside"),
            ("inner", "it is not a regular file"),
            ("none.txt", "No such file"),
        ] {
            let error = within.existing_file(refused).unwrap_err();
            assert!(error.contains(why), "{refused}: {error}");
        }
        assert!(Paths::nowhere().existing_file("inner/a.txt").is_err());
        // The user's own command follows the user's links.
        let link = root.join("link.txt");
        let real = fs::canonicalize(outside).unwrap();
        assert_eq!(
            Paths::Anywhere.existing_file(link.to_str().unwrap()),
            Ok(real)
        );
    }

    #[test]
    fn only_pictures_are_replaced() {
        let folder = testkit::TempFolder::new("replace");
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        for picture in [
            file("a.png", b"\x89PNG\r\n\x1a\nrest"),
            file("a.jpg", b"\xff\xd8\xff\xe0rest"),
        ] {
            assert_eq!(Replace::Pictures.check(&picture), Ok(()));
        }
        assert_eq!(Replace::Pictures.check(&folder.join("new")), Ok(()));
        for (name, bytes) in [
            (".bashrc", &b"export A=1"[..]),
            ("text.png", b"text"),
            ("empty", b""),
        ] {
            let path = file(name, bytes);
            let why = Replace::Pictures.check(&path).unwrap_err();
            assert!(why.starts_with(path.to_str().unwrap()), "{why}");
            assert_eq!(Replace::Any.check(&path), Ok(()));
        }
    }
}
