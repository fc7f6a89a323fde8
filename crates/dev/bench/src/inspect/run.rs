//! A run over all suites.

use std::path::{Path, PathBuf};

use cdp::Connection;

use super::judge::judge;
use super::ours::ProductSearch;
use super::plain::PlainRanker;
use super::questions::{Ids, Open, PageNames, keep, open};
use super::report::{CaseResult, PageLoads, Report};
use super::saved_pages;
use crate::gold::instructions::{self, Instruction};
use crate::gold::miniwob;
use crate::gold::page_reading::read_page;
use crate::pages::{OWN_AUTHOR, Page, Pages, serve};
use crate::suite::{Case, Expect, Suite};
use crate::tab::Tab;
use crate::tokenizer::tokens;

/// The number of loads to check that answers are reproducible.
const LOADS: usize = 5;
/// The number of queries per load.
const REPEATED: usize = 4;

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A folder with additional pages.
    pub pages: Option<PathBuf>,
    /// Files with instructions for these pages, one for each author.
    pub instructions: Vec<PathBuf>,
    /// The folder with the unpacked MiniWoB++.
    pub miniwob: PathBuf,
    /// A folder in which to save every page with its cases.
    pub keep: Option<PathBuf>,
    /// The suites to run; all if empty.
    pub suites: Vec<Suite>,
}

/// Runs all cases.
/// A page that does not load is skipped and reported.
pub async fn run(options: &Options, connection: &Connection) -> Result<Report, String> {
    let mut report = Report::default();
    if cfg!(debug_assertions) {
        let reason = "times: this is a build for debugging";
        report.skipped.push(reason.to_owned());
    }
    let mut tab = Tab::open(connection)
        .await
        .map_err(|error| error.to_string())?;
    let wants = |suite| options.suites.is_empty() || options.suites.contains(&suite);
    if Suite::ALL
        .into_iter()
        .any(|suite| suite != Suite::MiniWob && wants(suite))
    {
        let (own, instructions) = Pages::own()?;
        run_cases(options, &mut tab, &own, &instructions, &mut report).await?;
    }
    if wants(Suite::MiniWob) {
        tasks(options, &mut tab, &mut report).await?;
    }
    Ok(report)
}

/// Runs the cases of our own pages and those of the folder.
async fn run_cases(
    options: &Options,
    tab: &mut Tab,
    own: &Pages,
    instructions: &[Instruction],
    report: &mut Report,
) -> Result<(), String> {
    let folder = match &options.pages {
        Some(folder) => Some(Pages::open(folder)?),
        None => None,
    };
    let mut all = vec![own];
    all.extend(&folder);
    let mut instructions = instructions.to_vec();
    for file in &options.instructions {
        let problem = |error: String| format!("{}: {error}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| problem(error.to_string()))?;
        instructions.extend(instructions::read(&text, &stem(file)).map_err(problem)?);
    }
    let wants = |suite| options.suites.is_empty() || options.suites.contains(&suite);
    // Only names of other pages require loading all of them first.
    let overview = if wants(Suite::Negative) {
        let pages = all.iter().copied();
        let pages = pages.flat_map(|pages| pages.files().iter().map(move |page| (pages, page)));
        PageNames::read(tab, pages).await?
    } else {
        PageNames::default()
    };
    for (at, pages) in all.into_iter().enumerate() {
        let author = match &options.pages {
            Some(folder) if at > 0 => stem(folder),
            _ => OWN_AUTHOR.to_owned(),
        };
        for page in pages.files() {
            for ids in [Ids::Kept, Ids::Removed] {
                if ids == Ids::Removed && !wants(Suite::Masked) {
                    continue;
                }
                match open(tab, pages, page, ids, &overview, &instructions).await {
                    Ok(mut open) => {
                        for case in &mut open.cases {
                            if case.author.is_empty() {
                                case.author.clone_from(&author);
                            }
                        }
                        keep(&mut open.cases, &options.suites);
                        run_queries(options, tab, open, report).await?;
                    }
                    Err(reason) => report.skipped.push(format!("{}: {reason}", page.file)),
                }
            }
            if options.suites.is_empty() {
                let loads = repeat(tab, pages, page, report).await?;
                report.loads.extend(loads);
            }
        }
    }
    Ok(())
}

/// The name of a file or folder without its ending.
pub(super) fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.to_string_lossy().into_owned()
}

