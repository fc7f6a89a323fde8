//! The languages of a simulated phone: two-letter codes of ISO 639-1. Three-letter codes, of which there are thousands, are
//! not checked.

/// Every two-letter code, with the old codes that Android still uses.
const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de \
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in \
    io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml \
    mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh \
    si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi \
    yo za zh zu";

/// Whether the first part of a tag is a language code.
///
/// # Errors
/// The list of codes, if it has two letters and is not one of them.
pub(crate) fn known(tag: &str) -> Result<(), String> {
    let language = tag.split(['-', '_']).next().unwrap_or_default();
    let language = language.to_ascii_lowercase();
    let mut codes = CODES.split_whitespace();
    if language.len() != 2 || codes.any(|code| code == language) {
        return Ok(());
    }
    Err(format!(
        "`{language}` is no language of ISO 639-1; there are {CODES}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letter_language_codes_are_checked() {
        for tag in ["en", "pt-BR", "AR", "iw", "fil", "zh-Hant-TW"] {
            assert_eq!(known(tag), Ok(()), "{tag}");
        }
        let message = known("xx-US").unwrap_err();
        assert!(message.starts_with("`xx` is no language"), "{message}");
        assert!(
            message.contains(" de ") && message.ends_with("zh zu"),
            "{message}"
        );
    }
}
