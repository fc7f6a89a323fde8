//! The host of a URL, which is the owner of a page's nodes.

/// The host of `url`, with the port if it has one.
///
/// For URLs without a host it is the scheme (`file`, `data`), or the whole URL for `about:blank`. For a `blob:` URL it is the
/// host of the URL inside it. Empty for an empty URL.
///
/// ```
/// assert_eq!(dom::host("https://user@Shop.example:8443/cart?x#y"), "shop.example:8443");
/// assert_eq!(dom::host("blob:http://localhost:80/77"), "localhost:80");
/// assert_eq!(dom::host("file:///tmp/a.html"), "file");
/// assert_eq!(dom::host("about:blank#top"), "about:blank");
/// ```
pub fn host(url: &str) -> String {
    let url = url.trim();
    let url = url.strip_prefix("blob:").unwrap_or(url);
    let Some((scheme, rest)) = url.split_once(':') else {
        return String::new();
    };
    let scheme = scheme.to_ascii_lowercase();
    if scheme == "about" {
        let name = rest.split(['?', '#']).next().unwrap_or(rest);
        return format!("about:{name}");
    }
    let authority = rest
        .strip_prefix("//")
        .map(|rest| rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest))
        .map(|authority| authority.rsplit('@').next().unwrap_or(authority))
        .unwrap_or_default();
    if authority.is_empty() {
        scheme
    } else {
        authority.to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn url_without_host_has_its_scheme_as_owner() {
        for (url, owner) in [
            ("", ""),
            ("data:text/html,<p>a//b</p>", "data"),
            ("about:srcdoc", "about:srcdoc"),
            ("http://[::1]:8080/", "[::1]:8080"),
            ("HTTPS://EXAMPLE.com", "example.com"),
            ("chrome-error://chromewebdata/", "chromewebdata"),
            ("chrome://version", "version"),
            ("nonsense", ""),
        ] {
            assert_eq!(host(url), owner, "{url}");
        }
    }
}
