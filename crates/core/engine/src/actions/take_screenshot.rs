//! `take_screenshot`: take a screenshot of the screen, the whole page or an element.

use contract::actions::TakeScreenshot;
use contract::{ErrorCode, StepData};
use driver::{Image, ImageFormat, ImageRequest, Observation, Platform};
use uitree::{NodeId, Rect, Refs, Size, UiTree};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::cover::{covering, describe_cover};
use crate::failure::Failure;
use crate::picture::{self, Mark};
use crate::screen_lookup::NodeTarget;

/// Maximum number of repeated screenshots because elements moved meanwhile.
const MAX_MOVES: u32 = 3;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &TakeScreenshot,
) -> Result<StepData, Failure> {
    let mut backoff = Backoff::new(&params.retry());
    let request = image_request(params);
    let (image, element_data) = if params.matcher.is_some() || params.is_marked() {
        take_with_elements(ctx, params, &mut backoff).await?
    } else {
        let image = take(ctx, params, request, &mut backoff).await?;
        let image = picture::convert(image, request).map_err(failed)?;
        (image, StepData::default())
    };
    let path = ctx
        .artifacts
        .keep_screenshot(params.path.as_deref(), &image.bytes)
        .map_err(|why| failed(format!("the screenshot could not be written: {why}")))?;
    let mut data = StepData::default();
    data.push("path", path);
    data.push("width", image.size.width.to_string());
    data.push("height", image.size.height.to_string());
    crate::failure::append(&mut data, &element_data);
    Ok(data)
}

/// How a plan wants its screenshot.
pub fn image_request(params: &TakeScreenshot) -> ImageRequest {
    ImageRequest {
        format: match params.is_jpeg() {
            true => ImageFormat::Jpeg,
            false => ImageFormat::Png,
        },
        max_side: params.max_side,
    }
}

fn failed(message: String) -> Failure {
    Failure::new(ErrorCode::ScreenshotFailed, message)
}

/// The screenshot as the device takes it.
async fn take(
    ctx: &mut StepContext<'_>,
    params: &TakeScreenshot,
    request: ImageRequest,
    backoff: &mut Backoff,
) -> Result<Image, Failure> {
    loop {
        let taken = if params.is_of_the_page() {
            let (browser, cx) = ctx.device.browser();
            browser.full_page_screenshot(cx, request).await
        } else {
            let (driver, cx) = ctx.device.driver();
            driver.screenshot_as(cx, request).await
        };
        match taken {
            Ok(image) => return Ok(image),
            Err(error) => {
                let failure = Failure::from(error)
                    .recode(ErrorCode::ScreenUnavailable, ErrorCode::ScreenshotFailed)
                    .recode(ErrorCode::GestureFailed, ErrorCode::ScreenshotFailed);
                ctx.back_off(failure, backoff).await?;
            }
        }
    }
}

/// The screenshot with references, cropped to the element, and its step data.
async fn take_with_elements(
    ctx: &mut StepContext<'_>,
    params: &TakeScreenshot,
    backoff: &mut Backoff,
) -> Result<(Image, StepData), Failure> {
    let refs = params.is_marked().then(|| references(ctx)).transpose()?;
    let mut moves = 0;
    loop {
        let elements = ScreenshotElements::find(ctx, params, refs.as_ref(), backoff).await?;
        let image = take(ctx, params, ImageRequest::default(), backoff).await?;
        // A device whose observations wait for an idle screen was still.
        let moved = if ctx.device.info().capabilities.observe_settles {
            false
        } else {
            let now = ctx.observe().await?;
            !elements.has_same_places_on(&now.tree)
        };
        if moved && moves < MAX_MOVES {
            moves += 1;
            continue;
        }
        let mut data = elements.describe(ctx);
        if moved {
            data.push("moved", "true");
        }
        let image = elements
            .edit(&image, image_request(params))
            .map_err(failed)?;
        return Ok((image, data));
    }
}

/// The references of the device.
fn references(ctx: &StepContext<'_>) -> Result<Refs, Failure> {
    ctx.artifacts.refs().ok_or_else(|| {
        let message =
            "this command ends after the run, so it gives no references to draw; leave `marks` out";
        Failure::new(ErrorCode::RefNotAvailable, message)
    })
}

