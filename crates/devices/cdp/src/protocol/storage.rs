//! The cookies of a browser.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EmptyResult, bare, methods};

bare! {
    /// Returns the cookies of all sites.
    GetCookies = "Storage.getCookies" -> Cookies;
}

/// The cookies of all sites.
#[derive(Clone, Debug, Deserialize)]
pub struct Cookies {
    pub cookies: Vec<Cookie>,
}

/// A cookie. `Debug` leaves out its value, which is a secret.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    pub name: String,
    pub value: String,
    /// Begins with a dot if subdomains get the cookie, too.
    pub domain: String,
    pub path: String,
    /// Seconds since 1970; `None` (or -1 from a browser) for a cookie that ends with the browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
    pub http_only: bool,
    pub secure: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// `Secure`, `NonSecure` or `Unset`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_scheme: Option<String>,
    /// The port of the server that set it; -1 if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_port: Option<i32>,
    /// The top-level site to which the cookie is restricted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<Value>,
}

impl fmt::Debug for Cookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookie")
            .field("name", &self.name)
            .field("domain", &self.domain)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Sets cookies: all of them, or none if the browser rejects one.
#[derive(Clone, Debug, Serialize)]
pub struct SetCookies {
    pub cookies: Vec<Cookie>,
}

methods! {
    SetCookies = "Storage.setCookies" -> EmptyResult;
}
