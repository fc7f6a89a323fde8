//! The actions, one file each.

mod click;
mod close_app;
mod drag;
mod enter_text;
mod explain;
mod hover;
mod open_app;
mod open_uri;
mod press_key;
mod read_clipboard;
mod read_console;
mod read_key_value_pair;
mod read_text;
mod resize_window;
mod scroll;
mod scroll_and_click;
mod scroll_until;
mod select_options;
mod set_clipboard;
mod set_orientation;
mod sleep;
mod snapshot_ui;
mod start_recording;
mod stop_recording;
mod tab;
pub(crate) mod take_screenshot;
mod upload;
mod wait_for_navigation;
mod wait_for_node;
mod wait_until;

pub use snapshot_ui::push_screen;

use contract::{Coordinate, ErrorCode, Execution, Params, StepData};
use uitree::{Point, Role, UiTree};

use crate::context::StepContext;
use crate::describe::quoted;
use crate::failure::Failure;
use crate::matcher_to_query::near_query;
use crate::near_miss;
use crate::skip::skip_missing;

/// Performs the step at `index` of the plan.
pub(crate) async fn perform(
    ctx: &mut StepContext<'_>,
    execution: &Execution,
    index: usize,
) -> Result<StepData, Failure> {
    let action = &execution.actions()[index];
    let params = action.params();
    check_roles(ctx, params).await?;
    ctx.use_refs(params)?;
    let css: Vec<&str> = params
        .css()
        .into_iter()
        .chain(ctx.interrupts.css())
        .collect();
    ctx.watch_selectors(&css)?;
    let previous = index
        .checked_sub(1)
        .map(|index| &execution.actions()[index]);
    if previous.is_some_and(|previous| is_typed(previous.params())) && uses_screen(params) {
        ctx.wait_for_timers().await?;
    }
    match perform_params(ctx, params, execution, index).await {
        Err(failure) => {
            let failure = ctx.explain_refs(failure);
            let skipped = skip_missing(action, ctx.device.dispatch(), failure)?;
            ctx.forget_several_matches();
            Ok(skipped)
        }
        done => done,
    }
}

async fn perform_params(
    ctx: &mut StepContext<'_>,
    params: &Params,
    execution: &Execution,
    index: usize,
) -> Result<StepData, Failure> {
    match params {
        Params::Click(params) => click::perform(ctx, params).await,
        Params::CloseApp(params) => close_app::perform(ctx, params).await,
        Params::Drag(params) => drag::perform(ctx, params).await,
        Params::EnterText(params) => enter_text::perform(ctx, params).await,
        Params::Explain(params) => explain::perform(ctx, params).await,
        Params::Hover(params) => hover::perform(ctx, params).await,
        Params::OpenApp(params) => open_app::perform(ctx, params).await,
        Params::OpenUri(params) => open_uri::perform(ctx, params).await,
        Params::PressKey(params) => press_key::perform(ctx, params).await,
        Params::ResizeWindow(params) => resize_window::perform(ctx, params).await,
        Params::ReadClipboard(_) => read_clipboard::perform(ctx).await,
        Params::ReadConsole(params) => read_console::perform(ctx, params).await,
        Params::ReadKeyValuePair(params) => read_key_value_pair::perform(ctx, params).await,
        Params::ReadText(params) => read_text::perform(ctx, params).await,
        Params::Scroll(params) => scroll::perform(ctx, params).await,
        Params::ScrollAndClick(params) => scroll_and_click::perform(ctx, params).await,
        Params::ScrollUntil(params) => scroll_until::perform(ctx, params).await,
        Params::SelectOptions(params) => select_options::perform(ctx, params).await,
        Params::SetClipboard(params) => set_clipboard::perform(ctx, params).await,
        Params::SetOrientation(params) => set_orientation::perform(ctx, params).await,
        Params::Sleep(params) => sleep::perform(ctx, params).await,
        Params::SnapshotUi(params) => snapshot_ui::perform(ctx, params, execution, index).await,
        Params::StartRecording(params) => start_recording::perform(ctx, params).await,
        Params::StopRecording(params) => stop_recording::perform(ctx, params).await,
        Params::Tab(params) => tab::perform(ctx, params).await,
        Params::TakeScreenshot(params) => take_screenshot::perform(ctx, params).await,
        Params::Upload(params) => upload::perform(ctx, params).await,
        Params::WaitForNavigation(params) => wait_for_navigation::perform(ctx, params).await,
        Params::WaitForNode(params) => wait_for_node::perform(ctx, params).await,
        Params::WaitUntil(params) => wait_until::perform(ctx, params).await,
    }
}

