//! Strict and bounded parsing of query, headers and body.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HeaderMap};
use serde_json::{Map, Value};

/// Maximum size of a request body in bytes.
pub(crate) const MAX_BYTES: usize = 100 * 1024;
/// How much of an oversized body is read, so that the client gets to read the response.
const MAX_DISCARDED: usize = 4 << 20;
/// Maximum number of keys in a query.
const MAX_KEYS: usize = 50;
/// The name of the body in messages.
const BODY: &str = "the body";

/// Reads a body as a whole.
///
/// # Errors
/// `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, or `INVALID_BODY` if it ends early.
pub(crate) async fn read(
    headers: &HeaderMap,
    mut body: Incoming,
    within: Duration,
) -> Result<Bytes, ErrorBody> {
    let declared_length = headers.get(CONTENT_LENGTH);
    let declared_length: usize = declared_length
        .and_then(|length| length.to_str().ok()?.parse().ok())
        .unwrap_or_default();
    // Refuses early on `Expect: 100-continue`, and for a declared length far beyond the limit.
    if declared_length > MAX_DISCARDED
        || (declared_length > MAX_BYTES && headers.contains_key(EXPECT))
    {
        return Err(too_large());
    }
    let reading = async {
        let mut bytes = Vec::new();
        let mut total = 0;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| {
                let message = format!("the request body ended early: {error}");
                ErrorBody::new(ErrorCode::InvalidBody, message)
                    .with_hint("Send as many bytes as Content-Length says, or complete chunks")
            })?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            total += data.len();
            if total > MAX_DISCARDED {
                break;
            }
            // The rest of an oversized body is read and discarded.
            if total <= MAX_BYTES {
                bytes.extend_from_slice(&data);
            }
        }
        match total <= MAX_BYTES {
            true => Ok(Bytes::from(bytes)),
            false => Err(too_large()),
        }
    };
    match tokio::time::timeout(within, reading).await {
        Ok(read) => read,
        Err(_) if declared_length > MAX_BYTES => Err(too_large()),
        Err(_) => {
            let message = format!(
                "the request body did not arrive within {} ms",
                within.as_millis()
            );
            Err(ErrorBody::new(ErrorCode::RequestTimeout, message).with_default_hint())
        }
    }
}

fn too_large() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::PayloadTooLarge,
        format!("the request body exceeds {MAX_BYTES} bytes"),
    )
    .with_default_hint()
    .with_detail("limit", MAX_BYTES)
}

/// A body as a JSON object; an absent body is an empty object.
///
/// # Errors
/// `UNSUPPORTED_MEDIA_TYPE`, `INVALID_JSON`, `INVALID_BODY`.
pub(crate) fn parse_object(
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Map<String, Value>, ErrorBody> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    check_content_type(headers)?;
    let text = std::str::from_utf8(body).map_err(|error| {
        let message = format!("{BODY} is not UTF-8 at byte {}", error.valid_up_to());
        ErrorBody::new(ErrorCode::InvalidJson, message).with_default_hint()
    })?;
    let value = contract::read_json(text, BODY).map_err(|invalid| {
        let error = ErrorBody::from(invalid);
        let hint = error.hint.clone();
        let error = ErrorBody {
            code: ErrorCode::InvalidJson,
            ..error
        };
        match hint {
            Some(_) => error,
            None => error.with_default_hint(),
        }
    })?;
    match value {
        Value::Object(fields) => Ok(fields),
        _ => {
            let message = "the request body is JSON, but not an object";
            Err(ErrorBody::new(ErrorCode::InvalidBody, message).with_default_hint())
        }
    }
}

/// Checks that the Content-Type is JSON in UTF-8.
fn check_content_type(headers: &HeaderMap) -> Result<(), ErrorBody> {
    let refused = |message: String| {
        Err(ErrorBody::new(ErrorCode::UnsupportedMediaType, message).with_default_hint())
    };
    if headers.contains_key(CONTENT_ENCODING) {
        return refused("the request body is compressed".to_owned());
    }
    let Some(kind) = headers.get(CONTENT_TYPE) else {
        return refused("the request body has no Content-Type".to_owned());
    };
    let kind = kind.to_str().unwrap_or_default().to_ascii_lowercase();
    let mut parts = kind.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let json = essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"));
    if !json {
        let shown = contract::truncate_input(essence);
        return refused(format!(
            "the Content-Type is {shown:?}, not application/json"
        ));
    }
    let mut charsets = parts.filter_map(|part| part.strip_prefix("charset="));
    match charsets.find(|set| !["utf-8", "utf8", "\"utf-8\""].contains(set)) {
        Some(_) => refused("the charset of the request body is not UTF-8".to_owned()),
        None => Ok(()),
    }
}

