//! The test pages: our own, and those of a folder.

use std::path::Path;

use testkit::web::{Reply, Web};

use crate::gold::instructions::{self, Instruction};

const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pages");

/// Author of our own pages and their instructions.
pub const OWN_AUTHOR: &str = "own";

const INSTRUCTIONS: &str = include_str!("../pages/instructions.jsonl");

pub struct Pages {
    web: Web,
    files: Vec<Page>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub file: String,
    pub path: String,
}

impl Pages {
    pub fn own() -> Result<(Self, Vec<Instruction>), String> {
        let pages = Self::open(Path::new(OWN))?;
        let instructions = instructions::read(INSTRUCTIONS, OWN_AUTHOR)
            .map_err(|error| format!("instructions.jsonl: {error}"))?;
        Ok((pages, instructions))
    }

    /// The pages of a folder (`*.html`), sorted by name.
    pub fn open(folder: &Path) -> Result<Self, String> {
        let instructions = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut pages = Self {
            web: Web::start(),
            files: Vec::new(),
        };
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(instructions)? {
            let name = entry.map_err(instructions)?.file_name();
            if let Some(name) = name.to_str()
                && name.ends_with(".html")
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        for name in &names {
            pages.add(
                name,
                &std::fs::read(folder.join(name)).map_err(instructions)?,
            );
        }
        if pages.files.is_empty() {
            return Err(format!("{}: no *.html is there", folder.display()));
        }
        Ok(pages)
    }

    fn add(&mut self, file: &str, html: &[u8]) {
        let path = format!("/{file}");
        let kind = (
            "Content-Type".to_owned(),
            "text/html; charset=utf-8".to_owned(),
        );
        let reply = Reply::Full("200 OK".to_owned(), vec![kind], html.to_vec());
        self.web.reply(&path, reply);
        self.files.push(Page {
            file: file.to_owned(),
            path,
        });
    }

    pub fn files(&self) -> &[Page] {
        &self.files
    }

    pub fn url(&self, page: &Page) -> String {
        self.web.url(&page.path)
    }
}

/// Serves every file of a folder, for the tasks of MiniWoB++.
pub fn serve(folder: &Path) -> Result<Web, String> {
    let web = Web::start();
    let mut folders = vec![(folder.to_path_buf(), String::new())];
    while let Some((folder, path)) = folders.pop() {
        let instructions = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(instructions)? {
            let entry = entry.map_err(instructions)?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let path = format!("{path}/{name}");
            if entry.path().is_dir() {
                folders.push((entry.path(), path));
                continue;
            }
            let kind = ("Content-Type".to_owned(), content_type(name).to_owned());
            let body = std::fs::read(entry.path()).map_err(instructions)?;
            web.reply(&path, Reply::Full("200 OK".to_owned(), vec![kind], body));
        }
    }
    Ok(web)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_instructions_refer_to_own_pages() {
        let (pages, instructions) = Pages::own().unwrap();
        for instructions in &instructions {
            let known = pages
                .files()
                .iter()
                .any(|page| page.file == instructions.page);
            assert!(known, "{}", instructions.page);
        }
    }
}
