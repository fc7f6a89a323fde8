//! Computed values of styles that decide what is seen: colors, clip paths, filters.

/// The least opacity of a fill that counts as opaque.
const MIN_OPAQUE: f64 = 0.5;

/// Whether a computed `clip-path` leaves nothing: `inset(100%)`, `inset(50% 0%)`, `circle(0px at 50% 50%)`.
pub(super) fn clips_away(path: &str) -> bool {
    let Some((shape, inside)) = path.strip_suffix(')').and_then(|path| path.split_once('(')) else {
        return false;
    };
    let sizes = inside
        .split_whitespace()
        .take_while(|word| !matches!(*word, "at" | "round"));
    let sizes: Vec<&str> = sizes.collect();
    let percent = |at: usize| sizes.get(at)?.strip_suffix('%')?.parse::<f64>().ok();
    let fills =
        |one: Option<f64>, other: Option<f64>| one.unwrap_or(0.0) + other.unwrap_or(0.0) >= 100.0;
    match shape {
        "inset" => {
            let top = percent(0);
            let (right, bottom) = (percent(1).or(top), percent(2).or(top));
            fills(top, bottom) || fills(right, percent(3).or(right))
        }
        "circle" | "ellipse" => sizes.iter().any(|size| matches!(*size, "0px" | "0%")),
        _ => false,
    }
}

/// The opacity that a computed `filter` gives: `opacity(0)`, `blur(2px) opacity(0.5)`.
pub(super) fn filter_opacity(filter: &str) -> f64 {
    let opacity = filter
        .split_once("opacity(")
        .and_then(|(_, rest)| rest.split_once(')'));
    opacity
        .and_then(|(opacity, _)| opacity.parse().ok())
        .unwrap_or(1.0)
}

/// Whether the first of the computed fonts draws icons for words: `"Material Icons"`, `"Font Awesome 6 Free"`.
pub(super) fn draws_icons(fonts: &str) -> bool {
    let first = fonts
        .split(',')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    ["icon", "symbol", "awesome", "glyph"]
        .iter()
        .any(|name| first.contains(name))
}

/// A computed color, `rgb(0, 102, 204)` or `rgba(…)`, if it is opaque.
pub(super) fn fill(color: &str) -> Option<[u8; 3]> {
    let (_, inside) = color.strip_suffix(')')?.split_once('(')?;
    let mut parts = inside.split(',').map(str::trim);
    let mut channel = || parts.next()?.parse::<u8>().ok();
    let fill = [channel()?, channel()?, channel()?];
    (fill_opacity(color)? >= MIN_OPAQUE).then_some(fill)
}

/// Whether text of a computed color can be seen.
pub(super) fn has_ink(color: &str) -> bool {
    fill_opacity(color).is_none_or(|opacity| opacity > 0.0)
}

/// The opacity of a computed color: `rgb(0, 0, 0)`, `rgba(0, 0, 0, 0.5)`, `oklab(0 0 0 / 0.5)`.
pub(super) fn fill_opacity(color: &str) -> Option<f64> {
    let (function, inside) = color.strip_suffix(')')?.split_once('(')?;
    let alpha = match function {
        "rgba" => inside.split(',').nth(3),
        _ => inside.split_once('/').map(|(_, alpha)| alpha),
    };
    alpha.map_or(Some(1.0), |alpha| alpha.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{clips_away, draws_icons, fill, fill_opacity, filter_opacity};

    #[test]
    fn paths_and_filters_may_show_nothing() {
        for path in [
            "inset(100%)",
            "inset(50%)",
            "inset(0% 100% 0% 0%)",
            "circle(0px at 50% 50%)",
        ] {
            assert!(clips_away(path), "{path}");
        }
        for path in [
            "none",
            "inset(10% 20%)",
            "inset(0px)",
            "circle(40% at 50% 50%)",
            "polygon(0% 0%, 50% 100%)",
        ] {
            assert!(!clips_away(path), "{path}");
        }
        assert_eq!(filter_opacity("blur(2px) opacity(0)"), 0.0);
        assert_eq!(filter_opacity("none"), 1.0);
    }

    #[test]
    fn icon_fonts_are_known_by_name() {
        for fonts in [
            "\"Material Symbols Outlined\"",
            "bootstrap-icons",
            "\"Font Awesome 6 Free\", Arial",
        ] {
            assert!(draws_icons(fonts), "{fonts}");
        }
        assert!(!draws_icons("Arial, \"Segoe UI Symbol\""));
    }

    #[test]
    fn only_opaque_colors_fill() {
        assert_eq!(fill("rgb(0, 102, 204)"), Some([0, 102, 204]));
        assert_eq!(fill("rgba(0, 102, 204, 0.8)"), Some([0, 102, 204]));
        assert_eq!(fill("rgba(0, 0, 0, 0)"), None);
        assert_eq!(fill("color(srgb 1 0 0)"), None);
        assert_eq!(fill_opacity("color(srgb 1 0 0)"), Some(1.0));
        assert_eq!(fill_opacity("oklab(0 0 0 / 0.5)"), Some(0.5));
        assert_eq!(fill(""), None);
    }
}
