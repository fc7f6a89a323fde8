//! `inspect`: finds an element by description and returns its selectors.

use contract::{ErrorBody, ErrorCode, ParsedExecution, limits};
use service::Service;
use service::inspect::{
    AttributeFilter, Direction, ElementDescription, NearAnchor, Request, Target,
};
use tokio_util::sync::CancellationToken;

use crate::errors::{invalid, missing};
use crate::number;
use crate::output::{Answer, Format};
use crate::plan::{self, Ids, Origin, Plan};
use crate::progress::Progress;
use crate::run::{interrupts, log_ids, passing, runtime};
use crate::table::{
    Arguments, Command, FlagSet, FlagValue, Globals, Group, LogIds, Positional, Scope, Task, flags,
};

flags! {
    NEAR = "--near", FlagValue::Text("<reference>"),
        "An element nearby: a matcher in JSON, a CSS selector on web pages, or visible text; on a phone #name is the id \
        PACKAGE:id/name";
    DIRECTION = "--direction", FlagValue::OneOf("<side>", sides),
        "The side of --near to search: above, below, left, right or inside";
    ROLE = "--role", FlagValue::Text("<role>"),
        "Its role; button covers <button>, <input type=submit> and [role=button]";
    LABEL = "--aria-label" | "--desc", FlagValue::Text("<glob>"),
        "Its aria-label or accessible name; on a phone, the content description";
    TEST_ID = "--data-testid" | "--test-id", FlagValue::Text("<glob>"),
        "Its data-testid, data-test, data-qa or data-cy; on a phone, the resource id";
    CLASS = "--class-contains", FlagValue::Text("<glob>"),
        "A substring of its class; on a phone, of its widget class";
    PLACEHOLDER = "--placeholder" | "--hint", FlagValue::Text("<glob>"),
        "Its placeholder; on a phone, its hint";
    TYPE = "--type", FlagValue::Text("<glob>"), "Its type attribute, such as submit or password";
    TAG = "--tag", FlagValue::Text("<tag>"),
        "Its tag, such as button, input or a; on a phone, its widget class or the last part of it";
    STRICT = "--strict-stability" | "--strict", FlagValue::Switch,
        "Return only selectors by ids and test ids that are not generated";
    LIMIT = "--limit", FlagValue::Text("<n>"),
        "Maximum number of elements, and of selectors of the best one: 1 to 20 [default: 3]";
}

pub(crate) static COMMAND: Command = Command {
    name: "inspect",
    group: Group::Interaction,
    usage: &["inspect [<description>] [filters] [--near <reference> [--direction <side>]]"],
    summary: "Find an element by description and return stable selectors for it",
    notes: &[
        "JSON: `verdict` (certain, or unsure if no element has the `missing` words) and `elements`, best match first, \
        each with `match` (how well it fits the description), `element`, `ref`, `visible`, `reasons` and `selectors`, \
        most stable first, each with `stability` (how likely it is to keep matching), `strategy`, `selector`, \
        `matches` and `verified`",
        "`selector` is a matcher for --selector and payloads. With --output pretty the result is text for a model, at \
        most 200 tokens for three candidates",
        "Several equally good matches are ELEMENT_AMBIGUOUS and no match is ELEMENT_NOT_FOUND, both with \
        details.elements and exit status 1",
        "In filter values, * matches any characters and case is ignored",
    ],
    positional: Some(Positional::new(
        "<description>",
        "A description in your own words: \"the login button\", \"second delete under Billing\"",
    )),
    flags: &[
        FlagSet::new(
            "Filters (all must match)",
            &[
                &flags::TEXT_CONTAINS,
                &ROLE,
                &LABEL,
                &TEST_ID,
                &CLASS,
                &PLACEHOLDER,
                &TYPE,
                &TAG,
            ],
        ),
        FlagSet::new("Place", &[&NEAR, &DIRECTION]),
        FlagSet::new("Answer", &[&STRICT, &LIMIT]),
    ],
    scopes: Scope::PLAN,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &[
        "inspect \"the login button\"",
        "inspect \"settings\" --role button --output pretty --device sim",
        "inspect --data-testid 'login-*' --strict-stability",
        "inspect \"delete button\" --near \"Billing\" --direction below",
    ],
    ..Command::new(build)
};

