//! `take_screenshot`: writes the screen to a PNG or JPEG file.

use super::prelude::*;

params! {
    |reader| {
        let path = reader.filled_text(ParamKey::Path).and_then(|path| {
            if path.contains('\0') {
                reader.refuse(ParamKey::Path, "must not contain a NUL character");
                return None;
            }
            if let Some(ending) = foreign_ending(&path) {
                let what = format!("must end in .png, .jpg or .jpeg, not in .{ending}");
                reader.refuse(ParamKey::Path, what);
                return None;
            }
            Some(path)
        });
        let full_page = reader.flag(ParamKey::FullPage);
        let matcher = reader.matcher(ParamKey::Matcher);
        let marks = reader.flag(ParamKey::Marks);
        let (min, max) = (limits::MIN_PICTURE_SIDE, limits::MAX_PICTURE_SIDE);
        let max_side = reader.whole_within(ParamKey::MaxSide, min, max);
        let retry = reader.retry(ParamKey::Retry);
        if matches!(full_page, FieldValue::Value(true)) {
            let what = "must be left out if `fullPage` is true: elements are found in the visible part";
            if matcher.is_present() {
                reader.refuse(ParamKey::Matcher, what);
            }
            if matches!(marks, FieldValue::Value(true)) {
                reader.refuse(ParamKey::Marks, what);
            }
        }
    }
    /// Writes a screenshot of the screen or of one element to a file; `data.path` is its path.
    ///
    /// An element is scrolled into view if necessary. `data.clipped` is set if part of the element is off screen; on phones,
    /// `data.covered_by` names what covers it. `data.moved` is set if the element or a marked one moved while the screenshot was
    /// taken.
    #[schemars(extend("allOf" = [{ "anyOf": [
        { "properties": { "fullPage": { "enum": [false, null] } } },
        { "properties": { "matcher": { "type": "null" }, "marks": { "enum": [false, null] } } },
    ] }]))]
    pub struct TakeScreenshot {
        /// The file to write: a JPEG image if it ends in `.jpg` or `.jpeg`, else a PNG image. Overwrites an image of these formats,
        /// but no other file. Generated if omitted.
        #[schemars(regex(pattern = "\\S"))]
        path: Option<String>,
        /// Whether to capture the whole page and not only the visible part; fails except on web pages.
        #[schemars(extend("default" = false))]
        full_page: Option<bool>,
        /// Crop to this element; excludes `fullPage`.
        matcher: Option<NodeMatcher>,
        /// Whether to draw a box with its reference, such as `e12`, around each element that has one in the text view; not with
        /// `fullPage`. `data.marks` is their number.
        #[schemars(extend("default" = false))]
        marks: Option<bool>,
        /// The longest side of the picture in pixels: a larger picture is scaled down, and a smaller one stays as it is.
        #[schemars(range(min = limits::MIN_PICTURE_SIDE, max = limits::MAX_PICTURE_SIDE))]
        max_side: Option<u32>,
        /// Retry policy; preset `None`.
        retry: Option<RetryParams>,
    }
}

/// The endings of file names of JPEG images.
const JPEG: [&str; 2] = ["jpg", "jpeg"];
/// The longest ending that can name a format; `mktemp` makes longer ones.
const MAX_ENDING: usize = 4;

/// What follows the last dot of a file's name.
fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '\\']).next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty()).then_some(ending)
}

fn is_any(ending: &str, endings: &[&str]) -> bool {
    endings.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// The ending of a path if it names a format that is not written.
fn foreign_ending(path: &str) -> Option<&str> {
    let ending = ending(path)?;
    let is_format = (2..=MAX_ENDING).contains(&ending.len())
        && ending.starts_with(|first: char| first.is_ascii_alphabetic())
        && ending.chars().all(|letter| letter.is_ascii_alphanumeric());
    (is_format && !is_any(ending, &["png"]) && !is_any(ending, &JPEG)).then_some(ending)
}

accessors! {
    TakeScreenshot, this:
    is_of_the_page: bool = this.full_page.unwrap_or_default();
    is_marked: bool = this.marks.unwrap_or_default();
    is_jpeg: bool = this.path.as_deref().and_then(ending).is_some_and(|ending| is_any(ending, &JPEG));
}

retry_policy!(TakeScreenshot: NONE);

impl ActionParams for TakeScreenshot {
    const FACTS: KindFacts = KindFacts {
        performer: Performer::HostAfter,
        finds: true,
        found: |data| data.get("path").map(ReturnedData::File),
        ..KindFacts::new("matcher? marks?", r#"{"path":"/tmp/settings.png"}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        let what = "the app finds no elements for screenshots";
        let matcher = self.matcher.as_ref().map(|_| (ParamKey::Matcher, what));
        let marks = self.is_marked().then_some((ParamKey::Marks, what));
        let whole_page = self.is_of_the_page().then(|| {
            Requirement::of_pages(
                format!("params.{}", ParamKey::FullPage),
                "a phone shows no web page, so there is no full-page screenshot; leave fullPage out",
            )
        });
        StepFacts {
            matchers: [self.matcher.as_ref(), None],
            requirements: whole_page.into_iter().collect(),
            means_one: self.matcher.is_some(),
            operator_gaps: matcher.into_iter().chain(marks).collect(),
            retry: Some(self.retry()),
            ..StepFacts::default()
        }
    }
}
