//! Custom elements with roles and states set by scripts (`attachInternals().role = …`), which no attribute
//! shows. Only the browser's accessibility tree has them, and building it takes about as long as a snapshot;
//! so it is requested only for elements that may have some, and pages without custom elements do not need it.

use std::collections::{HashMap, HashSet};

use cdp::protocol::BackendNodeId;
use cdp::{Call, Session};

use super::process_capture::{CaptureError, is_about_the_node};
use super::raw::{AxNode, AxTree, PartialAccessibility, Snapshot};

/// Number of elements of a kind that are requested as samples.
const SAMPLES_PER_KIND: usize = 2;
/// Maximum number of samples per capture.
const MAX_SAMPLES: usize = 64;
/// Maximum number of elements requested per capture; later ones stay without a role.
const MAX_REQUESTS: usize = 256;
/// Maximum number of captures of a changed page without a result; then a kind is no longer requested in its document.
const MAX_EMPTY_CAPTURES: u8 = 3;

/// A kind of elements made by the same script: their tag, and whether they have a shadow tree.
type Kind = (String, bool);

/// The custom elements of a process in its last capture.
#[derive(Clone, Debug, Default)]
pub(super) struct Internals {
    /// The backend node ids of the documents.
    documents: Vec<i64>,
    /// The elements that have a role, in order.
    with_role: Vec<i64>,
    /// The number of requests without a result, by kind.
    empty_captures: HashMap<Kind, u8>,
}

/// A custom element without a `role` attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CustomElement {
    node: i64,
    kind: Kind,
}

/// A pending request for one element.
type AxRequest = (i64, Call<AxTree>);

impl Internals {
    /// Requests the elements that have roles, which may change without a change of the document.
    pub(super) fn begin(&self, session: &Session) -> Vec<AxRequest> {
        request_roles(session, self.with_role.iter().copied())
    }

    /// The roles in a document that has not changed.
    pub(super) async fn finish_unchanged(
        requests: Vec<AxRequest>,
    ) -> Result<HashMap<i64, AxNode>, CaptureError> {
        let mut answers = HashMap::new();
        read_answers(requests, &mut answers).await?;
        Ok(answers)
    }

    /// The roles in a new or changed document: of the `asked` elements, and of others that may have some.
    pub(super) async fn request_samples(
        &mut self,
        session: &Session,
        snapshot: &Snapshot,
        requests: Vec<AxRequest>,
    ) -> Result<HashMap<i64, AxNode>, CaptureError> {
        let documents = documents(snapshot);
        if documents != self.documents {
            *self = Self {
                documents,
                ..Self::default()
            };
        }
        let elements = elements(snapshot);
        let mut answers = HashMap::new();
        if elements.is_empty() {
            *self = Self::default();
            return Ok(answers);
        }
        let mut known: HashSet<i64> = requests.iter().map(|(node, _)| *node).collect();
        let samples = self.samples(&elements, &known);
        known.extend(samples.iter().copied());
        let sampled = request_roles(session, samples.iter().copied());
        read_answers(requests, &mut answers).await?;
        read_answers(sampled, &mut answers).await?;
        // If one element of a kind has a role, all may.
        let kinds: HashSet<&Kind> = elements
            .iter()
            .filter(|custom| answers.contains_key(&custom.node))
            .map(|custom| &custom.kind)
            .collect();
        let free_requests = MAX_REQUESTS.saturating_sub(known.len());
        let more: Vec<i64> = elements
            .iter()
            .filter(|custom| kinds.contains(&custom.kind) && !known.contains(&custom.node))
            .map(|custom| custom.node)
            .take(free_requests)
            .collect();
        known.extend(more.iter().copied());
        read_answers(request_roles(session, more.into_iter()), &mut answers).await?;
        let mut tried: HashSet<&Kind> = HashSet::new();
        for custom in elements
            .iter()
            .filter(|custom| samples.contains(&custom.node))
        {
            if !kinds.contains(&custom.kind) && tried.insert(&custom.kind) {
                *self.empty_captures.entry(custom.kind.clone()).or_default() += 1;
            }
        }
        let had_role: HashSet<i64> = self.with_role.drain(..).collect();
        let with_role = elements.iter().map(|custom| custom.node);
        self.with_role = with_role
            .filter(|node| {
                answers.contains_key(node) || (had_role.contains(node) && known.contains(node))
            })
            .collect();
        if self.with_role.is_empty() {
            // Otherwise the browser keeps the tree up to date. The answer does not matter.
            drop(session.call(&cdp::protocol::accessibility::Disable {}));
        }
        Ok(answers)
    }

