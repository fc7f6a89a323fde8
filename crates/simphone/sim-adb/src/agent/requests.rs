//! Executes requests to the agent.

use std::sync::MutexGuard;
use std::time::Duration;

use agent_protocol::{
    AgentDispatch, AgentError, AgentErrorCode, AgentForm, Answer, NodeAction, OtherScreen, Request,
    ScreenCapture, ScreenImage, WindowFlags,
};
use driver::{Cx, Driver, DriverError, Gesture, NodeAct, NodeRef, Revision};
use tokio::time::Instant;
use uitree::{NodeId, Point, WindowKind};

use crate::adb_phone::AdbPhone;
use crate::agent::capture::Scene;
use crate::agent_slot::{KeptScreen, Role, RunningAgent, Screens};
use crate::fault::{AgentFault, WireFault};
use crate::shell::{bar_trees, press_code, second_display};

const LONG: Duration = Duration::from_millis(400);
const SYSTEM_UI: &str = "com.android.systemui";
const SECOND: u32 = 2;
/// The keys that an accessibility service can press on every Android: home, back, notifications, app switch.
const SYSTEM_KEYS: [u32; 4] = [3, 4, 83, 187];

pub(super) type AgentResult = Result<Answer, AgentError>;

/// The body of the answer to an observation, and the phone's revision of it.
pub(super) struct ObservedScreen {
    pub(super) answer: Vec<u8>,
    pub(super) phone_revision: u64,
}

pub(super) fn error(code: AgentErrorCode, dispatch: AgentDispatch, message: &str) -> AgentError {
    AgentError {
        code,
        dispatch,
        message: message.to_owned(),
    }
}

fn refused(code: AgentErrorCode, message: &str) -> AgentError {
    error(code, AgentDispatch::Nothing, message)
}

/// The revision of a client's last observation.
pub(super) fn revision(agent: &RunningAgent, role: Role) -> u64 {
    agent.screens(role).revision
}

pub(super) fn fires(adb_phone: &AdbPhone, fault: AgentFault) -> bool {
    adb_phone.faults().has(&WireFault::Agent(fault))
}

pub(super) async fn run(
    adb_phone: &AdbPhone,
    agent: &RunningAgent,
    request: Request,
) -> AgentResult {
    match request {
        Request::Act {
            revision,
            node,
            action,
            argument,
        } => {
            let (revision, node) = found(agent, revision, node)?;
            if action == NodeAction::SetText && fires(adb_phone, AgentFault::TextRefused) {
                let why = "the app refused the action";
                return Err(refused(AgentErrorCode::Refused, why));
            }
            act(adb_phone, NodeRef { revision, node }, action, argument).await
        }
        Request::Touch {
            hold_ms,
            duration_ms,
            rest_ms,
            pointers,
            ..
        } => {
            if agent.form == AgentForm::Agent {
                allowed(adb_phone)?;
            }
            let time = |millis: u32| Duration::from_millis(millis.into());
            let times = [hold_ms, duration_ms, rest_ms].map(time);
            touch(adb_phone, times, &pointers).await
        }
        Request::Key { code, meta, .. } => {
            match agent.form {
                AgentForm::Agent => allowed(adb_phone)?,
                AgentForm::App if SYSTEM_KEYS.contains(&code) => {}
                AgentForm::App => {
                    let why = format!("an accessibility service cannot press key {code}");
                    return Err(refused(AgentErrorCode::Unsupported, &why));
                }
            }
            let at = Instant::now();
            let done = press_code(adb_phone, code, meta).await;
            done.map_err(|error| failed(&error))?;
            if meta == 0 {
                agent.key_was_pressed(at, code);
            }
            Ok(Answer::Done)
        }
        Request::Screenshot {
            jpeg_quality,
            max_side,
            ..
        } => screenshot(adb_phone, jpeg_quality, max_side).await,
        Request::Clipboard { set } => clipboard(adb_phone, agent.form, set).await,
        Request::Rotate { turns } => {
            let before = adb_phone.fixed_rotation().await;
            agent.rotation_before.get_or_init(|| before);
            adb_phone.set_rotation(turns).await;
            Ok(Answer::Done)
        }
        Request::Hello(_)
        | Request::Listen(..)
        | Request::Ping
        | Request::Observe { .. }
        | Request::Cancel { .. }
        | Request::Quit => Err(refused(AgentErrorCode::BadRequest, "not now")),
    }
}

/// The phone's node at an index of a kept observation.
fn found(
    agent: &RunningAgent,
    revision: u64,
    place: u32,
) -> Result<(Revision, NodeId), AgentError> {
    let stale = || refused(AgentErrorCode::Stale, "the node is gone");
    let screens = agent.screens(Role::Client);
    let mut kept = screens.kept.iter();
    let kept = kept
        .find(|kept| kept.revision == revision)
        .ok_or_else(stale)?;
    let place = usize::try_from(place).map_err(|_| stale())?;
    let node = kept.nodes.get(place).copied().flatten().ok_or_else(stale)?;
    Ok((kept.phone_revision, node))
}

