//! What each action does, one file for each.

mod click;
mod close_app;
mod enter_text;
mod open_app;
mod open_uri;
mod press_key;
mod read_key_value_pair;
mod read_text;
mod scroll;
mod scroll_and_click;
mod scroll_until;
mod sleep;
mod snapshot_ui;
mod start_recording;
mod stop_recording;
mod take_screenshot;
mod wait_for_navigation;
mod wait_for_node;

use contract::{ErrorCode, Execution, Params, StepData};
use uitree::Role;

use crate::failure::Failure;
use crate::stage::Stage;
use crate::words::quoted;

/// Does the step at `index` of the plan.
pub(crate) async fn perform(
    stage: &mut Stage<'_>,
    execution: &Execution,
    index: usize,
) -> Result<StepData, Failure> {
    let params = execution.actions()[index].params();
    know_roles(params)?;
    stage.look_for(&params.css())?;
    match params {
        Params::Click(params) => click::perform(stage, params).await,
        Params::CloseApp(params) => close_app::perform(stage, params).await,
        Params::EnterText(params) => enter_text::perform(stage, params).await,
        Params::OpenApp(params) => open_app::perform(stage, params).await,
        Params::OpenUri(params) => open_uri::perform(stage, params).await,
        Params::PressKey(params) => press_key::perform(stage, params).await,
        Params::ReadKeyValuePair(params) => read_key_value_pair::perform(stage, params).await,
        Params::ReadText(params) => read_text::perform(stage, params).await,
        Params::Scroll(params) => scroll::perform(stage, params).await,
        Params::ScrollAndClick(params) => scroll_and_click::perform(stage, params).await,
        Params::ScrollUntil(params) => scroll_until::perform(stage, params).await,
        Params::Sleep(params) => sleep::perform(stage, params).await,
        Params::SnapshotUi(params) => snapshot_ui::perform(stage, params, execution, index).await,
        Params::StartRecording(params) => start_recording::perform(stage, params).await,
        Params::StopRecording(params) => stop_recording::perform(stage, params).await,
        Params::TakeScreenshot(params) => take_screenshot::perform(stage, params).await,
        Params::WaitForNavigation(params) => wait_for_navigation::perform(stage, params).await,
        Params::WaitForNode(params) => wait_for_node::perform(stage, params).await,
    }
}

/// Refuses a role that no node has, before anything is looked at.
fn know_roles(params: &Params) -> Result<(), Failure> {
    let mut roles = params
        .matchers()
        .filter_map(|matcher| matcher.role.as_deref());
    let Some(unknown) = roles.find(|role| Role::parse(role).is_none()) else {
        return Ok(());
    };
    let known: Vec<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
    let message = format!(
        "there is no role {}, so that nothing matches it; the roles are {}",
        quoted(unknown),
        known.join(", ")
    );
    Err(Failure::new(ErrorCode::NodeNotFound, message).after("match_count", "0"))
}
