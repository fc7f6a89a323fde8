//! The inspector page, embedded in the program. The page needs no token; its requests do.

use std::sync::LazyLock;

use hyper::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, HeaderName, HeaderValue,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{HeaderMap, Method, StatusCode};

use contract::{ErrorBody, ErrorCode};

use crate::gzip::{GzippedFile, accepts_gzip, matches_etag};
use crate::input::error_with_hint;
use crate::reply::{self, Reply};

/// Content of devices cannot run scripts, load resources or frame the page.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action \
    'none'; frame-ancestors 'none'";
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// One file of the page: its path, its type, its text.
type File = (&'static str, &'static str, &'static str);

/// Files of the folder `page` by their names.
macro_rules! files {
    ($($name:literal: $kind:expr),* $(,)?) => {
        &[$((concat!("/page/", $name), $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

/// The files below `/page/`.
const FILES: &[File] = files! {
    "index.html": HTML,
    "style.css": CSS,
    "api.js": SCRIPT,
    "command.js": SCRIPT,
    "dom.js": SCRIPT,
    "flow.js": SCRIPT,
    "log.js": SCRIPT,
    "main.js": SCRIPT,
    "node.js": SCRIPT,
    "picture.js": SCRIPT,
    "screen.js": SCRIPT,
    "tree.js": SCRIPT,
};

/// The compressed files in the same order, made on first use.
static GZIPPED: LazyLock<Vec<GzippedFile>> = LazyLock::new(|| {
    let texts = FILES.iter().map(|(_, _, text)| text.as_bytes());
    texts.map(GzippedFile::new).collect()
});

/// The index of the file at a path.
fn file_index(path: &str) -> Option<usize> {
    let path = match path {
        "/" => "/page/index.html",
        other => other,
    };
    FILES.iter().position(|(name, _, _)| *name == path)
}

/// The response for a file of the page; `None` for other paths.
pub(crate) fn answer(
    method: &Method,
    path: &str,
    request_headers: &HeaderMap,
) -> Option<Result<Reply, ErrorBody>> {
    let place = file_index(path)?;
    let (_, kind, text) = FILES.get(place)?;
    if !matches!(*method, Method::GET | Method::HEAD) {
        let shown = contract::truncate(method.as_str(), 20);
        let message = format!("{path} supports GET and HEAD, not {shown}");
        let error =
            error_with_hint(ErrorCode::MethodNotAllowed, message).with_detail("allow", "GET, HEAD");
        return Some(Err(error));
    }
    let packed = GZIPPED.get(place)?;
    let mut reply = if matches_etag(request_headers, &packed.tag) {
        reply::reply(StatusCode::NOT_MODIFIED, kind, "")
    } else if accepts_gzip(request_headers) {
        let mut reply = reply::reply(StatusCode::OK, kind, packed.gzip.as_slice());
        let gzip = HeaderValue::from_static("gzip");
        reply.headers_mut().insert(CONTENT_ENCODING, gzip);
        reply
    } else {
        reply::reply(StatusCode::OK, kind, *text)
    };
    let headers = reply.headers_mut();
    headers.insert(ETAG, packed.tag.clone());
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (OPENER, "same-origin"),
        // Browsers revalidate, so that an updated program shows its own page.
        (CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Some(Ok(reply))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Option<&'static File> {
        file_index(path).and_then(|place| FILES.get(place))
    }

    #[test]
    fn page_contains_all_resources_it_loads() {
        let (_, _, html) = file("/").unwrap();
        let mut referenced: Vec<String> = Vec::new();
        for attribute in ["href=\"", "src=\""] {
            let parts = html.split(attribute).skip(1);
            referenced.extend(
                parts
                    .filter_map(|part| part.split('"').next())
                    .map(str::to_owned),
            );
        }
        for (_, kind, text) in FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT) {
            assert_eq!(*kind, SCRIPT);
            let parts = text.split("from \"./").skip(1);
            referenced.extend(
                parts
                    .filter_map(|part| part.split('"').next())
                    .map(|name| format!("/page/{name}")),
            );
        }
        referenced.retain(|path| path != "data:,");
        assert!(referenced.len() > FILES.len(), "{referenced:?}");
        for path in &referenced {
            assert!(file(path).is_some(), "{path}");
        }
        for (path, _, _) in FILES.iter().filter(|(path, _, _)| !path.ends_with(".html")) {
            assert!(
                referenced.iter().any(|one| one == path),
                "{path} is not used"
            );
        }
    }

    #[test]
    fn page_is_small_and_builds_no_markup() {
        let total: usize = FILES.iter().map(|(_, _, text)| text.len()).sum();
        let sent: usize = GZIPPED.iter().map(|file| file.gzip.len()).sum();
        println!("the page: {total} bytes, {sent} as they are sent");
        assert!(
            total < 80_000 && sent < 28_000,
            "{total} bytes, {sent} sent"
        );
        for (path, _, text) in FILES {
            for never in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "http://",
                "//cdn",
            ] {
                let allowed = never == "http://"
                    && (text.matches(never).count() == text.matches("http://www.w3.org").count());
                assert!(allowed || !text.contains(never), "{path} has {never}");
            }
        }
    }
}