fn allowed(adb_phone: &AdbPhone) -> Result<(), AgentError> {
    if adb_phone.faults().has(&WireFault::DenyInput) {
        let why =
            "java.lang.SecurityException: Injecting input events requires INJECT_EVENTS permission";
        return Err(refused(AgentErrorCode::Denied, why));
    }
    Ok(())
}

fn failed(done: &DriverError) -> AgentError {
    let text = done.to_string();
    match done {
        DriverError::Stale => refused(AgentErrorCode::Stale, &text),
        DriverError::NoWindow | DriverError::ScreenOff => refused(AgentErrorCode::NoWindow, &text),
        DriverError::Refused(why) => refused(AgentErrorCode::Refused, why),
        DriverError::Unsupported(_) => refused(AgentErrorCode::Refused, &text),
        DriverError::Deadline | DriverError::Cancelled => {
            error(AgentErrorCode::Cancelled, AgentDispatch::Done, &text)
        }
        DriverError::Lost { .. } => error(AgentErrorCode::Failed, AgentDispatch::Unknown, &text),
        _ => refused(AgentErrorCode::Failed, &text),
    }
}

async fn act(
    adb_phone: &AdbPhone,
    node: NodeRef,
    action: NodeAction,
    argument: String,
) -> AgentResult {
    let cx = adb_phone.cx();
    let mut driver = adb_phone.driver().await;
    let act = match action {
        NodeAction::Click => NodeAct::Click,
        NodeAction::LongClick => NodeAct::LongClick,
        NodeAction::Focus => NodeAct::Focus,
        NodeAction::SetText => NodeAct::SetText(argument),
        NodeAction::Submit => NodeAct::Submit,
        NodeAction::ShowOnScreen => {
            let shown = driver.reveal(&cx, node).await;
            return answered(shown, None);
        }
        NodeAction::ScrollForward | NodeAction::ScrollBackward => {
            return Err(refused(AgentErrorCode::Refused, "it scrolls by touch only"));
        }
    };
    let done = driver.act(&cx, node, &act).await;
    let text = match (&done, act) {
        (Ok(_), NodeAct::SetText(_)) => text_of_focus(&mut driver),
        _ => None,
    };
    answered(done.map(drop), text)
}

fn text_of_focus(driver: &mut driver_sim::SimDriver) -> Option<String> {
    let seen = driver.phone_mut().peek()?;
    let mut nodes = seen.tree.nodes().iter();
    let field = nodes.find(|node| node.is(uitree::State::FOCUSED | uitree::State::EDITABLE))?;
    Some(field.text.to_string())
}

fn answered(done: Result<(), DriverError>, text: Option<String>) -> AgentResult {
    done.map_err(|error| failed(&error))?;
    Ok(Answer::Acted { text })
}

async fn touch(
    adb_phone: &AdbPhone,
    [hold, duration, rest]: [Duration; 3],
    pointers: &[Vec<(i32, i32)>],
) -> AgentResult {
    let point = |(x, y): (i32, i32)| Point::new(x, y);
    let gesture = match pointers {
        [points] => match *points.as_slice() {
            [at] if hold + duration < LONG => Gesture::Tap { at: point(at) },
            [at] => Gesture::LongPress { at: point(at) },
            [from, to] if hold >= LONG => Gesture::Drag {
                from: point(from),
                to: point(to),
                duration,
            },
            [from, to] => Gesture::Swipe {
                from: point(from),
                to: point(to),
                duration,
                rest,
            },
            _ => {
                let why = "the simulated phone follows a finger along one line";
                return Err(refused(AgentErrorCode::Unsupported, why));
            }
        },
        _ => {
            let why = "the simulated phone follows one finger";
            return Err(refused(AgentErrorCode::Unsupported, why));
        }
    };
    let mut driver = adb_phone.driver().await;
    if !driver.phone().is_awake() {
        // Input to a screen that is off has no effect and succeeds.
        return Ok(Answer::Done);
    }
    match driver.touch(&adb_phone.cx(), &gesture).await {
        Ok(()) | Err(DriverError::OffScreen(_)) => Ok(Answer::Done),
        Err(error) => Err(failed(&error)),
    }
}

