//! The test pages: our own, and those of a folder.

use std::path::Path;

use testkit::web::{Reply, Web};

use crate::gold::instructions::{self, Instruction};

/// Our own pages, which are always available.
const OWN: [(&str, &str); 71] = [
    ("airline.html", include_str!("../pages/airline.html")),
    ("analytics.html", include_str!("../pages/analytics.html")),
    ("bank-2.html", include_str!("../pages/bank-2.html")),
    ("bank.html", include_str!("../pages/bank.html")),
    ("board.html", include_str!("../pages/board.html")),
    ("caisse.html", include_str!("../pages/caisse.html")),
    ("calendar.html", include_str!("../pages/calendar.html")),
    ("chat-2.html", include_str!("../pages/chat-2.html")),
    ("chat.html", include_str!("../pages/chat.html")),
    ("checkin.html", include_str!("../pages/checkin.html")),
    ("checkout.html", include_str!("../pages/checkout.html")),
    ("cinema.html", include_str!("../pages/cinema.html")),
    ("city.html", include_str!("../pages/city.html")),
    ("clinic.html", include_str!("../pages/clinic.html")),
    ("codehost.html", include_str!("../pages/codehost.html")),
    ("courier.html", include_str!("../pages/courier.html")),
    ("crm-2.html", include_str!("../pages/crm-2.html")),
    ("crm.html", include_str!("../pages/crm.html")),
    ("dns.html", include_str!("../pages/dns.html")),
    ("docs.html", include_str!("../pages/docs.html")),
    (
        "einstellungen.html",
        include_str!("../pages/einstellungen.html"),
    ),
    ("embedded.html", include_str!("../pages/embedded.html")),
    ("feed.html", include_str!("../pages/feed.html")),
    ("flights.html", include_str!("../pages/flights.html")),
    ("form.html", include_str!("../pages/form.html")),
    ("forum.html", include_str!("../pages/forum.html")),
    ("gov.html", include_str!("../pages/gov.html")),
    ("grocery.html", include_str!("../pages/grocery.html")),
    ("helpdesk-2.html", include_str!("../pages/helpdesk-2.html")),
    ("helpdesk.html", include_str!("../pages/helpdesk.html")),
    ("homes.html", include_str!("../pages/homes.html")),
    ("hotel.html", include_str!("../pages/hotel.html")),
    ("hotels.html", include_str!("../pages/hotels.html")),
    ("ide.html", include_str!("../pages/ide.html")),
    ("invoices.html", include_str!("../pages/invoices.html")),
    ("jobboard.html", include_str!("../pages/jobboard.html")),
    ("jobs.html", include_str!("../pages/jobs.html")),
    ("kanban.html", include_str!("../pages/kanban.html")),
    ("lexikon.html", include_str!("../pages/lexikon.html")),
    ("lieferung.html", include_str!("../pages/lieferung.html")),
    ("listing.html", include_str!("../pages/listing.html")),
    ("mail.html", include_str!("../pages/mail.html")),
    ("mailing.html", include_str!("../pages/mailing.html")),
    ("mappa.html", include_str!("../pages/mappa.html")),
    ("music.html", include_str!("../pages/music.html")),
    ("musik.html", include_str!("../pages/musik.html")),
    ("patient.html", include_str!("../pages/patient.html")),
    ("photos.html", include_str!("../pages/photos.html")),
    ("pipelines.html", include_str!("../pages/pipelines.html")),
    ("portal.html", include_str!("../pages/portal.html")),
    ("przepis.html", include_str!("../pages/przepis.html")),
    ("recipe.html", include_str!("../pages/recipe.html")),
    ("repository.html", include_str!("../pages/repository.html")),
    ("resto.html", include_str!("../pages/resto.html")),
    ("review.html", include_str!("../pages/review.html")),
    ("router.html", include_str!("../pages/router.html")),
    ("school.html", include_str!("../pages/school.html")),
    ("settings.html", include_str!("../pages/settings.html")),
    ("sheet.html", include_str!("../pages/sheet.html")),
    ("shinbun.html", include_str!("../pages/shinbun.html")),
    ("shop.html", include_str!("../pages/shop.html")),
    (
        "smarthome-2.html",
        include_str!("../pages/smarthome-2.html"),
    ),
    ("smarthome.html", include_str!("../pages/smarthome.html")),
    ("steuer.html", include_str!("../pages/steuer.html")),
    ("survey.html", include_str!("../pages/survey.html")),
    ("veiling.html", include_str!("../pages/veiling.html")),
    ("verein.html", include_str!("../pages/verein.html")),
    ("video-2.html", include_str!("../pages/video-2.html")),
    ("video.html", include_str!("../pages/video.html")),
    ("webmail.html", include_str!("../pages/webmail.html")),
    ("writer.html", include_str!("../pages/writer.html")),
];

/// Author of our own pages and their instructions.
pub const OWN_AUTHOR: &str = "own";

/// Our own instructions for them.
const INSTRUCTIONS: &str = include_str!("../pages/instructions.jsonl");

/// Pages with their own server.
pub struct Pages {
    web: Web,
    files: Vec<Page>,
}

/// One page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its file name.
    pub file: String,
    /// Its path on the server.
    pub path: String,
}

impl Pages {
    /// Our own pages and instructions.
    pub fn own() -> Result<(Self, Vec<Instruction>), String> {
        let mut pages = Self {
            web: Web::start(),
            files: Vec::new(),
        };
        for (file, html) in OWN {
            pages.add(file, html.as_bytes());
        }
        let instructions = instructions::read(INSTRUCTIONS, OWN_AUTHOR)
            .map_err(|error| format!("instructions.jsonl: {error}"))?;
        Ok((pages, instructions))
    }

    /// The pages of a folder (`*.html`), sorted by name.
    pub fn of(folder: &Path) -> Result<Self, String> {
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

    /// Every page.
    pub fn files(&self) -> &[Page] {
        &self.files
    }

    /// The URL of a page.
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