/// The fields of a body, which are taken out one by one.
pub(crate) struct Fields {
    fields: Map<String, Value>,
    /// The known keys.
    known: Vec<&'static str>,
}

impl From<Map<String, Value>> for Fields {
    fn from(fields: Map<String, Value>) -> Self {
        Self {
            fields,
            known: Vec::new(),
        }
    }
}

impl Fields {
    /// Takes the value of a key.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.fields.shift_remove(key)
    }

    /// Whether a key is given.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.fields.contains_key(key)
    }

    /// The remaining fields.
    pub(crate) fn into_map(self) -> Map<String, Value> {
        self.fields
    }

    /// A string that is not blank; null counts as absent.
    ///
    /// # Errors
    /// The given code if it is not a string or blank.
    pub(crate) fn text(
        &mut self,
        key: &'static str,
        code: ErrorCode,
    ) -> Result<Option<String>, ErrorBody> {
        match self.take(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text)),
            Some(Value::String(_)) => Err(error_with_hint(
                code,
                format!("'{key}' must be a non-empty string"),
            )),
            Some(_) => Err(error_with_hint(code, format!("'{key}' must be a string"))),
        }
    }

    /// A number.
    ///
    /// # Errors
    /// `INVALID_BODY` if it is not a number.
    pub(crate) fn number(&mut self, key: &'static str) -> Result<Option<f64>, ErrorBody> {
        match self.take(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) => Ok(Some(number)),
                None => Err(error_with_hint(
                    ErrorCode::InvalidBody,
                    format!("'{key}' must be a number"),
                )),
            },
        }
    }

    /// Refuses unknown keys.
    ///
    /// # Errors
    /// `INVALID_BODY` with the first unknown key.
    pub(crate) fn finish(self) -> Result<(), ErrorBody> {
        let Some(key) = self.fields.keys().next() else {
            return Ok(());
        };
        let shown = contract::truncate_input(key);
        let error = error_with_hint(
            ErrorCode::InvalidBody,
            format!("unknown key {shown:?} in the request body"),
        );
        Err(match contract::nearest_name(key, self.known) {
            Some(meant) => error.with_suggestion(meant),
            None => error,
        })
    }
}

/// An error with the hint of its code.
pub(crate) fn error_with_hint(code: ErrorCode, message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(code, message).with_default_hint()
}

/// The query of a URL.
#[derive(Debug, Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Parses a query.
    ///
    /// # Errors
    /// `INVALID_QUERY` for an invalid escape, a duplicate key, or too many keys.
    pub(crate) fn read(query: Option<&str>) -> Result<Self, ErrorBody> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let parts = query.unwrap_or_default().split('&');
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        if parts.len() > MAX_KEYS {
            let message = format!(
                "the query has {} keys; the limit is {MAX_KEYS}",
                parts.len()
            );
            return Err(error_with_hint(ErrorCode::InvalidQuery, message));
        }
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let key = percent_decode(&key.replace('+', " "))?;
            let value = percent_decode(&value.replace('+', " "))?;
            if pairs.iter().any(|(known, _)| *known == key) {
                let shown = contract::truncate_input(&key);
                let message = format!("{shown:?} appears more than once");
                return Err(error_with_hint(ErrorCode::InvalidQuery, message));
            }
            pairs.push((key, value));
        }
        Ok(Self { pairs })
    }

    /// Takes a value out.
    pub(crate) fn take(&mut self, key: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(known, _)| known == key)?;
        Some(self.pairs.swap_remove(at).1)
    }

    /// A flag: the key alone, `true` or `1`.
    ///
    /// # Errors
    /// `INVALID_QUERY` for any other value.
    pub(crate) fn flag(&mut self, key: &str) -> Result<bool, ErrorBody> {
        match self.take(key).as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("" | "true" | "1") => Ok(true),
            Some(_) => Err(error_with_hint(
                ErrorCode::InvalidQuery,
                format!("'{key}' must be true or false"),
            )),
        }
    }

    /// A time in whole milliseconds, up to a limit.
    ///
    /// # Errors
    /// `INVALID_QUERY` for anything else.
    pub(crate) fn millis(&mut self, key: &str, max: u32) -> Result<Option<Duration>, ErrorBody> {
        let Some(text) = self.take(key) else {
            return Ok(None);
        };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<u32>() {
            Ok(millis) if digits && millis <= max => Ok(Some(Duration::from_millis(millis.into()))),
            _ => Err(error_with_hint(
                ErrorCode::InvalidQuery,
                format!("'{key}' must be whole milliseconds from 0 to {max}"),
            )),
        }
    }

    /// Refuses unknown keys.
    ///
    /// # Errors
    /// `INVALID_QUERY` with the first unknown key.
    pub(crate) fn finish(self) -> Result<(), ErrorBody> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) => {
                let shown = contract::truncate_input(key);
                Err(error_with_hint(
                    ErrorCode::InvalidQuery,
                    format!("unknown key {shown:?} in the query"),
                ))
            }
        }
    }
}

