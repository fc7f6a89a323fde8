//! Static files with a gzip copy and an entity tag.

use hyper::HeaderMap;
use hyper::header::{ACCEPT_ENCODING, HeaderValue, IF_NONE_MATCH};
use miniz_oxide::deflate::compress_to_vec;

/// Compression level: a few milliseconds for the page, and a tenth larger than the best level.
const LEVEL: u8 = 9;

/// A file, its gzip copy and its entity tag.
pub(crate) struct GzippedFile {
    /// In the format of gzip.
    pub(crate) gzip: Vec<u8>,
    /// Its entity tag.
    pub(crate) tag: HeaderValue,
}

impl GzippedFile {
    pub(crate) fn new(text: &[u8]) -> Self {
        let sum = crc32(text);
        // Deflate, no flags, no time, no hints, unknown system.
        let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
        gzip.extend(compress_to_vec(text, LEVEL));
        gzip.extend(sum.to_le_bytes());
        // The format has the length modulo 2^32.
        gzip.extend((text.len() as u32).to_le_bytes());
        let tag = format!("W/\"{sum:08x}-{:x}\"", text.len());
        Self {
            gzip,
            // Hexadecimal digits are always a header's.
            tag: HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\"")),
        }
    }
}

/// Whether the client accepts gzip.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let all = headers.get_all(ACCEPT_ENCODING).iter();
    let codings = all.filter_map(|value| value.to_str().ok());
    let mut codings = codings.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let refused = parts.any(|part| {
            let weight = part.strip_prefix("q=").or(part.strip_prefix("Q="));
            weight.is_some_and(|weight| weight.trim().parse() == Ok(0.0))
        });
        name.eq_ignore_ascii_case("gzip") && !refused
    })
}

/// Whether the client has the file with this tag.
pub(crate) fn matches_etag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let strong_tag = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(tag) = tag.to_str().map(strong_tag) else {
        return false;
    };
    let all = headers.get_all(IF_NONE_MATCH).iter();
    let mut known = all
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    known.any(|one| strong_tag(one) == tag || one.trim() == "*")
}

/// The checksum of gzip.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            let odd = sum & 1 == 1;
            sum >>= 1;
            if odd {
                sum ^= 0xedb8_8320;
            }
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec;

    use super::*;

    fn headers(name: hyper::header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn gzip_decompresses_to_file() {
        let text = "a page of which the beginning is a page of which the end".repeat(9);
        let packed = GzippedFile::new(text.as_bytes());
        let end = packed.gzip.len() - 8;
        let inside = decompress_to_vec(&packed.gzip[10..end]).unwrap();
        assert_eq!(inside, text.as_bytes());
        assert!(packed.gzip.len() < text.len() / 2);
        // The checksum's own test value.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_ne!(packed.tag, GzippedFile::new(b"another").tag);
    }

    #[test]
    fn gzip_is_sent_to_clients_that_accept_it() {
        for (value, takes) in [
            ("gzip", true),
            ("deflate, gzip;q=0.5, br", true),
            ("GZIP", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("br", false),
            ("", false),
            ("x-gzip-not", false),
        ] {
            assert_eq!(
                accepts_gzip(&headers(ACCEPT_ENCODING, value)),
                takes,
                "{value}"
            );
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn known_etag_is_not_sent_again() {
        let tag = HeaderValue::from_static("W/\"1-2\"");
        for (value, known) in [
            ("W/\"1-2\"", true),
            ("\"0\", \"1-2\"", true),
            ("*", true),
            ("\"1-3\"", false),
        ] {
            assert_eq!(
                matches_etag(&headers(IF_NONE_MATCH, value), &tag),
                known,
                "{value}"
            );
        }
    }
}
