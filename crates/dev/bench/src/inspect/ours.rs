//! The product's way from a description to named elements, on a page that is open already.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cdp::Session;
use contract::{InspectVerdict, Inspection};
use dom::Dom;
use driver::Cx;
use driver_chrome::page::{PageObservation, PageObserver};
use inspect::name::place_of;
use service::inspect::{ElementDescription, Request, on_page};
use tokio_util::sync::CancellationToken;

use super::judge::{Answer, Verdict};
use crate::gold::select::select;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page that is asked.
#[derive(Debug)]
pub struct Ours {
    session: Session,
    eye: PageObserver,
}

impl Ours {
    /// Begins to look at the page of `session`.
    ///
    /// # Errors
    ///
    /// In words, when the page cannot answer.
    pub async fn open(session: &Session) -> Result<Self, String> {
        let eye = PageObserver::open(&cx(), session).await;
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
        let inquiry = ElementDescription {
            request: Request::described(query),
            near: None,
        };
        let cx = cx();
        let began = Instant::now();
        let seen = self.look().await?;
        let inspection = on_page(&mut self.eye, &inquiry, &cx).await;
        let inspection = inspection.map_err(|error| error.message)?;
        let text = inspection.to_text();
        let took = began.elapsed();
        let first = inspection.elements.first();
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
            verdict: verdict(inspection.verdict),
            ranked: nodes(&seen.dom, &inspection)?,
            hit,
            text,
            took,
        })
    }

    /// The page as it is now.
    ///
    /// # Errors
    ///
    /// In words, when it cannot be looked at.
    pub async fn look(&mut self) -> Result<Arc<PageObservation>, String> {
        let seen = self.eye.observe(&cx(), &[]).await;
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

/// The browser's numbers of the elements that were answered, by their references.
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
    Cx::new(PATIENCE, CancellationToken::new())
}
