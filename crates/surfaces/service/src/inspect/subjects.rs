//! The indexed subjects of pages. A page that did not change is indexed once.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use dom::Dom;
use inspect::Subject;
use inspect::find::IndexedSubject;

/// The maximal number of pages, the most recently used ones.
const MAX_PAGES: usize = 4;

/// Indexed subjects by page.
#[derive(Default)]
pub(crate) struct SubjectCache {
    pages: Mutex<Vec<(Weak<Dom>, Arc<IndexedSubject>)>>,
}

impl SubjectCache {
    /// The subject of a page; indexes it if it is new.
    pub(crate) fn of(&self, dom: &Arc<Dom>) -> Arc<IndexedSubject> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(page, _)| page.strong_count() > 0);
        let is_same = |page: &Weak<Dom>| std::ptr::eq(page.as_ptr(), Arc::as_ptr(dom));
        let found = match pages.iter().position(|(page, _)| is_same(page)) {
            Some(index) => pages.remove(index),
            None => {
                let subject = IndexedSubject::new(Subject::from_dom(dom));
                (Arc::downgrade(dom), Arc::new(subject))
            }
        };
        let subject = Arc::clone(&found.1);
        pages.push(found);
        if pages.len() > MAX_PAGES {
            pages.remove(0);
        }
        subject
    }
}
