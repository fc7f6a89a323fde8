//! Rendering the screens of an app.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver_sim::{Preview, SimOptions};
use serde::Serialize;

use super::{app_files, not_written, preview, refused};
use crate::{SimAppearance, files};

/// What to render.
#[derive(Clone, Debug, Default)]
pub struct ShowOptions {
    /// The app file.
    pub file: String,
    /// The screens and dialogs.
    pub pages: ScreenSelection,
    /// Values of the screen's parameters and of the app's variables.
    pub with: Vec<(String, String)>,
    /// Theme, language, font scale and rotation.
    pub look: SimAppearance,
    /// When to render it, after the screen has opened.
    pub after: Duration,
}

/// Which pages of an app to render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenSelection {
    /// One screen, by default the first, with a dialog if one is named.
    One {
        screen: Option<String>,
        dialog: Option<String>,
    },
    /// Every screen, and every dialog over the first screen.
    All,
}

impl Default for ScreenSelection {
    fn default() -> Self {
        Self::One {
            screen: None,
            dialog: None,
        }
    }
}

/// A rendered picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// Its screen or dialog.
    pub page: String,
    /// The file.
    pub path: String,
    /// Its width in pixels.
    pub width: i32,
    /// Its height in pixels.
    pub height: i32,
}

/// A rendered page.
#[derive(Clone, Debug)]
pub struct RenderedScreen {
    /// The name of the screen or dialog.
    pub page: String,
    /// Its nodes in the compact notation.
    pub tree: String,
    /// Its picture as PNG.
    pub png: Vec<u8>,
    size: (i32, i32),
    /// The screen behind a dialog.
    above: Option<String>,
}

/// Renders pages of an app.
///
/// # Errors
/// `SIM_APP_INVALID` for an invalid file, `USAGE` for an unknown screen, dialog, parameter or variable.
pub fn show(request: &ShowOptions) -> Result<Vec<RenderedScreen>, ErrorBody> {
    let files = app_files(Path::new(&request.file)).map_err(|error| refused(&[error]))?;
    let [file] = files.as_slice() else {
        let message = format!("{} contains several apps; name one of them", request.file);
        return Err(ErrorBody::new(ErrorCode::Usage, message)
            .with_hint("`clawperator sim check` with the folder lists its apps"));
    };
    let mut options = SimOptions::default();
    request.look.apply(&mut options);
    let preview = preview(file, options).map_err(|error| refused(&[error]))?;
    match &request.pages {
        ScreenSelection::One { screen, dialog } => {
            let name = dialog.as_deref().or(screen.as_deref());
            let name = name.unwrap_or(preview.start());
            Ok(vec![one(
                &preview,
                request,
                screen.as_deref(),
                dialog.as_deref(),
                name,
            )?])
        }
        ScreenSelection::All => {
            let mut shown = Vec::new();
            for screen in preview.screens() {
                shown.push(one(&preview, request, Some(&screen), None, &screen)?);
            }
            for dialog in preview.dialogs() {
                shown.push(one(&preview, request, None, Some(&dialog), &dialog)?);
            }
            Ok(shown)
        }
    }
}

fn one(
    preview: &Preview,
    request: &ShowOptions,
    screen: Option<&str>,
    dialog: Option<&str>,
    page: &str,
) -> Result<RenderedScreen, ErrorBody> {
    let with = &request.with;
    let mut phone = preview
        .show(screen, dialog, with, request.after)
        .map_err(|error| {
            let hint = format!("`clawperator sim check {}` shows its content", request.file);
            ErrorBody::new(ErrorCode::Usage, error.to_string()).with_hint(hint)
        })?;
    let tree = phone
        .observe()
        .map_or_else(String::new, |seen| seen.tree.to_notation());
    let size = phone.screen();
    Ok(RenderedScreen {
        page: page.to_owned(),
        tree,
        png: phone.draw().to_png(),
        size: (size.width, size.height),
        above: dialog.map(|_| screen.unwrap_or(preview.start()).to_owned()),
    })
}

impl RenderedScreen {
    /// Writes the picture. Replaces only pictures.
    pub fn write(&self, to: &Path) -> Result<Picture, ErrorBody> {
        const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
        if let Ok(meta) = std::fs::metadata(to) {
            let mut start = Vec::new();
            let picture = meta.is_file()
                && std::fs::File::open(to)
                    .and_then(|file| file.take(PNG.len() as u64).read_to_end(&mut start))
                    .is_ok()
                && (start.is_empty() || start == PNG);
            if !picture {
                let why = "the file already exists and is not a PNG picture";
                return Err(not_written(to, why).with_hint("Choose another name with --out"));
            }
        }
        let written = files::create(to).and_then(|mut file| file.write_all(&self.png));
        written.map_err(|error| not_written(to, error))?;
        let (width, height) = self.size;
        Ok(Picture {
            page: self.page.clone(),
            path: to.display().to_string(),
            width,
            height,
        })
    }

    /// The default file name of its picture: `<screen>.png` or `<screen>.<dialog>.png`.
    ///
    /// No two pages of an app share a name: ambiguous characters are percent-encoded.
    pub fn file_name(&self) -> PathBuf {
        let mut name = String::new();
        for part in self.above.iter().chain([&self.page]) {
            for c in part.chars() {
                if c.is_alphanumeric() || matches!(c, '_' | '-') {
                    name.push(c);
                } else {
                    name += &format!("%{:02X}", u32::from(c));
                }
            }
            name.push('.');
        }
        PathBuf::from(name + "png")
    }
}

/// Creates the folder of pictures if it does not exist.
pub fn picture_folder(folder: &Path) -> Result<(), ErrorBody> {
    std::fs::create_dir_all(folder).map_err(|error| not_written(folder, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_distinct_file_names() {
        let name = |above: Option<&str>, page: &str| {
            let shown = RenderedScreen {
                page: page.to_owned(),
                tree: String::new(),
                png: Vec::new(),
                size: (1, 1),
                above: above.map(str::to_owned),
            };
            shown.file_name().to_str().unwrap().to_owned()
        };
        assert_eq!(name(None, "home"), "home.png");
        assert_eq!(name(Some("home"), "sure"), "home.sure.png");
        assert_eq!(name(None, "home.sure"), "home%2Esure.png");
        assert_eq!(name(None, "a/b"), "a%2Fb.png");
        assert_eq!(name(None, "a_b"), "a_b.png");
    }
}
