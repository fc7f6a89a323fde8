//! The errors of a page, as its developer tools would show them.

use std::fmt;

/// An error of a page. Its texts come from the page: shortened, and without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageError {
    /// A message of the console with the level `error`, or an uncaught exception.
    Console {
        /// Its text.
        text: String,
        /// The script, without query, and the line; `None` if unknown.
        place: Option<String>,
    },
    /// A request that was answered with a status from 400, or not at all.
    Request {
        /// Its method.
        method: String,
        /// Its path, with the host if it is not that of the page; without query.
        path: String,
        /// The status, or the reason of the browser.
        outcome: String,
    },
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Console {
                text,
                place: Some(place),
            } => write!(f, "{text} ({place})"),
            Self::Console { text, place: None } => f.write_str(text),
            Self::Request {
                method,
                path,
                outcome,
            } => write!(f, "{method} {path} {outcome}"),
        }
    }
}

/// An error, and how many times it occurred in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedError {
    /// The error.
    pub error: PageError,
    /// How many times.
    pub times: u64,
}

/// The last errors of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageErrors {
    /// The errors, the oldest first.
    pub last: Vec<CountedError>,
    /// The number of earlier ones that were forgotten.
    pub forgotten: u64,
}

/// The errors since the last request for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPageErrors {
    /// The number of console errors.
    pub console: u64,
    /// The number of failed requests.
    pub requests: u64,
    /// The last failed request.
    pub last_request: Option<PageError>,
}

impl NewPageErrors {
    /// Counts a failed request.
    pub fn count(&mut self, request: PageError) {
        self.requests += 1;
        self.last_request = Some(request);
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.console == 0 && self.requests == 0
    }

    /// Adds those of another tab.
    pub fn add(&mut self, other: Self) {
        self.console += other.console;
        self.requests += other.requests;
        self.last_request = other.last_request.or_else(|| self.last_request.take());
    }
}

impl fmt::Display for NewPageErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |count: u64, one: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {one}s"),
        };
        let mut parts = Vec::new();
        if self.console > 0 {
            parts.push(count(self.console, "console error"));
        }
        if self.requests > 0 {
            let requests = count(self.requests, "failed request");
            parts.push(match (&self.last_request, self.requests) {
                (Some(last), 1) => format!("{requests} ({last})"),
                (Some(last), _) => format!("{requests} (the last: {last})"),
                (None, _) => requests,
            });
        }
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_errors_are_counted_in_one_line() {
        let request = PageError::Request {
            method: "POST".to_owned(),
            path: "/api/save".to_owned(),
            outcome: "500".to_owned(),
        };
        let mut new = NewPageErrors {
            console: 3,
            requests: 1,
            last_request: Some(request),
        };
        assert_eq!(
            new.to_string(),
            "3 console errors, 1 failed request (POST /api/save 500)"
        );
        new.add(NewPageErrors {
            requests: 1,
            ..NewPageErrors::default()
        });
        assert_eq!(
            new.to_string(),
            "3 console errors, 2 failed requests (the last: POST /api/save 500)"
        );
        let one = NewPageErrors {
            console: 1,
            ..NewPageErrors::default()
        };
        assert_eq!(one.to_string(), "1 console error");
        assert!(NewPageErrors::default().is_empty());
    }
}
