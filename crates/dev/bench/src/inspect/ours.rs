//! The product's search for elements by description, on an open page.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cdp::Session;
use contract::{InspectVerdict, Inspection};
use dom::Dom;
use driver::Cx;
use driver_chrome::page::{PageObservation, PageObserver};
use inspect::selectors::place_of;
use service::inspect::{ElementDescription, Request, on_page};
use tokio_util::sync::CancellationToken;

use super::judge::{Answer, Verdict};
use crate::gold::select::select;

/// Timeout of an answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A page to search.
#[derive(Debug)]
pub struct ProductSearch {
    session: Session,
    observer: PageObserver,
}

impl ProductSearch {
    /// Starts observing the page of `session`.
    pub async fn open(session: &Session) -> Result<Self, String> {
        let observer = PageObserver::open(&cx(), session).await;
        Ok(Self {
            session: session.clone(),
            observer: observer.map_err(|error| error.to_string())?,
        })
    }

    /// Runs a query, and checks independently what the first selector matches.
    pub async fn query(&mut self, query: &str) -> Result<Answer, String> {
        let description = ElementDescription {
            request: Request::described(query),
            near: None,
        };
        let cx = cx();
        let started = Instant::now();
        let seen = self.observe().await?;
        let inspection = on_page(&mut self.observer, &description, &cx).await;
        let inspection = inspection.map_err(|error| error.message)?;
        let text = inspection.to_text();
        let took = started.elapsed();
        let first = inspection.elements.first();
        let css = first
            .and_then(|element| element.selectors.first())
            .and_then(|selector| selector.selector.as_ref())
            .and_then(|matcher| matcher.css.clone());
        let hit = match css {
            // An invalid selector matches nothing.
            Some(css) => Some(select(&self.session, &css).await.unwrap_or_default()),
            None => None,
        };
        Ok(Answer {
            verdict: verdict(inspection.verdict),
            score: first.map_or(0, |first| first.score),
            ranked: nodes(&seen.dom, &inspection)?,
            hit,
            text,
            took,
        })
    }

    /// Observes the page.
    pub async fn observe(&mut self) -> Result<Arc<PageObservation>, String> {
        let seen = self.observer.observe(&cx(), &[]).await;
        seen.map_err(|error| error.to_string())
    }
}

fn verdict(verdict: InspectVerdict) -> Verdict {
    match verdict {
        InspectVerdict::Certain => Verdict::Certain,
        InspectVerdict::Unsure => Verdict::Unsure,
        InspectVerdict::Ambiguous => Verdict::Ambiguous,
        InspectVerdict::NotFound => Verdict::NotFound,
    }
}

/// The backend node ids of the elements of an answer, from their references.
fn nodes(page: &Dom, inspection: &Inspection) -> Result<Vec<i64>, String> {
    let elements = inspection.elements.iter();
    elements
        .map(|element| {
            let id = place_of(&element.reference).and_then(|place| page.get(place));
            let id = id.ok_or_else(|| format!("{} is no reference", element.reference))?;
            Ok(page.element(id).handle.node)
        })
        .collect()
}

fn cx() -> Cx {
    Cx::new(TIMEOUT, CancellationToken::new())
}
