//! Collects the cases of all suites from pages and tasks, one load at a time.

use cdp::Session;
use cdp::protocol::runtime::Evaluate;

use crate::gold::instructions::Instruction;
use crate::gold::page_reading::{PageReading, read_page};
use crate::pages::{Page, Pages};
use crate::suite::{Case, Suite, named, negative};
use crate::tab::Tab;

/// The names on all pages.
#[derive(Debug, Default)]
pub struct PageNames {
    pages: Vec<(String, PageReading)>,
}

impl PageNames {
    /// Loads each page once.
    pub async fn read<'a>(
        tab: &mut Tab,
        pages: impl Iterator<Item = (&'a Pages, &'a Page)>,
    ) -> Result<Self, String> {
        let mut overview = Self::default();
        for (pages, page) in pages {
            tab.load(&pages.url(page)).await?;
            let reading = read_page(tab.session()).await.map_err(message)?;
            overview.pages.push((page.file.clone(), reading));
        }
        Ok(overview)
    }

    /// Names on other pages.
    fn elsewhere(&self, page: &str) -> impl Iterator<Item = &str> {
        self.pages
            .iter()
            .filter(move |(file, _)| file != page)
            .flat_map(|(file, reading)| {
                let unique = named::unique(file, &reading.named).into_iter();
                unique.filter_map(|(at, _)| reading.named.get(at).map(|one| &*one.name))
            })
    }
}

/// Whether ids and test ids are kept on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    Kept,
    Removed,
}

/// An open page with its cases.
#[derive(Debug)]
pub struct Open {
    pub reading: PageReading,
    pub cases: Vec<Case>,
    /// Skipped cases with the reasons.
    pub skipped: Vec<String>,
}

/// Loads a page and collects its cases; node ids are those of this load.
pub async fn open(
    tab: &mut Tab,
    pages: &Pages,
    page: &Page,
    ids: Ids,
    overview: &PageNames,
    instructions: &[Instruction],
) -> Result<Open, String> {
    tab.load(&pages.url(page)).await?;
    let session = tab.session();
    let mut open = Open {
        reading: PageReading::default(),
        cases: Vec::new(),
        skipped: Vec::new(),
    };
    match ids {
        Ids::Removed => {
            remove_ids(session).await?;
            open.reading = read_page(session).await.map_err(message)?;
            open.cases = named::masked(&page.file, &open.reading.named);
        }
        Ids::Kept => {
            open.reading = read_page(session).await.map_err(message)?;
            open.cases = named::cases(&page.file, &open.reading.named);
            open.cases.extend(negative::cases(
                &page.file,
                &open.reading.vocabulary,
                overview.elsewhere(&page.file),
            ));
            for instructions in instructions
                .iter()
                .filter(|instructions| instructions.page == page.file)
            {
                match instructions.case(session).await {
                    Ok(case) => open.cases.push(case),
                    Err(reason) => open.skipped.push(reason),
                }
            }
        }
    }
    Ok(open)
}

/// Keeps the cases of these suites; all if the list is empty.
pub fn keep(cases: &mut Vec<Case>, suites: &[Suite]) {
    if !suites.is_empty() {
        cases.retain(|case| suites.contains(&case.suite));
    }
}

/// Removes ids and test ids from every element of the document.
async fn remove_ids(session: &Session) -> Result<(), String> {
    let script = r#"
        for (const element of document.querySelectorAll("*")) {
          for (const name of element.getAttributeNames()) {
            if (name === "id" || /^data-(test|qa|cy|pw|automation)/.test(name)) element.removeAttribute(name);
          }
        }"#;
    let evaluate = Evaluate {
        expression: script.to_owned(),
        ..Evaluate::default()
    };
    let evaluated = session.call(&evaluate).await.map_err(message)?;
    match evaluated.exception_details {
        Some(thrown) => Err(thrown.message().to_owned()),
        None => Ok(()),
    }
}

fn message(error: cdp::Error) -> String {
    error.to_string()
}
