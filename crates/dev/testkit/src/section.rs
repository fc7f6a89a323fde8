//! Generated sections of pages.

use std::path::Path;

/// Fails unless the section of a guide between `<!-- NAME -->` and `<!-- /NAME -->` is `expected`; with `UPDATE_EXPECT=1` it is
/// written anew. Gives the guide.
pub fn expect_guide_section(guide: &str, name: &str, expected: &str) -> String {
    let guides = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guides");
    let path = guides.join(guide);
    let page = std::fs::read_to_string(&path).expect("the guide can be read");
    let page = page.replace("\r\n", "\n");
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (head, rest) = page.split_once(&begin).expect("the section begins");
    let (found, tail) = rest.split_once(&end).expect("the section ends");
    if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        let now = format!("{head}{begin}{expected}{end}{tail}");
        std::fs::write(&path, &now).expect("the guide can be written");
        return now;
    }
    assert_eq!(found, expected, "UPDATE_EXPECT=1 writes it anew");
    page
}
