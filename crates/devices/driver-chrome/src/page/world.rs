//! The isolated world of our scripts: the page's own scripts cannot see it, and only the functions defined
//! here run in it; everything else is passed as an argument.

use std::collections::HashMap;
use std::time::Duration;

use cdp::protocol::page::CreateIsolatedWorld;
use cdp::protocol::runtime::{CallArgument, CallFunctionOn, Evaluated};
use cdp::{Call, FrameId, ObjectId, Session};
use serde_json::Value;

use super::join::{Activity, Note, View};

/// The name of the world, also in developer tools. Creating it again returns the same one.
const NAME: &str = "clawperator";

/// The object group for callers.
pub(super) const GROUP: &str = "clawperator";

/// The object group of matched elements until they are identified.
pub(super) const HITS_GROUP: &str = "clawperator-hits";

/// Creates the world of a frame. Older browsers let it access in-process frames of other origins.
pub(crate) fn create_world(frame: &FrameId) -> CreateIsolatedWorld {
    CreateIsolatedWorld {
        frame_id: frame.clone(),
        world_name: Some(NAME),
        grant_univeral_access: Some(true),
    }
}

/// The known worlds, by session index and frame.
pub(super) type Worlds = HashMap<(usize, FrameId), i64>;

/// Returns the viewport, and data of the page that its document lacks.
const VIEW: &str = include_str!("js/view.js");

/// Counts the elements of a document and of the documents in its frames, without shadow trees.
const COUNT: &str = "function () {
  const inner = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentDocument').get;
  const count = (root) => {
    let elements = Document.prototype.getElementsByTagName.call(root, '*').length;
    for (const frame of Document.prototype.getElementsByTagName.call(root, 'iframe')) {
      const content = inner.call(frame);
      if (content) elements += count(content);
    }
    return elements;
  };
  return count(document);
}";

/// Returns a promise that resolves when the document may have changed visibly. Listeners are installed once
/// per document; roots of shadow trees are added when they are found. Methods are taken from their prototypes,
/// since a page can shadow those of its document by element names.
const WATCH: &str = "function (...roots) {
  const world = globalThis;
  const key = Symbol.for('watch');
  if (!world[key]) {
    const watch = { waiting: [], roots: new WeakSet(), closed: new WeakMap() };
    let changes = 0;
    const notify = () => {
      changes += 1;
      for (const wake of watch.waiting.splice(0)) wake(true);
    };
    const listen = (target, kind) =>
      EventTarget.prototype.addEventListener.call(target, kind, notify, { capture: true, passive: true });
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    const observer = new MutationObserver(notify);
    const inside = ['scroll', 'input', 'change', 'focusin', 'focusout', 'toggle', 'load', 'error',
      'transitionrun', 'transitionend', 'transitioncancel', 'animationstart', 'animationend',
      'animationcancel', 'fullscreenchange', 'slotchange'];
    watch.add = (root) => {
      if (watch.roots.has(root)) return;
      watch.roots.add(root);
      if (root instanceof ShadowRoot && root.mode === 'closed') watch.closed.set(root.host, new WeakRef(root));
      observer.observe(root, options);
      for (const kind of inside) listen(root, kind);
    };
    watch.countChanges = () => {
      if (observer.takeRecords().length > 0) notify();
      return changes;
    };
    watch.find = (root) => {
      const kind = root instanceof ShadowRoot ? DocumentFragment : Document;
      for (const element of kind.prototype.querySelectorAll.call(root, '*')) {
        const shadow = element.shadowRoot;
        if (shadow instanceof ShadowRoot) { watch.add(shadow); watch.find(shadow); }
      }
    };
    watch.add(document);
    for (const kind of ['resize', 'pageshow', 'load']) listen(window, kind);
    for (const kind of ['resize', 'scroll']) if (window.visualViewport) listen(visualViewport, kind);
    world[key] = watch;
  }
  const watch = world[key];
  for (const root of roots) watch.add(root);
  watch.find(document);
  return new Promise((wake) => watch.waiting.push(wake));
}";

/// Matches a selector under a root: returns the number of elements, and the index and tag of each match. An
/// invalid selector is reported as text.
const SELECT: &str = "function (selector) {
  const shadow = this instanceof ShadowRoot;
  const root = shadow ? this : document;
  const find = (css) => (shadow ? DocumentFragment : Document).prototype.querySelectorAll.call(root, css);
  let hits;
  try {
    hits = find(selector);
  } catch (error) {
    return { invalid: String(error && error.message) };
  }
  const all = find('*');
  const places = [];
  if (hits.length > 0) {
    const wanted = new Set(hits);
    let place = 0;
    for (const element of all) {
      if (wanted.has(element)) places.push([place, element.localName]);
      place += 1;
    }
  }
  return { all: all.length, places };
}";

/// The elements that a selector matches under a root, as objects.
const HITS: &str = "function (selector) {
  const shadow = this instanceof ShadowRoot;
  const kind = shadow ? DocumentFragment : Document;
  return Array.from(kind.prototype.querySelectorAll.call(shadow ? this : document, selector));
}";

