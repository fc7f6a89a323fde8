//! The product's way from a description to named elements: look at the page, find, name, check the names in the live page.

use std::time::{Duration, Instant};

use cdp::Session;
use contract::{InspectVerdict, Inspected, Inspection, NodeMatcher, SelectorCandidate};
use dom::{Dom, ElementId};
use driver::Cx;
use driver_chrome::page::PageEye;
use inspect::Subject;
use inspect::find::{self, Found, Request, Verdict as Sure};
use inspect::name::{PageNames, Selector, Wanted, element_line, element_ref};
use tokio_util::sync::CancellationToken;

use super::judge::{Answer, Verdict};
use crate::gold::select::select;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page that is asked.
#[derive(Debug)]
pub struct Ours {
    session: Session,
    eye: PageEye,
}

/// What was found, before it is told.
struct Told {
    verdict: Verdict,
    ranked: Vec<i64>,
    inspection: Inspection,
}

impl Ours {
    /// Begins to look at the page of `session`.
    ///
    /// # Errors
    ///
    /// In words, when the page cannot answer.
    pub async fn open(session: &Session) -> Result<Self, String> {
        let eye = PageEye::open(&cx(), session).await;
        Ok(Self {
            session: session.clone(),
            eye: eye.map_err(|error| error.to_string())?,
        })
    }

    /// Asks, and looks up by itself what the first selector hits.
    ///
    /// # Errors
    ///
    /// In words, when the page cannot be looked at.
    pub async fn ask(&mut self, query: &str) -> Result<Answer, String> {
        let began = Instant::now();
        let told = self.find(query).await?;
        let text = told.inspection.to_text();
        let took = began.elapsed();
        let first = told.inspection.elements.first();
        let css = first
            .and_then(|element| element.selectors.first())
            .and_then(|selector| selector.selector.as_ref())
            .and_then(|matcher| matcher.css.clone());
        let hit = match css {
            // A selector that the browser does not take hits nothing.
            Some(css) => Some(select(&self.session, &css).await.unwrap_or_default()),
            None => None,
        };
        Ok(Answer {
            verdict: told.verdict,
            ranked: told.ranked,
            hit,
            text,
            took,
        })
    }

    async fn find(&mut self, query: &str) -> Result<Told, String> {
        let seen = self.eye.observe(&cx(), &[]).await;
        let seen = seen.map_err(|error| error.to_string())?;
        let page = &seen.dom;
        let request = Request::described(query);
        let found = find::find(&Subject::from_dom(page), &request);
        let Found { ranked, verdict } = found.map_err(|error| error.to_string())?;
        let (sure, wire) = match &verdict {
            Sure::Certain => (Verdict::Certain, InspectVerdict::Certain),
            Sure::Unsure { .. } => (Verdict::Unsure, InspectVerdict::Unsure),
            Sure::Ambiguous { .. } => (Verdict::Ambiguous, InspectVerdict::Ambiguous),
            Sure::NotFound { .. } => (Verdict::NotFound, InspectVerdict::NotFound),
        };
        let mut inspection = Inspection {
            verdict: wire,
            query: query.to_owned(),
            device_id: String::new(),
            via: None,
            warnings: Vec::new(),
            count: None,
            missing: Vec::new(),
            elements: Vec::new(),
        };
        let mut apart = Vec::new();
        match verdict {
            Sure::Certain | Sure::NotFound { .. } => {}
            Sure::Unsure { missing } => inspection.missing = missing,
            Sure::Ambiguous {
                count,
                told_apart_by,
            } => {
                inspection.count = Some(count);
                apart = told_apart_by;
            }
        }
        let mut names = PageNames::new(page);
        let mut nodes = Vec::new();
        for (at, hit) in ranked.into_iter().take(request.limit()).enumerate() {
            let Some(id) = page.get(hit.place) else {
                continue;
            };
            nodes.push(page.element(id).handle.node);
            let limit = if at == 0 { request.limit() } else { 1 };
            let mut selectors = Vec::new();
            for selector in names.selectors(id, Wanted::Any, limit) {
                selectors.push(self.checked(&selector, id).await?);
            }
            let told = apart.iter().find(|told| told.place == hit.place);
            let told = told.map(|told| told.words.clone());
            inspection.elements.push(Inspected {
                score: hit.score,
                told_apart_by: told,
                selectors,
                ..described(page, id)
            });
        }
        Ok(Told {
            verdict: sure,
            ranked: nodes,
            inspection,
        })
    }

    /// A selector, looked up in the live page.
    async fn checked(
        &mut self,
        selector: &Selector,
        id: ElementId,
    ) -> Result<SelectorCandidate, String> {
        let css = selector.css().unwrap_or_default();
        let hits = self.eye.select(&cx(), &css).await;
        let hits = hits.map_err(|error| error.to_string())?;
        Ok(SelectorCandidate {
            stability: selector.stability,
            strategy: selector.strategy.as_str().to_owned(),
            strategy_words: selector.strategy.words(),
            selector: Some(NodeMatcher {
                css: Some(css),
                ..NodeMatcher::default()
            }),
            container: None,
            coordinate: None,
            chain: Vec::new(),
            matches: hits.elements.len() + hits.unknown,
            verified: hits.elements.first() == Some(&id),
            why: selector.why.clone(),
        })
    }
}

fn described(page: &Dom, id: ElementId) -> Inspected {
    let element = page.element(id);
    Inspected {
        score: 0,
        reference: element_ref(page, id),
        element: element_line(page, id),
        visible: element.is(dom::Facts::VISIBLE),
        bounds: None,
        reasons: Vec::new(),
        told_apart_by: None,
        selectors: Vec::new(),
    }
}

fn cx() -> Cx {
    Cx::new(PATIENCE, CancellationToken::new())
}