/// The flags common to `inspect` and `selectors`.
pub(super) static ORIGIN: Origin = Origin {
    mode: Some("direct"),
    ..Origin::observe(Ids::Random("inspect"), "snap")
};

/// The maximum number of elements.
const MAX: usize = 20;

/// Finds an element, or lists the selectors of a known one.
pub(super) struct Inspect {
    pub(super) plan: ParsedExecution,
    pub(super) what: Target,
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let description = arguments.positional();
    let text = |flag| Ok::<_, ErrorBody>(arguments.strict(flag)?.map(str::to_owned));
    let request = Request {
        description: description.map(str::to_owned),
        text_contains: text(&flags::TEXT_CONTAINS)?,
        near: None,
        attributes: AttributeFilter {
            role: text(&ROLE)?,
            aria_label: text(&LABEL)?,
            data_testid: text(&TEST_ID)?,
            class_contains: text(&CLASS)?,
            placeholder: text(&PLACEHOLDER)?,
            r#type: text(&TYPE)?,
        },
        tag: text(&TAG)?,
        strict_stability: arguments.has(&STRICT),
        limit: limit(arguments)?,
    };
    let direction = arguments.word(&DIRECTION, &sides(), Direction::parse)?;
    let near = text(&NEAR)?.map(|what| NearAnchor { what, direction });
    if direction.is_some() && near.is_none() {
        return Err(invalid("--direction requires --near"));
    }
    if request.is_empty() && near.is_none() {
        return Err(missing(
            "inspect requires a description or a filter, as in inspect \"the login button\"",
        ));
    }
    if description.is_some_and(limits::is_blank) {
        return Err(invalid("the description must not be blank"));
    }
    let plan = snapshot_plan(arguments)?;
    let what = Target::Described(Box::new(ElementDescription { request, near }));
    Ok(Box::new(Inspect { plan, what }))
}

/// The execution that reads the screen.
pub(super) fn snapshot_plan(arguments: &Arguments) -> Result<ParsedExecution, ErrorBody> {
    let timeout = plan::whole_timeout(arguments)?;
    Plan {
        origin: &ORIGIN,
        kind: contract::ActionKind::SnapshotUi,
        params: None,
        timeout: timeout.unwrap_or(plan::DEFAULT_TIMEOUT_MS),
    }
    .parsed(arguments)
}

/// The value of `--limit`.
pub(super) fn limit(arguments: &Arguments) -> Result<Option<usize>, ErrorBody> {
    let expected = format!("a whole number from 1 to {MAX}");
    arguments.parsed(&LIMIT, &expected, |text| {
        let given = number::read(text);
        (1..=MAX).find(|limit| given == *limit as f64)
    })
}

fn sides() -> Vec<&'static str> {
    Direction::ALL.iter().map(|side| side.as_str()).collect()
}

impl Task for Inspect {
    fn log_ids(&self) -> Option<LogIds> {
        Some(log_ids(&self.plan))
    }

    fn run(self: Box<Self>, globals: &Globals) -> Result<Answer, ErrorBody> {
        let options = passing(globals);
        let runtime = runtime(&options, globals)?;
        let service = Service::new(options);
        let mut progress = Progress::open(globals);
        let device = globals.device.as_deref();
        let found = runtime.block_on(async {
            let cancel = CancellationToken::new();
            tokio::spawn(interrupts(cancel.clone()));
            let mut print_notice = |event: &service::Event<'_>| progress.step(event);
            let (plan, what) = (self.plan, &self.what);
            service
                .find(device, plan, what, cancel, &mut print_notice)
                .await
        })?;
        Ok(Answer::Finding {
            default: Format::Compact,
            text: found.text,
            document: found.document,
            good: found.good,
        })
    }
}

/// Error of an invalid `--ref`.
pub(super) fn no_ref(text: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ExecutionValidationFailed,
        format!(
            "invalid value {:?} for --ref (expected a ref from a result of inspect, such as 42-9f3a)",
            escape::truncate_input(text)
        ),
    )
}
