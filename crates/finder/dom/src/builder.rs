//! Builds a page: open an element, open its children, close.

use std::sync::Arc;

use uitree::Rect;

use crate::{
    Attributes, Dom, Element, ElementId, Facts, Handle, Run, Scope, ScopeId, ScopeKind, Viewport,
};

/// Browser data of one element; the page adds the rest. See [`Element`] for the fields.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of Element")]
pub struct ElementSpec {
    pub tag: Arc<str>,
    pub attributes: Attributes,
    pub text: Arc<str>,
    pub runs: Option<Box<[Run]>>,
    pub value: Arc<str>,
    pub role: Arc<str>,
    pub name: Arc<str>,
    pub description: Arc<str>,
    pub bounds: Option<Rect>,
    pub cut: Option<Rect>,
    pub scroller: Option<ElementId>,
    pub paint: u32,
    pub fill: Option<[u8; 3]>,
    pub facts: Facts,
    pub handle: Handle,
}

/// Builds a [`Dom`] from the outside in. It starts with the page's own document.
#[derive(Debug)]
pub struct DomBuilder {
    dom: Dom,
    /// The open elements, the outermost first.
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    id: ElementId,
    /// The scope of the next element.
    inside: ScopeId,
    /// The number of its children in its own scope so far.
    children: u32,
    /// The number of root elements in the scope that it hosts so far.
    hosted: u32,
}

impl DomBuilder {
    /// An empty page.
    pub fn new(viewport: Viewport, url: impl Into<Arc<str>>, title: impl Into<Arc<str>>) -> Self {
        let page = Scope {
            kind: ScopeKind::Document,
            host: None,
            url: url.into(),
            title: title.into(),
        };
        Self {
            dom: Dom {
                elements: Vec::new(),
                scopes: vec![page],
                viewport,
            },
            open: Vec::new(),
        }
    }

    /// Opens an element inside the open one and returns its id.
    pub fn open(&mut self, spec: ElementSpec) -> ElementId {
        let id = ElementId(self.dom.elements.len() as u32);
        let (parent, scope, position) = match self.open.last_mut() {
            None => (None, ScopeId(0), 1),
            Some(open) => {
                let own = self.dom.elements[open.id.index()].scope;
                let count = if open.inside == own {
                    &mut open.children
                } else {
                    &mut open.hosted
                };
                *count += 1;
                (Some(open.id), open.inside, *count)
            }
        };
        self.dom.elements.push(Element {
            parent,
            end: id,
            scope,
            position,
            tag: spec.tag,
            attributes: spec.attributes,
            text: spec.text,
            runs: spec.runs,
            value: spec.value,
            role: spec.role,
            name: spec.name,
            description: spec.description,
            bounds: spec.bounds,
            cut: spec.cut,
            scroller: spec.scroller,
            paint: spec.paint,
            fill: spec.fill,
            facts: spec.facts,
            handle: spec.handle,
        });
        self.open.push(Open {
            id,
            inside: scope,
            children: 0,
            hosted: 0,
        });
        id
    }

    /// Starts a scope hosted by the open element, until [`leave`](Self::leave). Does nothing if no element is
    /// open.
    pub fn enter(&mut self, kind: ScopeKind, url: impl Into<Arc<str>>, title: impl Into<Arc<str>>) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        open.inside = ScopeId(self.dom.scopes.len() as u32);
        open.hosted = 0;
        self.dom.scopes.push(Scope {
            kind,
            host: Some(open.id),
            url: url.into(),
            title: title.into(),
        });
    }

    /// Ends the scope: the next element is a child of the open one again.
    pub fn leave(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.inside = self.dom.elements[open.id.index()].scope;
        }
    }

    /// Closes the open element.
    pub fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            let end = ElementId(self.dom.elements.len() as u32);
            self.dom.elements[open.id.index()].end = end;
        }
    }

    /// The page.
    pub fn finish(mut self) -> Dom {
        while !self.open.is_empty() {
            self.close();
        }
        self.dom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(tag: &str) -> ElementSpec {
        ElementSpec {
            tag: tag.into(),
            text: tag.into(),
            facts: Facts::VISIBLE,
            ..ElementSpec::default()
        }
    }

    #[test]
    fn element_has_scope_position_and_chain() {
        let mut page = DomBuilder::new(Viewport::default(), "http://a.test/", "A");
        page.open(spec("html"));
        let host = page.open(spec("x-host"));
        page.enter(ScopeKind::ClosedShadow, "", "");
        page.open(spec("slot"));
        page.close();
        let frame = page.open(spec("iframe"));
        page.enter(ScopeKind::Document, "http://b.test/", "B");
        let inner = page.open(spec("html"));
        page.close();
        page.leave();
        page.close();
        page.leave();
        let light = page.open(spec("b"));
        page.close();
        page.close();
        let dom = page.finish();
        let place = |id: ElementId| {
            let element = dom.element(id);
            (element.scope.index(), element.position)
        };
        assert_eq!(place(host), (0, 1));
        assert_eq!(place(frame), (1, 2));
        assert_eq!(place(inner), (2, 1));
        assert_eq!(place(light), (0, 1));
        assert_eq!(dom.chain(inner), [host, frame]);
        assert_eq!(dom.chain(light), []);
        assert_eq!(dom.ancestors(inner).count(), 3);
        assert_eq!(dom.text(host), "x-host slot iframe html b");
        let again: Dom = serde_json::from_str(&serde_json::to_string(&dom).unwrap()).unwrap();
        assert_eq!(again, dom);
    }
}
