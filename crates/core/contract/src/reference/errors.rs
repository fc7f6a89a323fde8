//! The page of error codes.

use super::markdown::{Page, code};
use crate::error::{ErrorClass, ErrorCode};

pub(super) fn page() -> String {
    let mut page = Page::titled("Errors");
    page.paragraph(
        "A failed request returns an object with `code` and `message`, and optionally `suggestion`, `hint` and \
        `details`. A failed step has the code in `data.error` and a message in `data.message`. Branch on codes: they \
        are stable, messages are not. The last column lists the steps or requests that return the code.",
    );
    page.paragraph(&format!(
        "With `{}`, `details.path` is the path of the first problem, `details.actionId` and `details.actionType` \
        identify its action, and `details.problems` lists all problems with `path` and `message`, so that they can be \
        fixed together. Paths use the spelling of the payload. `details.hint` suggests a correction, if there is one.",
        ErrorCode::ExecutionValidationFailed
    ));
    for class in ErrorClass::ALL {
        page.heading(&format!("Class `{class}`"));
        page.paragraph(class.meaning());
        let rows = ErrorCode::ALL
            .iter()
            .filter(|error| error.class() == *class);
        page.table(
            ["code", "meaning", "what to do", "where"],
            rows.map(|error| {
                [
                    code(error),
                    error.meaning().to_owned(),
                    error.hint().to_owned(),
                    error.place().to_owned(),
                ]
            }),
        );
    }
    page.finish()
}
