//! Unnamed drawings.

use crate::support::page::page;

#[test]
fn unnamed_drawing_is_recognized_by_shape() {
    let page = page(
        r#"
header
  search@button
    svg stroke="currentColor"
      circle cx="11" cy="11" r="7"
      path d="m20 20-4-4"
  alerts@button
    svg
      path d="M6 8a6 6 0 0 1 12 0c0 6 3 8 3 8H3s3-2 3-8M10 20h4" fill="none" stroke="black"
  menu@button
    svg
      rect x="3" y="5" width="18" height="2"
      rect x="3" y="11" width="18" height="2"
      rect x="3" y="17" width="18" height="2"
main
  down@button
    svg stroke="currentColor"
      polyline points="6 9 12 15 18 9"
  up@button
    svg stroke="currentColor" style="transform: rotate(180deg)"
      polyline points="6 9 12 15 18 9"
  gone@button
    svg
      path d="M0 0h24v24H0z" fill="none"
      path d="M5 5.8L6.200 4.600 12 10.500 17.800 4.600 19 5.800 13.200 11.700 19 17.500 17.800 18.700 12 12.900 6.200 18.700 5 17.500 10.800 11.700z"
  strange@button
    svg stroke="currentColor"
      path d="M2 2l3 17 4-9 6 6 1-13 6 19"
"#,
    );
    page.finds(&[
        ("magnifying glass", "search"),
        ("notifications", "alerts"),
        ("hamburger menu", "menu"),
        ("down arrow", "down"),
        ("up arrow", "up"),
        ("close", "gone"),
    ]);
    page.has_none(&["the star"]);
}
