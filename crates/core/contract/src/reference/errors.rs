//! The page of error codes.

use super::markdown::{Page, code};
use crate::error::{ErrorClass, ErrorCode};

pub(super) fn page() -> String {
    let mut page = Page::titled("Errors");
    page.paragraph(
        "A request that fails as a whole is answered with an object that has `code` and `message` \
         and, where there is more to say, `suggestion`, `hint` and `details`. A step that fails has \
         the code in `data.error` and a sentence in `data.message`. Branch on codes: they are stable, \
         sentences are not. The last column names the steps or the requests that a code belongs to.",
    );
    page.paragraph(&format!(
        "With `{}`, `details.path` is the place of the first problem, `details.actionId` and \
         `details.actionType` name its action, and `details.problems` lists every problem with its \
         `path` and `message`, so that all of them can be mended at once. A path names the keys as they \
         are spelled in the payload. `details.hint` says what was probably meant, where that can be told.",
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
                    error.fix().to_owned(),
                    error.place().to_owned(),
                ]
            }),
        );
    }
    page.finish()
}
