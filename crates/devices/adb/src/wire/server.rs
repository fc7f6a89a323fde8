//! Messages between a client and an adb server: a length of four hexadecimal digits, and that many bytes;
//! answers begin with `OKAY` or `FAIL`.
//!
//! Source: `SERVICES.TXT` and `OVERVIEW.TXT` of AOSP's adb.

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::error::{Error, ErrorKind, Result};

/// Maximum length of a request, limited by the four digits of its length.
const MAX_REQUEST: usize = 0xffff;

/// The bytes of a request.
///
/// # Errors
/// `Protocol` if the request is too long.
pub fn request(service: &str) -> Result<Vec<u8>> {
    let length = service.len();
    if length > MAX_REQUEST {
        return Err(Error::protocol(format!(
            "a request of {length} bytes; the limit is {MAX_REQUEST}"
        )));
    }
    Ok(format!("{length:04x}{service}").into_bytes())
}

/// Reads `OKAY`, or `FAIL` with the reason.
///
/// # Errors
/// `Refused` with the server's message, `Closed` at the end, `Protocol` if the other side is not an adb
/// server.
pub async fn status(from: &mut (impl AsyncRead + Unpin)) -> Result<()> {
    let mut word = [0; 4];
    from.read_exact(&mut word).await?;
    match &word {
        b"OKAY" => Ok(()),
        b"FAIL" => Err(ErrorKind::refused(text(from).await?).into()),
        other => {
            let shown = String::from_utf8_lossy(other).escape_debug().to_string();
            Err(Error::protocol(format!(
                "the other side answered {shown:?} and is not an adb server"
            )))
        }
    }
}

/// Reads a text with its length.
///
/// # Errors
/// `Closed` at the end, `Protocol` if the length is invalid.
pub async fn text(from: &mut (impl AsyncRead + Unpin)) -> Result<String> {
    let mut digits = [0; 4];
    from.read_exact(&mut digits).await?;
    let length = std::str::from_utf8(&digits)
        .ok()
        .and_then(|digits| usize::from_str_radix(digits, 16).ok())
        .ok_or_else(|| {
            let shown = String::from_utf8_lossy(&digits).escape_debug().to_string();
            Error::protocol(format!("{shown:?} is not a valid length"))
        })?;
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_and_answers() {
        assert_eq!(request("host:version").unwrap(), b"000chost:version");
        assert!(request(&"x".repeat(70_000)).is_err());
        status(&mut b"OKAY".as_slice()).await.unwrap();
        let error = status(&mut b"FAIL0006closed".as_slice()).await.unwrap_err();
        assert_eq!(error.to_string(), "closed");
        let error = status(&mut b"FAIL0000".as_slice()).await.unwrap_err();
        assert_eq!(error.to_string(), "adb refused and gave no reason");
        let error = status(&mut b"HTTP".as_slice()).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the other side answered \"HTTP\" and is not an adb server"
        );
        let error = text(&mut b"zz".as_slice()).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Closed), "{error}");
        let error = text(&mut b"0x10".as_slice()).await.unwrap_err();
        assert!(error.to_string().contains("not a valid length"), "{error}");
    }
}
