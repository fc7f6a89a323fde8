//! The layout order of a page (flat tree): slotted elements are at their slot.

use std::collections::HashMap;

use crate::{Dom, ElementId, ScopeId, ScopeKind};

/// A step of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FlatItem {
    /// Start of an element.
    Enter(ElementId),
    /// A text run of an element, by index.
    Run(ElementId, usize),
    /// End of the last open element.
    Close,
}

/// The slots of shadow hosts.
pub(super) struct Slots {
    /// The shadow hosts with their scopes.
    hosts: HashMap<ElementId, ScopeId>,
    /// The first slot of each name, by scope.
    slots: HashMap<(ScopeId, String), ElementId>,
}

impl Slots {
    pub(super) fn new(dom: &Dom) -> Self {
        let mut hosts = HashMap::new();
        for (place, scope) in dom.scopes().iter().enumerate() {
            if let (ScopeKind::OpenShadow | ScopeKind::ClosedShadow, Some(host)) =
                (scope.kind, scope.host)
            {
                hosts.insert(host, ScopeId(place as u32));
            }
        }
        let mut slots = HashMap::new();
        if !hosts.is_empty() {
            for id in dom.ids().filter(|id| &*dom.element(*id).tag == "slot") {
                let slot = dom.element(id);
                if dom.scope(slot.scope).kind != ScopeKind::Document {
                    let name = slot.attribute("name").unwrap_or_default().to_owned();
                    slots.entry((slot.scope, name)).or_insert(id);
                }
            }
        }
        Self { hosts, slots }
    }

    /// The content of `id` in layout order, then its end.
    pub(super) fn inside(&self, dom: &Dom, id: ElementId) -> Vec<FlatItem> {
        let element = dom.element(id);
        let mut steps = Vec::new();
        if let Some(scope) = self.hosts.get(&id) {
            // The host's own children are at their slots.
            let shadow = Group {
                of: id,
                scope: *scope,
                in_shadow: true,
            };
            shadow.steps(dom, |_| true, true, &mut steps);
            // Unslotted children are not laid out, but may have to be kept.
            let unslotted = |child: &ElementId| {
                let child = dom.element(*child);
                let name = child.attribute("slot").unwrap_or_default().to_owned();
                !self.slots.contains_key(&(*scope, name))
            };
            Group::own(dom, id).steps(dom, unslotted, false, &mut steps);
        } else if let Some((host, name)) = self.host_of_slot(dom, id) {
            let slotted = |child: &ElementId| {
                let child = dom.element(*child);
                child.scope == dom.element(host).scope
                    && child.attribute("slot").unwrap_or_default() == name
            };
            Group::own(dom, host).steps(dom, slotted, name.is_empty(), &mut steps);
            if steps.is_empty() {
                Group::own(dom, id).steps(dom, |_| true, true, &mut steps);
            }
        } else {
            let frame = |child: &ElementId| dom.element(*child).scope != element.scope;
            if dom.children(id).any(|child| frame(&child)) {
                steps.extend(dom.children(id).filter(frame).map(FlatItem::Enter));
            } else {
                Group::own(dom, id).steps(dom, |_| true, true, &mut steps);
            }
        }
        steps.push(FlatItem::Close);
        steps
    }

    /// The host whose children this slot shows, and the slot's name.
    fn host_of_slot<'d>(&self, dom: &'d Dom, id: ElementId) -> Option<(ElementId, &'d str)> {
        let slot = dom.element(id);
        if &*slot.tag != "slot" {
            return None;
        }
        let name = slot.attribute("name").unwrap_or_default();
        let first = self.slots.get(&(slot.scope, name.to_owned()))?;
        let host = dom.scope(slot.scope).host?;
        (*first == id).then_some((host, name))
    }
}

/// The children and text runs of an element in one scope.
struct Group {
    of: ElementId,
    scope: ScopeId,
    in_shadow: bool,
}

impl Group {
    /// The children of an element in its own scope.
    fn own(dom: &Dom, of: ElementId) -> Self {
        Self {
            of,
            scope: dom.element(of).scope,
            in_shadow: false,
        }
    }

    /// The requested elements of the group, with the text between them if requested.
    fn steps(
        &self,
        dom: &Dom,
        is_requested: impl Fn(&ElementId) -> bool,
        with_runs: bool,
        steps: &mut Vec<FlatItem>,
    ) {
        let runs = match &dom.element(self.of).runs {
            Some(runs) if with_runs => &**runs,
            _ => &[],
        };
        let mut next = 0;
        let mut write = |steps: &mut Vec<FlatItem>, before: u32| {
            while let Some(run) = runs.get(next) {
                if run.in_shadow == self.in_shadow {
                    if run.after > before {
                        break;
                    }
                    steps.push(FlatItem::Run(self.of, next));
                }
                next += 1;
            }
        };
        let mut count = 0;
        for child in dom.children(self.of) {
            if dom.element(child).scope == self.scope {
                write(steps, count);
                count += 1;
                if is_requested(&child) {
                    steps.push(FlatItem::Enter(child));
                }
            }
        }
        write(steps, u32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DomBuilder, ElementSpec, Run, Viewport};

    #[test]
    fn slotted_children_are_at_their_slots() {
        let mut page = DomBuilder::new(Viewport::default(), "", "");
        let spec = |tag: &str, attributes: &[(&str, &str)]| ElementSpec {
            tag: tag.into(),
            attributes: attributes
                .iter()
                .map(|(key, value)| ((*key).into(), (*value).into()))
                .collect(),
            ..ElementSpec::default()
        };
        let run = |after, text: &str| Run {
            after,
            in_shadow: false,
            text: text.into(),
            bounds: None,
        };
        let host = page.open(ElementSpec {
            runs: Some(vec![run(0, "a"), run(1, "b")].into()),
            ..spec("x-card", &[])
        });
        page.enter(ScopeKind::OpenShadow, "", "");
        let title = page.open(spec("slot", &[("name", "title")]));
        page.close();
        let rest = page.open(spec("slot", &[]));
        page.open(spec("i", &[]));
        page.close();
        page.close();
        let second = page.open(spec("slot", &[]));
        let fallback = page.open(spec("u", &[]));
        page.close();
        page.close();
        page.leave();
        let heading = page.open(spec("h2", &[("slot", "title")]));
        page.close();
        let body = page.open(spec("p", &[]));
        let dom = page.finish();
        let slots = Slots::new(&dom);
        let inside = |id| {
            let mut steps = slots.inside(&dom, id);
            assert_eq!(steps.pop(), Some(FlatItem::Close));
            steps
        };
        assert_eq!(inside(host), [title, rest, second].map(FlatItem::Enter));
        assert_eq!(inside(title), [FlatItem::Enter(heading)]);
        assert_eq!(
            inside(rest),
            [
                FlatItem::Run(host, 0),
                FlatItem::Run(host, 1),
                FlatItem::Enter(body)
            ]
        );
        assert_eq!(inside(second), [FlatItem::Enter(fallback)]);
        assert_eq!(inside(body), []);
    }
}