/// Whether a step types: pages often wait for a pause before they handle what was typed, such as a filter of a list.
const fn is_typed(params: &Params) -> bool {
    matches!(params, Params::EnterText(_) | Params::PressKey(_))
}

/// Whether a step acts on what the screen shows, or reads it, without waiting for it by itself. More can be typed at once.
const fn uses_screen(params: &Params) -> bool {
    matches!(
        params,
        Params::Click(_)
            | Params::Drag(_)
            | Params::Explain(_)
            | Params::Hover(_)
            | Params::ReadKeyValuePair(_)
            | Params::ReadText(_)
            | Params::ScrollAndClick(_)
            | Params::SelectOptions(_)
            | Params::TakeScreenshot(_)
            | Params::Upload(_)
    )
}

/// A coordinate of a plan as pixels; values too large for any screen stay off-screen.
pub(crate) fn point(at: Coordinate) -> Point {
    let pixels = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    Point::new(pixels(at.x), pixels(at.y))
}

/// The roles of what can be acted on and of the texts of a screen, the most frequent first.
fn roles_on_screen(tree: &UiTree) -> Vec<&'static str> {
    const MAX: usize = 8;
    let mut counts: Vec<(usize, Role)> = Vec::new();
    for id in tree.ids().filter(|id| tree.is_on_screen(*id)) {
        let node = tree.node(id);
        let has_name = !node.text.is_empty() || !node.label.is_empty();
        if node.role == Role::Unknown || !has_name && tree.ref_target(id) != Some(id) {
            continue;
        }
        match counts.iter_mut().find(|(_, role)| *role == node.role) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, node.role)),
        }
    }
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let roles = counts.into_iter().take(MAX);
    roles.map(|(_, role)| role.as_str()).collect()
}

/// Rejects unknown roles before the device is touched; names the nodes that the rest of the matcher describes.
async fn check_roles(ctx: &mut StepContext<'_>, params: &Params) -> Result<(), Failure> {
    let mut roles = params
        .matchers()
        .filter_map(|matcher| Some((matcher, matcher.role.as_deref()?)));
    let Some((matcher, unknown)) = roles.find(|(_, role)| Role::parse(role).is_none()) else {
        return Ok(());
    };
    let seen = ctx.observe().await.ok();
    let tree = seen.as_ref().map(|seen| &*seen.tree);
    let roles = Role::ALL.iter().map(|role| role.as_str());
    let instead = match contract::nearest_name(unknown, roles.clone()) {
        Some(name) => format!("did you mean {name}?"),
        None => match tree.map(roles_on_screen).filter(|roles| !roles.is_empty()) {
            Some(roles) => format!("the screen has {}", roles.join(", ")),
            None => format!("the roles are {}", roles.collect::<Vec<_>>().join(", ")),
        },
    };
    let message = format!("there is no role {}; {instead}", quoted(unknown));
    let failure = Failure::new(ErrorCode::NodeNotFound, message);
    let nearest = tree.map(|tree| near_miss::describe(tree, &near_query(matcher)));
    let failure = match nearest.filter(|nearest| nearest != "[]") {
        Some(nearest) => failure.with_data("near_misses", nearest),
        None => failure,
    };
    Err(failure.with_data("match_count", "0"))
}