/// The elements of a screenshot, before it is taken.
struct ScreenshotElements {
    observation: Observation,
    /// The element to which it is cropped, and the number of matches.
    element: Option<(NodeId, usize)>,
    /// The elements to mark.
    marked: Option<Vec<(NodeId, String)>>,
}

impl ScreenshotElements {
    async fn find(
        ctx: &mut StepContext<'_>,
        params: &TakeScreenshot,
        refs: Option<&Refs>,
        backoff: &mut Backoff,
    ) -> Result<Self, Failure> {
        let (observation, element) = match &params.matcher {
            Some(matcher) => {
                let target = NodeTarget {
                    matcher,
                    container: None,
                };
                let found = ctx.find_first(target, backoff).await?;
                (found.seen, Some((found.first, found.all.len())))
            }
            None => (ctx.observe().await?, None),
        };
        let is_phone = ctx.device.platform() != Platform::Web;
        let marked = refs.map(|refs| {
            let tree = &observation.tree;
            let mut marked = marked(tree, refs, is_phone);
            // Elements outside the crop are not in the picture.
            let cut = element.and_then(|(id, _)| tree.visible_bounds(id));
            if let Some(cut) = cut {
                let bounds = |id| tree.visible_bounds(id);
                marked.retain(|(id, _)| bounds(*id).is_some_and(|at| at.intersect(&cut).is_some()));
            }
            marked
        });
        Ok(Self {
            observation,
            element,
            marked,
        })
    }

    /// Whether the elements are at the same places on another screen.
    fn has_same_places_on(&self, other: &UiTree) -> bool {
        let tree = &self.observation.tree;
        let marked = self.marked.iter().flatten().map(|(id, _)| *id);
        let mut all = self.element.map(|(id, _)| id).into_iter().chain(marked);
        tree.len() == other.len()
            && all.all(|id| tree.visible_bounds(id) == other.visible_bounds(id))
    }

    fn describe(&self, ctx: &StepContext<'_>) -> StepData {
        let tree = &self.observation.tree;
        let mut data = StepData::default();
        if let Some((id, matches)) = self.element {
            let visible = tree.visible_bounds(id);
            if visible != tree.node(id).bounds {
                data.push("clipped", "true");
            }
            // The tree of a page does not say what is in front.
            let is_phone = ctx.device.platform() != Platform::Web;
            let center = visible.filter(|_| is_phone).map(|bounds| bounds.center());
            if let Some(above) = center.and_then(|at| covering(tree, id, at)) {
                data.push("covered_by", describe_cover(tree, above));
            }
            data.push("match_count", matches.to_string());
        }
        if let Some(marked) = &self.marked {
            data.push("marks", marked.len().to_string());
        }
        data
    }

    fn edit(&self, image: &Image, request: ImageRequest) -> Result<Image, String> {
        let tree = &self.observation.tree;
        let pixels_of = |id: NodeId| pixels(tree, id, image.size);
        let marks = self.marked.iter().flatten().filter_map(|(id, label)| {
            let label = label.clone();
            Some(Mark {
                bounds: pixels_of(*id)?,
                label,
            })
        });
        let marks: Vec<Mark> = marks.collect();
        let clip = match self.element {
            Some((id, _)) => Some(pixels_of(id).ok_or("the element is not on the screen")?),
            None => None,
        };
        picture::edit(image, &marks, clip, request)
    }
}

/// The pixels of the visible part of an element.
fn pixels(tree: &UiTree, id: NodeId, size: Size) -> Option<Rect> {
    let bounds = tree.visible_bounds(id)?;
    Some(picture::scaled(bounds, tree.screen(), size))
}

/// The elements of the text view that have references, except, on phones, those behind something else.
fn marked(tree: &UiTree, refs: &Refs, is_phone: bool) -> Vec<(NodeId, String)> {
    let given = refs.lock().assign(tree);
    let is_free = |id: NodeId| {
        let center = tree.visible_bounds(id).map(|bounds| bounds.center());
        !is_phone || center.is_none_or(|at| covering(tree, id, at).is_none())
    };
    let labelled = tree.ids().filter_map(|id| Some((id, given.get(id)?)));
    labelled.filter(|(id, _)| is_free(*id)).collect()
}
