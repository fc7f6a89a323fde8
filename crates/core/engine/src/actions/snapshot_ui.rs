//! `snapshot_ui`: the screen as text, with its windows.

use contract::actions::{SnapshotUi, StepFacts};
use contract::{ErrorCode, Execution, ScreenView, StepData};
use driver::Observation;
use uitree::{NodeId, Refs, TextView, UiTree, WindowKind};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::screen_lookup::{self, NodeTarget};

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &SnapshotUi,
    execution: &Execution,
    index: usize,
) -> Result<StepData, Failure> {
    let mut seen = ctx
        .observe_with_retry(&params.retry())
        .await
        .map_err(not_observed)?;
    let target = params.matcher.as_ref().map(|matcher| NodeTarget {
        matcher,
        container: None,
    });
    let before = facts_before(execution, index);
    let mut is_hasty = false;
    if before.presses() || before.opens() || ctx.is_loading() {
        let settled;
        (seen, settled) = ctx.settle(seen).await.map_err(not_observed)?;
        is_hasty = before.presses() && !settled;
    }
    let mut part = None;
    if let Some(target) = target {
        let found = ctx
            .find_first(target, &mut Backoff::new(&params.retry()))
            .await?;
        part = Some((found.first, found.all.len()));
        seen = found.seen;
    }
    let refs = ctx.artifacts.refs();
    let mut data = describe(&seen, params, part.map(|(id, _)| id), refs.as_ref());
    if let Some((_, count)) = part {
        data.push("match_count", count.to_string());
    }
    if is_hasty {
        data.push("warn", contract::UNSETTLED);
    }
    Ok(data)
}

/// The failure of a screen that cannot be read.
fn not_observed(failure: Failure) -> Failure {
    failure.recode(
        ErrorCode::ScreenUnavailable,
        ErrorCode::SnapshotExtractionFailed,
    )
}

/// The facts of the step directly before this one.
fn facts_before(execution: &Execution, index: usize) -> StepFacts<'_> {
    let before = index
        .checked_sub(1)
        .map(|before| &execution.actions()[before]);
    before
        .map(|before| before.params().facts())
        .unwrap_or_default()
}

/// The step data of a snapshot.
fn describe(
    seen: &Observation,
    params: &SnapshotUi,
    part: Option<NodeId>,
    refs: Option<&Refs>,
) -> StepData {
    let mut data = StepData::default();
    data.push("actual_format", params.view().as_str());
    if let Some(package) = &seen.foreground {
        data.push("foreground_package", package.as_str());
    }
    let overlay = overlay(seen);
    data.push(
        "has_overlay",
        if overlay.is_some() { "true" } else { "false" },
    );
    if let Some(Some(package)) = overlay {
        data.push("overlay_package", package);
    }
    data.push("window_count", seen.windows.len().to_string());
    if !seen.other_displays.is_empty() {
        data.push(
            "other_displays",
            screen_lookup::list_displays(&seen.other_displays),
        );
    }
    let unread: Vec<String> = seen
        .tree
        .empty_web_views()
        .filter_map(|id| seen.tree.visible_bounds(id))
        .map(|bounds| bounds.to_string())
        .collect();
    if !unread.is_empty() {
        data.push("unread_web_views", unread.join(" "));
    }
    push_part(&mut data, &seen.tree, params, part, refs);
    data
}

/// Adds the screen in the requested format; text has the references of its elements, if there are any.
pub fn push_screen(data: &mut StepData, tree: &UiTree, params: &SnapshotUi, refs: Option<&Refs>) {
    push_part(data, tree, params, None, refs);
}

/// Adds the screen, or only `part` and its descendants.
fn push_part(
    data: &mut StepData,
    tree: &UiTree,
    params: &SnapshotUi,
    part: Option<NodeId>,
    refs: Option<&Refs>,
) {
    let only_actionable = match params.view() {
        ScreenView::HierarchyXml => {
            data.push("text", tree.to_hierarchy_xml());
            return;
        }
        ScreenView::Text => false,
        ScreenView::Actionable => true,
    };
    let extended = match (params.all(), params.budget) {
        (true, _) => Some(tree.with_off_screen_content()),
        (false, None) => tree.with_end_of_page(),
        (false, Some(_)) => None,
    };
    let shown = extended.as_ref().unwrap_or(tree);
    let off_screen: Vec<NodeId> = shown
        .ids()
        .filter(|id| shown.is_on_screen(*id) && !tree.is_on_screen(*id))
        .collect();
    let assigned = refs
        .map(|refs| refs.lock().assign_including(&off_screen, tree))
        .unwrap_or_default();
    let view = TextView {
        only_actionable,
        within: part,
        budget: params
            .budget
            .and_then(|budget| usize::try_from(budget).ok()),
    };
    let screen = shown.text_view_with(view, &assigned);
    if screen.omitted > 0 {
        data.push("omitted_lines", screen.omitted.to_string());
    }
    data.push("text", screen.text);
}

/// The package of system bars, notifications and prompts.
const SYSTEM_UI: &str = "com.android.systemui";

/// The first window above the app in front, with its package if known.
fn overlay(seen: &Observation) -> Option<Option<&str>> {
    let foreground = seen.foreground.as_deref();
    let windows = seen.windows.iter().filter(|window| {
        let system_ui = window.package.as_deref() == Some(SYSTEM_UI);
        !(window.kind == WindowKind::System && system_ui && !window.active)
    });
    let mut overlays = windows.filter_map(|window| {
        let package = window.package.as_deref();
        let is_other = package.is_some() && package != foreground;
        (is_other || window.kind != WindowKind::Application).then_some(package.or(foreground))
    });
    overlays.next().or_else(|| {
        // Trees omit the system bars: any other system window covers the app.
        let notification = seen.tree.windows().iter().any(|window| {
            let owner = &seen.tree.node(window.root).owner;
            window.kind == WindowKind::System && !window.active && &**owner == SYSTEM_UI
        });
        notification.then_some(Some(SYSTEM_UI))
    })
}