/// Decodes a part of a URL.
///
/// # Errors
/// `INVALID_QUERY` for an invalid escape, or if the result is not UTF-8.
pub(crate) fn percent_decode(part: &str) -> Result<String, ErrorBody> {
    let invalid_escape = || {
        error_with_hint(
            ErrorCode::InvalidQuery,
            "the URL has an invalid percent escape",
        )
    };
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, tail) = rest.split_at_checked(2).ok_or_else(invalid_escape)?;
        let digits = std::str::from_utf8(digits).map_err(|_| invalid_escape())?;
        // `from_str_radix` would accept a sign.
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(invalid_escape());
        }
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| invalid_escape())?);
        rest = tail;
    }
    String::from_utf8(bytes).map_err(|_| invalid_escape())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_escapes_decode_to_utf8() {
        assert_eq!(percent_decode("a%20b%C3%A9").unwrap(), "a bé");
        for wrong in ["%", "%2", "%zz", "%+1", "%ff", "%C3"] {
            assert!(percent_decode(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn query_is_parsed_strictly() {
        let mut query = Query::read(Some("wait=50&validateOnly&a+b=%31")).unwrap();
        assert_eq!(
            query.millis("wait", 100).unwrap(),
            Some(Duration::from_millis(50))
        );
        assert!(query.flag("validateOnly").unwrap() && !query.flag("dryRun").unwrap());
        assert_eq!(query.take("a b").as_deref(), Some("1"));
        query.finish().unwrap();
        for wrong in [
            "wait=", "wait=-1", "wait=+5", "wait=1.5", "wait=101", "wait=x",
        ] {
            let mut query = Query::read(Some(wrong)).unwrap();
            assert!(query.millis("wait", 100).is_err(), "{wrong}");
        }
        assert!(Query::read(Some("a=1&a=2")).is_err());
        let keys = |count: usize| (0..count).map(|at| format!("k{at}=1&")).collect::<String>();
        assert!(Query::read(Some(&keys(MAX_KEYS))).is_ok());
        let refused = Query::read(Some(&keys(20_000))).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidQuery);
        assert!(
            refused.message.contains("20000 keys"),
            "{}",
            refused.message
        );
        assert!(Query::read(Some("a=1")).unwrap().finish().is_err());
        assert!(Query::read(Some("a=2")).unwrap().flag("a").is_err());
    }

    #[test]
    fn body_requires_json_content_type() {
        let marked = |kind: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, kind.parse().unwrap());
            parse_object(&headers, b"{}").map_err(|error| error.code)
        };
        for kind in [
            "application/json",
            "APPLICATION/JSON; charset=UTF-8",
            "application/vnd.api+json",
        ] {
            assert!(marked(kind).is_ok(), "{kind}");
        }
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/json; charset=latin1",
        ] {
            assert_eq!(marked(kind), Err(ErrorCode::UnsupportedMediaType), "{kind}");
        }
        assert!(parse_object(&HeaderMap::new(), b"").unwrap().is_empty());
        assert!(parse_object(&HeaderMap::new(), b"{}").is_err());
    }
}
