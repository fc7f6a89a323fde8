//! Layout of the rows of lists and scroll views.
//!
//! Rows and lists are cached until a variable that they use changes.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use crate::widget::Element;
use draw::Flow;
use sim_format::expr::{Expr, Names, Record, Scope, order as compare};
use sim_format::widget::{Axis, Key, Scroller, Source, Spec};

use super::place::{lay_out, room};
use super::{Budget, Fragment, Layout, build};

#[derive(Debug, Default)]
pub struct Rows {
    pub rows: Vec<Row>,
    /// The size along the scroll axis.
    pub extent: f32,
    /// The size across the scroll axis.
    pub across: f32,
}

/// A row and its position in the content.
#[derive(Clone, Debug)]
pub struct Row {
    pub fragment: Arc<Fragment>,
    pub x: f32,
    pub y: f32,
}

/// The versions of a row's inputs; equal versions mean equal rows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RowsVersion {
    vars: u64,
    texts: u64,
    passed: usize,
    system: u64,
    width: f32,
}

/// The maximum number of cached rows of a window.
const MAX_ROWS: usize = 32_768;

/// Cached lists and rows of a window.
#[derive(Debug, Default)]
pub struct Cache {
    /// The remaining budget of the current layout.
    pub budget: Budget,
    /// Whether left-out widgets have been reported as an event.
    pub reported: bool,
    /// The number of layouts of the window.
    pass: u64,
    lists: HashMap<Key, CachedList>,
    rows: HashMap<Key, CachedRow>,
}

#[derive(Debug)]
struct CachedList {
    version: RowsVersion,
    scope: Arc<Scope>,
    rows: Arc<Rows>,
    cost: Cost,
}

#[derive(Debug)]
struct CachedRow {
    version: RowsVersion,
    record: Option<Record>,
    /// The index of the record in its list, which expressions can use.
    index: usize,
    outer: Arc<Scope>,
    fragment: Option<Arc<Fragment>>,
    cost: Cost,
}

/// The share of the budget that rows use.
#[derive(Clone, Copy, Debug)]
struct Cost {
    widgets: usize,
    /// The pass in which some of them were left out; another pass may have more budget.
    cut: Option<u64>,
}

impl Cache {
    /// Starts a layout with a full budget.
    pub fn begin(&mut self) {
        self.budget = Budget::default();
        self.pass += 1;
    }

    /// Returns the cost since `before`.
    fn cost_since(&self, before: Budget) -> Cost {
        Cost {
            widgets: before.left().saturating_sub(self.budget.left()),
            cut: self.budget.is_cut().then_some(self.pass),
        }
    }

    /// Whether cached rows with this cost fit the remaining budget.
    fn fits(&self, cost: Cost) -> bool {
        cost.cut.is_none_or(|pass| pass == self.pass) && cost.widgets <= self.budget.left()
    }
}

fn version(layout: &Layout<'_>, used: &[Arc<str>], width: f32) -> RowsVersion {
    RowsVersion {
        vars: layout.vars.version(used),
        texts: layout.local.version,
        passed: layout.passed,
        system: layout.system.version,
        width,
    }
}

/// Returns the rows of a scroller whose cross size is `across` pixels.
pub(super) fn rows(
    layout: &mut Layout<'_>,
    element: &Element,
    scroller: &Scroller,
    across: f32,
) -> Arc<Rows> {
    let keep = scroller.used.is_some();
    let version = version(layout, scroller.used.as_deref().unwrap_or_default(), across);
    if keep
        && let Some(list) = layout.cache.lists.get(&element.key)
        && list.version == version
        && Arc::ptr_eq(&list.scope, &element.scope)
        && layout.cache.fits(list.cost)
    {
        layout.cache.budget.spend(list.cost.widgets);
        return Arc::clone(&list.rows);
    }
    let before = layout.cache.budget;
    let rows = Arc::new(stack(layout, element, scroller, across));
    if keep {
        let cost = layout.cache.cost_since(before);
        let list = CachedList {
            version,
            scope: Arc::clone(&element.scope),
            rows: Arc::clone(&rows),
            cost,
        };
        layout.cache.lists.insert(element.key, list);
    }
    rows
}