    /// The elements to request besides `known`: all of kinds with roles, samples of the others.
    fn samples(&self, elements: &[CustomElement], known: &HashSet<i64>) -> HashSet<i64> {
        let kinds_with_role: HashSet<&Kind> = elements
            .iter()
            .filter(|custom| known.contains(&custom.node))
            .map(|custom| &custom.kind)
            .collect();
        let mut samples_taken: HashMap<&Kind, usize> = HashMap::new();
        let (mut samples, mut tries) = (HashSet::new(), 0);
        for custom in elements {
            if known.contains(&custom.node) || known.len() + samples.len() >= MAX_REQUESTS {
                continue;
            }
            if !kinds_with_role.contains(&custom.kind) {
                let empty = self
                    .empty_captures
                    .get(&custom.kind)
                    .copied()
                    .unwrap_or_default();
                let samples_taken = samples_taken.entry(&custom.kind).or_default();
                if empty >= MAX_EMPTY_CAPTURES
                    || *samples_taken >= SAMPLES_PER_KIND
                    || tries >= MAX_SAMPLES
                {
                    continue;
                }
                *samples_taken += 1;
                tries += 1;
            }
            samples.insert(custom.node);
        }
        samples
    }
}

fn request_roles(session: &Session, nodes: impl Iterator<Item = i64>) -> Vec<AxRequest> {
    let call = |node: i64| {
        let one = PartialAccessibility::of(BackendNodeId(node));
        (node, session.call(&one))
    };
    nodes.map(call).collect()
}

/// Waits for answers, and keeps those with a role.
async fn read_answers(
    requests: Vec<AxRequest>,
    answers: &mut HashMap<i64, AxNode>,
) -> Result<(), CaptureError> {
    for (number, answer) in requests {
        match answer.await {
            Ok(tree) => {
                let nodes = tree.nodes.into_iter();
                let nodes = nodes.filter(|node| node.node == Some(number) && has_content(node));
                answers.extend(nodes.map(|node| (number, node)));
            }
            // The element is gone.
            Err(error) if is_about_the_node(&error) => {}
            Err(error) => return Err(CaptureError::of(error)),
        }
    }
    Ok(())
}

/// Whether an element has a role. One that the browser ignores is computed like any other.
fn has_content(node: &AxNode) -> bool {
    let role = node.role.text();
    !node.ignored && !matches!(&*role, "" | "none" | "generic" | "GenericContainer")
}

/// The backend node ids of the documents of a process.
fn documents(snapshot: &Snapshot) -> Vec<i64> {
    let documents = snapshot.documents.iter();
    documents
        .filter_map(|document| document.nodes.backend_node_id.first().copied())
        .collect()
}