/// Runs the cases of an open page.
async fn run_queries(
    options: &Options,
    tab: &Tab,
    open: Open,
    report: &mut Report,
) -> Result<(), String> {
    report.skipped.extend(open.skipped);
    if open.cases.is_empty() {
        return Ok(());
    }
    let mut ours = ProductSearch::open(tab.session()).await?;
    let seen = ours.observe().await?;
    let plain = PlainRanker::new(&seen.dom);
    if let Some(folder) = &options.keep {
        saved_pages::write(folder, &seen, &open.cases)?;
    }
    for case in open.cases {
        let answer = ours.query(&case.query).await?;
        let right = match &case.expect {
            Expect::Element(nodes) => open.reading.describe_all(nodes),
            Expect::Ambiguous(nodes) => format!("ambiguous: {}", open.reading.describe_all(nodes)),
            Expect::Nothing => "nothing".to_owned(),
        };
        let answered = answer.ranked.iter().take(3).copied().collect::<Vec<_>>();
        report.lines.push(CaseResult {
            outcome: judge(&case, &answer),
            plain: Some(judge(&case, &plain.answer(&case.query))),
            tokens: Some(tokens(&answer.text)),
            right,
            answered: open.reading.describe_all(&answered),
            answer,
            case,
        });
    }
    Ok(())
}

/// Loads a page several times and compares the answers byte for byte.
async fn repeat(
    tab: &mut Tab,
    pages: &Pages,
    page: &Page,
    report: &mut Report,
) -> Result<Option<PageLoads>, String> {
    let mut queries: Vec<String> = Vec::new();
    for line in &report.lines {
        let new = !queries.contains(&line.case.query) && line.case.page == page.file;
        if new && queries.len() < REPEATED {
            queries.push(line.case.query.clone());
        }
    }
    if queries.is_empty() {
        return Ok(None);
    }
    let mut before: Option<Vec<String>> = None;
    let mut differing = Vec::new();
    for _ in 0..LOADS {
        if let Err(reason) = tab.load(&pages.url(page)).await {
            report.skipped.push(format!("{}: {reason}", page.file));
            return Ok(None);
        }
        let mut ours = ProductSearch::open(tab.session()).await?;
        let mut texts = Vec::new();
        for query in &queries {
            texts.push(ours.query(query).await?.text);
        }
        for (at, query) in queries.iter().enumerate() {
            let changed = before
                .as_ref()
                .is_some_and(|before| before.get(at) != texts.get(at));
            if changed && !differing.contains(query) {
                differing.push(query.clone());
            }
        }
        before = Some(texts);
    }
    Ok(Some(PageLoads {
        page: page.file.clone(),
        differing,
        queries: queries.len(),
    }))
}

/// Runs the episodes of MiniWoB++.
async fn tasks(options: &Options, tab: &mut Tab, report: &mut Report) -> Result<(), String> {
    let html = options.miniwob.join("miniwob/html");
    if !html.is_dir() {
        let reason = format!(
            "miniwob: {} does not exist; install it with `crates/dev/bench/fetch miniwob`",
            html.display()
        );
        report.skipped.push(reason);
        return Ok(());
    }
    let web = serve(&html)?;
    for task in miniwob::tasks(&html).map_err(|error| error.to_string())? {
        let path = task.to_string_lossy().replace('\\', "/");
        let name = path
            .trim_start_matches("miniwob/")
            .trim_end_matches(".html");
        let url = web.url(&format!("/{path}"));
        let episodes = match tab.load(&url).await {
            Ok(()) => miniwob::episodes(tab.session()).await,
            Err(reason) => Err(reason),
        };
        match episodes {
            Ok(episodes) => {
                for episode in &episodes {
                    let (query, nodes) = match miniwob::start(tab.session(), episode).await {
                        Ok(posed) => posed,
                        Err(reason) => {
                            report.skipped.push(format!("miniwob {name}: {reason}"));
                            continue;
                        }
                    };
                    let reading = read_page(tab.session())
                        .await
                        .map_err(|error| error.to_string())?;
                    let case = Case {
                        suite: Suite::MiniWob,
                        author: "miniwob".to_owned(),
                        page: format!("{name} {}", episode.seed),
                        query,
                        expect: Expect::Element(nodes),
                    };
                    let open = Open {
                        reading,
                        cases: vec![case],
                        skipped: Vec::new(),
                    };
                    run_queries(options, tab, open, report).await?;
                }
            }
            Err(reason) => report.skipped.push(format!("miniwob {name}: {reason}")),
        }
    }
    Ok(())
}