#[derive(Clone, Copy, Debug)]
struct Lane {
    axis: Axis,
    /// The cross size; `None` where the content determines it.
    across: f32,
    /// The number of lanes and the gap between them.
    columns: usize,
    gap: f32,
}

impl Lane {
    /// Returns the space for a row across all lanes.
    fn whole(self) -> Self {
        let more = (self.columns - 1) as f32;
        Self {
            across: self.across + more * (self.across + self.gap),
            ..self
        }
    }
}

/// Stacks the rows along the scroll axis.
fn stack(layout: &mut Layout<'_>, element: &Element, scroller: &Scroller, across: f32) -> Rows {
    let density = layout.ruler.theme().density;
    let frame = &element.spec.frame;
    let [top, right, bottom, left] = room(frame.padding, density);
    let gap = frame.gap.px(density);
    let columns = scroller.columns.max(1) as usize;
    let (before, after, side_before, side_after) = scroller
        .axis
        .choose((top, bottom, left, right), (left, right, top, bottom));
    let inner = (across - side_before - side_after).max(0.0);
    let lane = (inner - gap * (columns - 1) as f32) / columns as f32;
    let lane = lane.floor().max(0.0);
    let mut at = before;
    let mut line = 0.0_f32;
    let mut widest = 0.0_f32;
    let mut stacked = Vec::new();
    let lane_of = Lane {
        axis: scroller.axis,
        across: lane,
        columns,
        gap,
    };
    let mut column = 0;
    for fragment in fragments(layout, element, scroller, lane_of) {
        if column == columns {
            at += line + gap;
            line = 0.0;
            column = 0;
        }
        let aside = side_before + column as f32 * (lane + gap);
        let (x, y, length, breadth) = scroller.axis.choose(
            (aside, at, fragment.height, fragment.width),
            (at, aside, fragment.width, fragment.height),
        );
        line = line.max(length);
        widest = widest.max(breadth);
        column += 1;
        stacked.push(Row { fragment, x, y });
    }
    if element.flow == Flow::RightToLeft {
        let whole = scroller.axis.choose(across, at + line + after);
        for row in &mut stacked {
            row.x = whole - row.x - row.fragment.width;
        }
    }
    Rows {
        rows: stacked,
        extent: at + line + after,
        across: widest + side_before + side_after,
    }
}

fn fragments(
    layout: &mut Layout<'_>,
    list: &Element,
    scroller: &Scroller,
    lane: Lane,
) -> Vec<Arc<Fragment>> {
    let mut fragments = Vec::new();
    match &scroller.source {
        Source::Written(rows) => {
            for (index, (spec, used)) in rows.iter().enumerate() {
                if !layout.cache.budget.allows_row() {
                    break;
                }
                // The only row of a scroll view is cached with the view.
                let used = scroller.recycles.then_some(used.as_slice());
                let key = match scroller.alike {
                    true => list.key.row(index),
                    false => list.key,
                };
                fragments.extend(row(layout, list, spec, None, key, used, lane));
            }
        }
        Source::Records {
            name,
            filter,
            sort,
            limit,
            row: spec,
            used,
            empty,
        } => {
            for (index, scope) in chosen(layout, list, name, filter, sort, *limit) {
                if !layout.cache.budget.allows_row() {
                    break;
                }
                let key = list.key.record(index, scope.record.as_ref());
                let used = Some(used.as_slice());
                fragments.extend(row(layout, list, spec, Some(scope), key, used, lane));
            }
            if let (true, Some((spec, used))) = (fragments.is_empty(), empty) {
                let used = Some(used.as_slice());
                fragments.extend(row(layout, list, spec, None, list.key, used, lane.whole()));
            }
        }
    }
    fragments
}