/// The custom elements of a process without a `role` attribute, in document order.
fn elements(snapshot: &Snapshot) -> Vec<CustomElement> {
    // There are few tags but many elements.
    let names: Vec<bool> = snapshot
        .strings
        .iter()
        .map(|name| is_custom(name))
        .collect();
    let is_name = |at: i32| {
        let at = usize::try_from(at).ok();
        at.and_then(|at| names.get(at))
            .is_some_and(|custom| *custom)
    };
    let mut elements = Vec::new();
    for document in &snapshot.documents {
        let nodes = &document.nodes;
        let mut hosts: Option<HashSet<i32>> = None;
        for (node, name) in nodes.node_name.iter().enumerate() {
            if !is_name(*name) || nodes.node_type.get(node) != Some(&1) {
                continue;
            }
            let written = nodes.attributes.get(node).map_or(&[][..], Vec::as_slice);
            let has_role = written.chunks_exact(2).any(|pair| match pair {
                [key, value] => {
                    snapshot.text(*key) == "role" && !snapshot.text(*value).trim().is_empty()
                }
                _ => false,
            });
            let Some(number) = nodes.backend_node_id.get(node).copied() else {
                continue;
            };
            if has_role {
                continue;
            }
            let hosts = hosts.get_or_insert_with(|| {
                let inside = nodes.shadow_root_type.index.iter();
                let node = inside.filter_map(|node| usize::try_from(*node).ok());
                node.filter_map(|node| nodes.parent_index.get(node).copied())
                    .collect()
            });
            let place = i32::try_from(node).unwrap_or(-1);
            elements.push(CustomElement {
                node: number,
                kind: (snapshot.text(*name).to_owned(), hosts.contains(&place)),
            });
        }
    }
    elements
}

/// Whether a tag may be that of a custom element: upper case, as in snapshots.
fn is_custom(name: &str) -> bool {
    let reserved = [
        "ANNOTATION-XML",
        "COLOR-PROFILE",
        "FONT-FACE",
        "FONT-FACE-SRC",
        "FONT-FACE-URI",
        "FONT-FACE-FORMAT",
        "FONT-FACE-NAME",
        "MISSING-GLYPH",
    ];
    name.starts_with(|letter: char| letter.is_ascii_uppercase())
        && name.contains('-')
        && !name.contains(|letter: char| letter.is_whitespace() || letter.is_ascii_lowercase())
        && !reserved.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn custom(node: i64, tag: &str) -> CustomElement {
        CustomElement {
            node,
            kind: (tag.to_owned(), false),
        }
    }

    #[test]
    fn custom_element_names_are_recognized() {
        for name in ["X-A", "MY-ÉLAN", "A-B-C"] {
            assert!(is_custom(name), "{name}");
        }
        for name in [
            "BUTTON",
            "FONT-FACE",
            "::-webkit-scrollbar",
            "font-face",
            "#text",
            "a-b c",
        ] {
            assert!(!is_custom(name), "{name}");
        }
    }

    #[test]
    fn kinds_are_sampled_until_one_has_a_role() {
        let elements: Vec<CustomElement> = (0..400)
            .map(|node| custom(node, if node < 5 { "X-A" } else { "X-B" }))
            .collect();
        let mut internals = Internals::default();
        let requests = |internals: &Internals, known: &[i64]| {
            let known = known.iter().copied().collect();
            let mut requests: Vec<i64> = internals.samples(&elements, &known).into_iter().collect();
            requests.sort_unstable();
            requests
        };
        assert_eq!(requests(&internals, &[]), [0, 1, 5, 6]);
        // All elements of a kind with roles, up to the maximum.
        let all = requests(&internals, &[5, 6]);
        assert_eq!(all.len() + 2, MAX_REQUESTS);
        assert_eq!(all[..4], [0, 1, 7, 8]);
        // A kind that never has roles is no longer requested.
        internals
            .empty_captures
            .insert(("X-A".to_owned(), false), MAX_EMPTY_CAPTURES);
        assert_eq!(requests(&internals, &[]), [5, 6]);
        // Of many kinds only some are sampled per capture.
        let many: Vec<CustomElement> = (0..200)
            .map(|node| custom(node, &format!("X-{node}")))
            .collect();
        let tried = internals.samples(&many, &HashSet::new());
        assert_eq!(tried.len(), MAX_SAMPLES);
    }
}