/// Reads or sets the clipboard. Only the foreground app and the shell may read it.
async fn clipboard(adb_phone: &AdbPhone, form: AgentForm, set: Option<String>) -> AgentResult {
    let mut driver = adb_phone.driver().await;
    let done = match &set {
        Some(text) => driver.set_clipboard(&adb_phone.cx(), text).await,
        None if form == AgentForm::App => {
            let why = "only the app in the foreground can read the clipboard";
            return Err(refused(AgentErrorCode::Unsupported, why));
        }
        None => Ok(()),
    };
    done.map_err(|error| failed(&error))?;
    let text = driver.phone().clipboard().to_owned();
    Ok(Answer::Clipboard { text })
}

async fn screenshot(
    adb_phone: &AdbPhone,
    jpeg_quality: Option<u8>,
    max_side: Option<u32>,
) -> AgentResult {
    let mut driver = adb_phone.driver().await;
    let image = driver.screenshot(&adb_phone.cx()).await;
    let image = image.map_err(|error| failed(&error))?;
    let unwritten = |why: String| refused(AgentErrorCode::Failed, &why);
    let mut image = draw::Image::from_png(&image.bytes).map_err(unwritten)?;
    if let Some(max_side) = max_side {
        image = image.scaled_to(max_side);
    }
    Ok(Answer::Screenshot(ScreenImage {
        width: image.width,
        height: image.height,
        bytes: match jpeg_quality {
            None => image.to_png(),
            Some(quality) => image.to_jpeg(quality).map_err(unwritten)?,
        },
    }))
}

pub(super) async fn observe(
    adb_phone: &AdbPhone,
    agent: &RunningAgent,
    role: Role,
    cx: &Cx,
    (display, known): (u32, u64),
) -> Result<ObservedScreen, AgentError> {
    let has_second = adb_phone.faults().has(&WireFault::TwoDisplays);
    let mut driver = adb_phone.driver().await;
    let density = driver.info().density;
    if display != 0 {
        if !has_second || display != SECOND {
            let why = "there is no such display";
            return Err(refused(AgentErrorCode::NoWindow, why));
        }
        let tree = second_display();
        let scene = Scene {
            tree: &tree,
            bars: &[],
            density,
            other_displays: Vec::new(),
        };
        let (capture, _) = scene.capture();
        return Ok(ObservedScreen {
            answer: keep(agent.screens(role), known, capture, Revision(0), Vec::new()),
            phone_revision: driver.phone().revision(),
        });
    }
    let seen = driver.observe(cx).await.map_err(|error| failed(&error))?;
    let is_stale = fires(adb_phone, AgentFault::StaleCache);
    let before = agent.screens(role).kept.last().cloned();
    if is_stale && let Some(kept) = before {
        // The fault: the agent's node cache was not cleared.
        let (screens, revision) = (agent.screens(role), kept.phone_revision);
        return Ok(ObservedScreen {
            answer: keep(screens, known, kept.capture, revision, kept.nodes),
            phone_revision: seen.revision.0,
        });
    }
    let of_system = |window: &driver::WindowInfo| {
        window.kind == WindowKind::System && window.package.as_deref() == Some(SYSTEM_UI)
    };
    let bars = match seen.windows.iter().any(of_system) {
        true => bar_trees(driver.phone(), &seen.tree),
        false => Vec::new(),
    };
    let second = OtherScreen {
        id: SECOND,
        windows: 1,
    };
    let scene = Scene {
        tree: &seen.tree,
        bars: &bars,
        density,
        other_displays: has_second.then_some(second).into_iter().collect(),
    };
    let (mut capture, nodes) = scene.capture();
    damage(adb_phone, &mut capture);
    Ok(ObservedScreen {
        answer: keep(agent.screens(role), known, capture, seen.revision, nodes),
        phone_revision: seen.revision.0,
    })
}

/// Applies the faults that make parts unreadable.
fn damage(adb_phone: &AdbPhone, capture: &mut ScreenCapture) {
    let (half, rootless) = (
        fires(adb_phone, AgentFault::HalfTree),
        fires(adb_phone, AgentFault::NoRoot),
    );
    let mut windows = capture.windows.iter_mut();
    if let Some(window) = windows.find(|window| window.flags.contains(WindowFlags::ACTIVE)) {
        if half {
            window.unreadable = 1;
        }
        if rootless {
            window.flags |= WindowFlags::UNREADABLE_ROOT;
            window.nodes.clear();
        }
    }
}

fn keep(
    mut screens: MutexGuard<'_, Screens>,
    known: u64,
    capture: ScreenCapture,
    phone_revision: Revision,
    nodes: Vec<Option<NodeId>>,
) -> Vec<u8> {
    let before = screens.kept.pop();
    if (before.as_ref()).is_none_or(|before| before.capture != capture) {
        screens.revision += 1;
        screens.kept = before.into_iter().collect();
    }
    let revision = screens.revision;
    let answer = screens.sent.answer(&capture, revision, known);
    screens.kept.push(KeptScreen {
        revision,
        capture,
        phone_revision,
        nodes,
    });
    answer
}