/// Returns the records that have a row, in row order, each with its index among all records.
fn chosen(
    layout: &mut Layout<'_>,
    list: &Element,
    name: &str,
    filter: &Option<Expr>,
    sort: &Option<(Expr, bool)>,
    limit: Option<u32>,
) -> Vec<(usize, Arc<Scope>)> {
    let records = layout.records(name);
    if !layout.cache.budget.read(records.len()) {
        return Vec::new();
    }
    let mut chosen = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let scope = Arc::new(Scope {
            record: Some(Arc::clone(record)),
            index,
            outer: Some(Arc::clone(&list.scope)),
        });
        let names = Names {
            vars: layout.vars,
            scope: &scope,
        };
        if filter.as_ref().is_some_and(|filter| !filter.holds(&names)) {
            continue;
        }
        let by = sort.as_ref().map(|(by, _)| by.value(&names));
        chosen.push((by, index, scope));
    }
    if let Some((_, falls)) = sort {
        chosen.sort_by(|(left, ..), (right, ..)| {
            let order = left.as_ref().zip(right.as_ref());
            let order = order.map_or(Ordering::Equal, |(left, right)| compare(left, right));
            if *falls { order.reverse() } else { order }
        });
    }
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    let rows = chosen.into_iter().take(limit);
    rows.map(|(_, index, scope)| (index, scope)).collect()
}

fn row(
    layout: &mut Layout<'_>,
    list: &Element,
    spec: &Arc<Spec>,
    scope: Option<Arc<Scope>>,
    key: Key,
    used: Option<&[Arc<str>]>,
    lane: Lane,
) -> Option<Arc<Fragment>> {
    let version = version(layout, used.unwrap_or_default(), lane.across);
    let record = scope.as_ref().and_then(|scope| scope.record.clone());
    let index = scope.as_ref().map_or(0, |scope| scope.index);
    let same = |cached: &&CachedRow| {
        let records = match (&cached.record, &record) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        cached.version == version
            && records
            && cached.index == index
            && Arc::ptr_eq(&cached.outer, &list.scope)
    };
    let place = Key::new(key, spec.slot);
    if used.is_some()
        && let Some(cached) = layout.cache.rows.get(&place).filter(same)
        && layout.cache.fits(cached.cost)
    {
        layout.cache.budget.spend(cached.cost.widgets);
        return cached.fragment.clone();
    }
    let scope = scope.unwrap_or_else(|| Arc::clone(&list.scope));
    let budget = layout.cache.budget;
    let elements = build(layout, spec, &scope, key);
    let fragment = if elements.is_empty() {
        None
    } else {
        let across = lane.across;
        let room = lane.axis.choose(
            (Some(across), None),
            (None, (across > 0.0).then_some(across)),
        );
        let fragment = lay_out(layout, elements, room.0, room.1);
        let density = layout.ruler.theme().density;
        Some(Arc::new(with_margin(fragment, spec, density)))
    };
    if used.is_some() {
        let cost = layout.cache.cost_since(budget);
        // Rows of removed entries stay in the cache.
        if layout.cache.rows.len() >= MAX_ROWS {
            layout.cache.rows.clear();
        }
        let row = CachedRow {
            version,
            record,
            index,
            outer: Arc::clone(&list.scope),
            fragment: fragment.clone(),
            cost,
        };
        layout.cache.rows.insert(place, row);
    }
    fragment
}

/// Includes the margin of a row in its size.
pub fn with_margin(mut fragment: Fragment, spec: &Spec, density: f32) -> Fragment {
    if spec.frame.margin.is_some() {
        let [top, right, bottom, left] = room(spec.frame.margin, density);
        let first = fragment.areas.first().copied().unwrap_or_default();
        // Taffy places the outermost element at its margin or at the origin; it must be at its margin.
        let start = match fragment.elements.first().map(|element| element.flow) {
            Some(Flow::RightToLeft) => right,
            _ => left,
        };
        let (dx, dy) = (start - first.x, top - first.y);
        for area in &mut fragment.areas {
            area.x += dx;
            area.y += dy;
        }
        fragment.width += left + right;
        fragment.height += top + bottom;
    }
    fragment
}
