//! The observed cases with intentionally different results, each with the reason and the result.

/// The result instead.
pub(crate) enum Instead {
    /// An error with this code and this path in its details.
    Fails {
        code: &'static str,
        path: Option<&'static str>,
    },
    /// A plan with these values at these paths.
    Accepts(&'static [(&'static str, &'static str)]),
}

/// One case.
pub(crate) struct Deviation {
    pub(crate) id: u64,
    pub(crate) reason: &'static str,
    pub(crate) instead: Instead,
}

const fn case(id: u64, reason: &'static str, instead: Instead) -> Deviation {
    Deviation {
        id,
        reason,
        instead,
    }
}

/// Every deviation.
pub(crate) const DEVIATIONS: &[Deviation] = &[
    case(
        111,
        "a usage error always exits 1",
        Instead::Fails {
            code: "USAGE",
            path: None,
        },
    ),
    case(
        158,
        "--validate is the same as --validate-only, so that no spelling near it can run a plan",
        Instead::Accepts(&[("/execution/commandId", r#""cmd-1""#)]),
    ),
    case(
        240,
        "a value may begin with one dash",
        Instead::Accepts(&[(
            "/execution/actions/0/params/matcher",
            r#"{"textEquals":"-5"}"#,
        )]),
    ),
    case(
        258,
        "a value may begin with one dash",
        Instead::Accepts(&[(
            "/execution/actions/0/params/matcher",
            r#"{"contentDescEquals":"-5"}"#,
        )]),
    ),
    case(
        379,
        "a flag that the command does not use is a usage error",
        Instead::Fails {
            code: "USAGE",
            path: None,
        },
    ),
    case(
        405,
        "the time for the whole execution is capped at its limit, so long waits work",
        Instead::Accepts(&[
            ("/execution/timeoutMs", r#"120000"#),
            ("/execution/actions/0/params/timeoutMs", r#"118000"#),
        ]),
    ),
    case(
        533,
        "a value may begin with one dash",
        Instead::Accepts(&[("/execution/actions/0/params/text", r#""-5""#)]),
    ),
    case(
        553,
        "the canonical flag counts before its other spellings, wherever it stands, as a canonical key does in a plan",
        Instead::Accepts(&[
            ("/execution/commandId", r#""cmd-1""#),
            ("/warnings/0/code", r#""ALIAS_IGNORED""#),
        ]),
    ),
    case(
        554,
        "an argument for which there is no use is a usage error",
        Instead::Fails {
            code: "USAGE",
            path: None,
        },
    ),
    case(
        574,
        "- is standard input",
        Instead::Accepts(&[("/execution/commandId", r#""cmd-1""#)]),
    ),
    case(
        593,
        "white space alone is blank",
        Instead::Fails {
            code: "EXECUTION_VALIDATION_FAILED",
            path: Some("commandId"),
        },
    ),
    case(
        630,
        "an unsupported action type has a code and a place of its own",
        Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.0.type"),
        },
    ),
    case(
        635,
        "an unsupported action type has a code and a place of its own",
        Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.1.type"),
        },
    ),
    case(
        650,
        "an unsupported action type has a code and a place of its own",
        Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.1.type"),
        },
    ),
    case(
        746,
        "a value that the device would clamp is clamped here, with a warning",
        Instead::Accepts(&[
            ("/execution/actions/0/params/timeoutMs", r#"120000"#),
            ("/warnings/0/code", r#""VALUE_CLAMPED""#),
        ]),
    ),
    case(
        802,
        "a value that the device would clamp is clamped here, with a warning",
        Instead::Accepts(&[
            ("/execution/actions/0/params/retry/maxAttempts", r#"10"#),
            ("/warnings/0/code", r#""VALUE_CLAMPED""#),
        ]),
    ),
    case(
        845,
        "the direction is checked for every action that has one",
        Instead::Fails {
            code: "EXECUTION_VALIDATION_FAILED",
            path: Some("actions.0.params.direction"),
        },
    ),
    case(
        847,
        "a value that the device would clamp is clamped here, with a warning",
        Instead::Accepts(&[
            ("/execution/actions/0/params/maxSwipes", r#"50"#),
            ("/warnings/0/code", r#""VALUE_CLAMPED""#),
        ]),
    ),
    case(
        932,
        "an unsupported action type has a code and a place of its own",
        Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.0.type"),
        },
    ),
    case(
        933,
        "an unsupported action type has a code and a place of its own",
        Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.0.type"),
        },
    ),
    case(
        935,
        "an unsupported action type has a code and a place of its own",
        Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.0.type"),
        },
    ),
    case(
        1031,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1047,
        "a usage error always exits 1",
        Instead::Fails {
            code: "USAGE",
            path: None,
        },
    ),
    case(
        1052,
        "a usage error always exits 1",
        Instead::Fails {
            code: "USAGE",
            path: None,
        },
    ),
    case(
        1171,
        "a usage error always exits 1",
        Instead::Fails {
            code: "USAGE",
            path: None,
        },
    ),
    case(
        1178,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1182,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1184,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1188,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1193,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1201,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1202,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
    case(
        1203,
        "the command is not offered",
        Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    ),
];