/// Calls a function in a world, or on an object of it.
fn call(
    session: &Session,
    function: &'static str,
    world: i64,
    on: Option<&ObjectId>,
    arguments: Vec<CallArgument>,
    waits: bool,
) -> Call<Evaluated> {
    session.call(&CallFunctionOn {
        function_declaration: function,
        object_id: on.cloned(),
        execution_context_id: on.is_none().then_some(world),
        arguments,
        return_by_value: Some(true),
        await_promise: Some(waits),
        silent: Some(true),
        ..CallFunctionOn::default()
    })
}

/// Requests the viewport.
pub(super) fn view(session: &Session, world: i64) -> Call<Evaluated> {
    call(session, VIEW, world, None, Vec::new(), false)
}

/// The number of elements of the document; `None` if the answer is not a number.
pub(super) async fn count(session: &Session, world: i64) -> Result<Option<usize>, cdp::Error> {
    let answer = call(session, COUNT, world, None, Vec::new(), false).await?;
    let count = answer.result.value.as_u64();
    Ok(count.and_then(|count| usize::try_from(count).ok()))
}

/// Requests a notification when the document, or one of these shadow trees, may have changed visibly.
pub(super) fn watch(session: &Session, world: i64, roots: &[ObjectId]) -> Call<Evaluated> {
    let roots = roots.iter().map(CallArgument::object).collect();
    call(session, WATCH, world, None, roots, true)
}

/// Requests the matches of a selector in a document, or under the root of a shadow tree.
pub(super) fn select(
    session: &Session,
    world: i64,
    root: Option<&ObjectId>,
    selector: &str,
) -> Call<Evaluated> {
    let selector = vec![CallArgument::value(selector)];
    call(session, SELECT, world, root, selector, false)
}

/// The elements that a selector matches, as an object that contains them.
pub(super) fn hits(
    session: &Session,
    world: i64,
    root: Option<&ObjectId>,
    selector: &str,
) -> Call<Evaluated> {
    session.call(&CallFunctionOn {
        function_declaration: HITS,
        object_id: root.cloned(),
        execution_context_id: root.is_none().then_some(world),
        arguments: vec![CallArgument::value(selector)],
        object_group: Some(HITS_GROUP),
        silent: Some(true),
        ..CallFunctionOn::default()
    })
}

/// What the script of the viewport returns.
pub(super) struct ViewAnswer {
    pub(super) view: View,
    /// How long its short animations still run.
    pub(super) animated: Duration,
    pub(super) activity: Activity,
    /// The number of documents that the script could read.
    pub(super) readable: usize,
    /// What can change without the browser's counters; `None` if it is not known.
    pub(super) fingerprint: Option<String>,
    pub(super) notes: Vec<Note>,
}

/// Parses the viewport.
pub(super) fn read_view(answer: &Evaluated) -> Option<ViewAnswer> {
    let value = answer.result.value.as_array()?;
    let [numbers @ .., fingerprint, notes] = value.as_slice() else {
        return None;
    };
    let numbers: Vec<f64> = numbers.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let &[
        ratio,
        width,
        height,
        pinch,
        left,
        top,
        animated,
        spinners,
        timers,
        documents,
        readable,
    ] = numbers.as_slice()
    else {
        return None;
    };
    let view = View {
        ratio: if ratio > 0.0 { ratio } else { 1.0 },
        width,
        height,
        pinch: if pinch > 0.0 { pinch } else { 1.0 },
        offset: (left, top),
    };
    let notes = notes.as_array()?.iter().map(read_note);
    Some(ViewAnswer {
        view,
        animated: Duration::try_from_secs_f64(animated / 1000.0).ok()?,
        activity: Activity {
            spinners: spinners as usize,
            timers: timers as u64,
            documents: documents as u64,
            world: 0,
        },
        readable: readable as usize,
        fingerprint: fingerprint.as_str().map(str::to_owned),
        notes: notes.collect::<Option<_>>()?,
    })
}

fn read_note(note: &Value) -> Option<Note> {
    let [kind, tag, path @ ..] = note.as_array()?.as_slice() else {
        return None;
    };
    let step = |step: &Value| i32::try_from(step.as_i64()?).ok();
    Some(Note {
        kind: kind.as_str()?.to_owned(),
        tag: tag.as_str()?.to_owned(),
        path: path.iter().map(step).collect::<Option<_>>()?,
    })
}

/// The matches of a selector.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hits {
    /// The number of elements, and the indexes of the matches with their tags.
    Indexes(usize, Vec<(usize, String)>),
    /// The selector is invalid, for this reason.
    Invalid(String),
}

/// Parses the matches.
pub(super) fn read_hits(answer: &Evaluated) -> Option<Hits> {
    let value = &answer.result.value;
    if let Some(reason) = value.get("invalid").and_then(Value::as_str) {
        return Some(Hits::Invalid(reason.to_owned()));
    }
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let all = number(value.get("all")?)?;
    let places = value.get("places")?.as_array()?.iter();
    let places = places.map(|hit| Some((number(hit.get(0)?)?, hit.get(1)?.as_str()?.to_owned())));
    Some(Hits::Indexes(all, places.collect::<Option<_>>()?))
}
