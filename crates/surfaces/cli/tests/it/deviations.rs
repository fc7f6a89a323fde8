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

/// Cases with the same result.
pub(crate) struct Deviation {
    pub(crate) ids: &'static [u64],
    pub(crate) reason: &'static str,
    pub(crate) instead: Instead,
}

/// Every deviation.
pub(crate) const DEVIATIONS: &[Deviation] = &[
    Deviation {
        ids: &[111, 1047, 1052, 1171],
        reason: "a usage error always exits 1",
        instead: Instead::Fails {
            code: "USAGE",
            path: None,
        },
    },
    Deviation {
        ids: &[158],
        reason: "--validate is the same as --validate-only, so that no spelling near it can run a plan",
        instead: Instead::Accepts(&[("/execution/commandId", r#""cmd-1""#)]),
    },
    Deviation {
        ids: &[240],
        reason: "a value may begin with one dash",
        instead: Instead::Accepts(&[(
            "/execution/actions/0/params/matcher",
            r#"{"textEquals":"-5"}"#,
        )]),
    },
    Deviation {
        ids: &[258],
        reason: "a value may begin with one dash",
        instead: Instead::Accepts(&[(
            "/execution/actions/0/params/matcher",
            r#"{"contentDescEquals":"-5"}"#,
        )]),
    },
    Deviation {
        ids: &[379],
        reason: "a flag that the command does not use is a usage error",
        instead: Instead::Fails {
            code: "USAGE",
            path: None,
        },
    },
    Deviation {
        ids: &[405],
        reason: "the time for the whole execution is capped at its limit, so long waits work",
        instead: Instead::Accepts(&[
            ("/execution/timeoutMs", r#"120000"#),
            ("/execution/actions/0/params/timeoutMs", r#"118000"#),
        ]),
    },
    Deviation {
        ids: &[533],
        reason: "a value may begin with one dash",
        instead: Instead::Accepts(&[("/execution/actions/0/params/text", r#""-5""#)]),
    },
    Deviation {
        ids: &[553],
        reason: "the canonical flag counts before its other spellings, wherever it stands, as a canonical key does in a plan",
        instead: Instead::Accepts(&[
            ("/execution/commandId", r#""cmd-1""#),
            ("/warnings/0/code", r#""ALIAS_IGNORED""#),
        ]),
    },
    Deviation {
        ids: &[554],
        reason: "an argument for which there is no use is a usage error",
        instead: Instead::Fails {
            code: "USAGE",
            path: None,
        },
    },
    Deviation {
        ids: &[574],
        reason: "- is standard input",
        instead: Instead::Accepts(&[("/execution/commandId", r#""cmd-1""#)]),
    },
    Deviation {
        ids: &[593],
        reason: "white space alone is blank",
        instead: Instead::Fails {
            code: "EXECUTION_VALIDATION_FAILED",
            path: Some("commandId"),
        },
    },
    Deviation {
        ids: &[630, 932, 933, 935],
        reason: "an unsupported action type has a code and a place of its own",
        instead: Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.0.type"),
        },
    },
    Deviation {
        ids: &[635, 650],
        reason: "an unsupported action type has a code and a place of its own",
        instead: Instead::Fails {
            code: "EXECUTION_ACTION_UNSUPPORTED",
            path: Some("actions.1.type"),
        },
    },
    Deviation {
        ids: &[746],
        reason: "a value that the device would clamp is clamped here, with a warning",
        instead: Instead::Accepts(&[
            ("/execution/actions/0/params/timeoutMs", r#"120000"#),
            ("/warnings/0/code", r#""VALUE_CLAMPED""#),
        ]),
    },
    Deviation {
        ids: &[802],
        reason: "a value that the device would clamp is clamped here, with a warning",
        instead: Instead::Accepts(&[
            ("/execution/actions/0/params/retry/maxAttempts", r#"10"#),
            ("/warnings/0/code", r#""VALUE_CLAMPED""#),
        ]),
    },
    Deviation {
        ids: &[845],
        reason: "the direction is checked for every action that has one",
        instead: Instead::Fails {
            code: "EXECUTION_VALIDATION_FAILED",
            path: Some("actions.0.params.direction"),
        },
    },
    Deviation {
        ids: &[847],
        reason: "a value that the device would clamp is clamped here, with a warning",
        instead: Instead::Accepts(&[
            ("/execution/actions/0/params/maxSwipes", r#"50"#),
            ("/warnings/0/code", r#""VALUE_CLAMPED""#),
        ]),
    },
    Deviation {
        ids: &[1031, 1178, 1182, 1184, 1188, 1193, 1201, 1202, 1203],
        reason: "the command is not offered",
        instead: Instead::Fails {
            code: "UNKNOWN_COMMAND",
            path: None,
        },
    },
];
