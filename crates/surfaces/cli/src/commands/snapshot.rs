//! `snapshot`: reads the screen as a tree.

use contract::{ActionKind, ErrorBody, ScreenView};
use serde_json::Map;

use crate::errors::invalid;
use crate::plan::{self, Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Scope, Task, flags};

flags! {
    VIEW = "--view", FlagValue::OneOf("<view>", views),
        "The format: `hierarchy_xml` has every node and attribute, `text` one line for each visible element, `actionable` only \
        those that can be acted on [default: hierarchy_xml]";
    ACTIONABLE = "--actionable", FlagValue::Switch,
        "The same as --view actionable";
    BUDGET = "--budget", FlagValue::Text("<tokens>"),
        "Leave out the least needed lines beyond about this many tokens; with --view text or actionable";
    ALL = "--all", FlagValue::Switch,
        "Show also what containers have beyond their edges, as on long web pages; with --view text or actionable";
}

pub(crate) static COMMAND: Command = Command {
    name: "snapshot",
    synonyms: &["observe snapshot"],
    group: Group::Interaction,
    usage: &[
        "snapshot [--view <view> | --actionable] [--budget <tokens>] [--all] [--timeout <ms>]",
    ],
    summary: "Read the screen as a tree of nodes",
    notes: &[
        "The tree is in envelope.stepResults[0].data.text. With --view text or actionable the screen itself is printed, \
         with --output pretty or on a terminal always as text; --json prints the result",
    ],
    flags: &[
        FlagSet::new("Flags", &[&VIEW, &ACTIONABLE, &BUDGET, &ALL]),
        flags::VALIDATION,
    ],
    scopes: Scope::PLAN,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &[
        "snapshot --device sim",
        "snapshot --actionable --budget 500",
        "snapshot --json --timeout 10000",
    ],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    mode: Some("direct"),
    ..Origin::observe(Ids::Random("snapshot"), "snap")
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    plan::finite_timeout(arguments)?;
    let mut params = Map::new();
    super::put(&mut params, "view", view(arguments)?.map(Into::into));
    let budget = super::number(arguments, &BUDGET, "tokens")?;
    super::put(&mut params, "budget", budget);
    if arguments.has(&ALL) {
        params.insert("all".to_owned(), true.into());
    }
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::SnapshotUi,
        params: Some(params).filter(|params| !params.is_empty()),
        timeout: plan::DEFAULT_TIMEOUT_MS,
    }
    .task_with_override(arguments)
}

/// The requested view.
fn view(arguments: &Arguments) -> Result<Option<&str>, ErrorBody> {
    let actionable = ScreenView::Actionable.as_str();
    match (arguments.strict(&VIEW)?, arguments.has(&ACTIONABLE)) {
        (Some(view), true) if view != actionable => {
            Err(invalid("use --view or --actionable, not both"))
        }
        (_, true) => Ok(Some(actionable)),
        (view, false) => Ok(view),
    }
}

/// The words for views.
fn views() -> Vec<&'static str> {
    ScreenView::ALL.iter().map(|view| view.as_str()).collect()
}
