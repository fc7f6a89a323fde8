//! The world in which scripts of ours run: the page's own scripts see nothing of it, and it is asked only with functions
//! that are written here; everything else goes in as an argument.

use std::collections::HashMap;

use cdp::protocol::page::CreateIsolatedWorld;
use cdp::protocol::runtime::{CallArgument, CallFunctionOn, Evaluated};
use cdp::{Call, FrameId, ObjectId, Session};
use serde_json::Value;

use super::join::{Note, View};

/// Under which name the browser knows the world, and its own tools show it. Asking for it again gives the same one.
const NAME: &str = "clawperator";

/// Under which name the browser holds objects for callers.
pub(super) const GROUP: &str = "clawperator";

/// Under which name it holds hits of selectors, until they are named.
pub(super) const HITS_GROUP: &str = "clawperator-hits";

/// Asks for the world of a frame. It may look into frames of other origins that the same process draws.
pub(crate) fn create_world(frame: &FrameId) -> CreateIsolatedWorld {
    CreateIsolatedWorld {
        frame_id: frame.clone(),
        world_name: Some(NAME),
        grant_univeral_access: Some(true),
    }
}

/// The worlds that are known: by the place of the session and the frame.
pub(super) type Worlds = HashMap<(usize, FrameId), i64>;

/// Tells how the viewport is shown, and what of the page its document does not say.
const VIEW: &str = include_str!("js/view.js");

/// Counts the elements of a document and of the documents in its frames; those of shadow trees are left out.
const COUNT: &str = "function () {
  const inner = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentDocument').get;
  const count = (root) => {
    let elements = Document.prototype.getElementsByTagName.call(root, '*').length;
    for (const frame of Document.prototype.getElementsByTagName.call(root, 'iframe')) {
      const held = inner.call(frame);
      if (held) elements += count(held);
    }
    return elements;
  };
  return count(document);
}";

/// Gives a promise that is kept as soon as the document may look different. What listens is set up once for a document;
/// roots of shadow trees are added as they are found. Methods are taken from their prototypes, for a page can give elements
/// names that stand before those of its document.
const WATCH: &str = "function (...roots) {
  const world = globalThis;
  const key = Symbol.for('eye');
  if (!world[key]) {
    const eye = { waiting: [], roots: new WeakSet(), closed: new WeakMap() };
    const tell = () => { for (const wake of eye.waiting.splice(0)) wake(true); };
    const listen = (target, kind) =>
      EventTarget.prototype.addEventListener.call(target, kind, tell, { capture: true, passive: true });
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    const observer = new MutationObserver(tell);
    const inside = ['scroll', 'input', 'change', 'focusin', 'focusout', 'toggle', 'load', 'error',
      'transitionrun', 'transitionend', 'transitioncancel', 'animationstart', 'animationend',
      'animationcancel', 'fullscreenchange', 'slotchange'];
    eye.add = (root) => {
      if (eye.roots.has(root)) return;
      eye.roots.add(root);
      if (root instanceof ShadowRoot && root.mode === 'closed') eye.closed.set(root.host, new WeakRef(root));
      observer.observe(root, options);
      for (const kind of inside) listen(root, kind);
    };
    eye.find = (root) => {
      const kind = root instanceof ShadowRoot ? DocumentFragment : Document;
      for (const element of kind.prototype.querySelectorAll.call(root, '*')) {
        const shadow = element.shadowRoot;
        if (shadow instanceof ShadowRoot) { eye.add(shadow); eye.find(shadow); }
      }
    };
    eye.add(document);
    for (const kind of ['resize', 'pageshow', 'load']) listen(window, kind);
    for (const kind of ['resize', 'scroll']) if (window.visualViewport) listen(visualViewport, kind);
    world[key] = eye;
  }
  const eye = world[key];
  for (const root of roots) eye.add(root);
  eye.find(document);
  return new Promise((wake) => eye.waiting.push(wake));
}";

/// Finds what a selector hits under a root: how many elements there are under it, and of each hit the place among them and
/// its name. What the selector's author got wrong is told in words.
const SELECT: &str = "function (selector) {
  const shadow = this instanceof ShadowRoot;
  const root = shadow ? this : document;
  const find = (css) => (shadow ? DocumentFragment : Document).prototype.querySelectorAll.call(root, css);
  let hits;
  try {
    hits = find(selector);
  } catch (error) {
    return { wrong: String(error && error.message) };
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

/// The elements that a selector hits under a root, as objects.
const HITS: &str = "function (selector) {
  const shadow = this instanceof ShadowRoot;
  const kind = shadow ? DocumentFragment : Document;
  return Array.from(kind.prototype.querySelectorAll.call(shadow ? this : document, selector));
}";

/// Calls a function of ours in a world, or on an object of it.
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

/// Asks how the viewport is shown.
pub(super) fn view(session: &Session, world: i64) -> Call<Evaluated> {
    call(session, VIEW, world, None, Vec::new(), false)
}

/// How many elements the document has; `None` where the answer is no number.
pub(super) async fn count(session: &Session, world: i64) -> Result<Option<usize>, cdp::Error> {
    let answer = call(session, COUNT, world, None, Vec::new(), false).await?;
    let count = answer.result.value.as_u64();
    Ok(count.and_then(|count| usize::try_from(count).ok()))
}

/// Asks to be told when the document may look different, these roots of shadow trees included.
pub(super) fn watch(session: &Session, world: i64, roots: &[ObjectId]) -> Call<Evaluated> {
    let roots = roots.iter().map(CallArgument::object).collect();
    call(session, WATCH, world, None, roots, true)
}

/// Asks what a selector hits in a document, or under the root of a shadow tree.
pub(super) fn select(
    session: &Session,
    world: i64,
    root: Option<&ObjectId>,
    selector: &str,
) -> Call<Evaluated> {
    let selector = vec![CallArgument::value(selector)];
    call(session, SELECT, world, root, selector, false)
}

/// The elements that a selector hits, as an object that holds them.
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

/// How the viewport is shown, from the answer.
pub(super) fn read_view(answer: &Evaluated) -> Option<(View, Vec<Note>)> {
    let told = answer.result.value.as_array()?;
    let [numbers @ .., notes] = told.as_slice() else {
        return None;
    };
    let numbers: Vec<f64> = numbers.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let &[ratio, width, height, pinch, left, top] = numbers.as_slice() else {
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
    Some((view, notes.collect::<Option<_>>()?))
}

fn read_note(note: &Value) -> Option<Note> {
    let [kind, tag, way @ ..] = note.as_array()?.as_slice() else {
        return None;
    };
    let step = |step: &Value| i32::try_from(step.as_i64()?).ok();
    Some(Note {
        kind: kind.as_str()?.to_owned(),
        tag: tag.as_str()?.to_owned(),
        path: way.iter().map(step).collect::<Option<_>>()?,
    })
}

/// What a selector hit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hits {
    /// How many elements there are, and the places of the hits among them with their names.
    Places(usize, Vec<(usize, String)>),
    /// It is no selector, for this reason.
    Wrong(String),
}

/// What a selector hit, from the answer.
pub(super) fn read_hits(answer: &Evaluated) -> Option<Hits> {
    let told = &answer.result.value;
    if let Some(wrong) = told.get("wrong").and_then(Value::as_str) {
        return Some(Hits::Wrong(wrong.to_owned()));
    }
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let all = number(told.get("all")?)?;
    let places = told.get("places")?.as_array()?.iter();
    let places = places.map(|hit| Some((number(hit.get(0)?)?, hit.get(1)?.as_str()?.to_owned())));
    Some(Hits::Places(all, places.collect::<Option<_>>()?))
}
