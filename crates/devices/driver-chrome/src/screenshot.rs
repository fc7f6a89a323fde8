//! Screenshots of the viewport and of the whole page.

use std::time::Duration;

use base64::Engine as _;
use cdp::protocol::page::{Area, CaptureScreenshot, Clip, GetLayoutMetrics};
use driver::{Cx, DriverError, Image, ImageFormat, ImageRequest, Result};

use crate::browser::{LoadState, TabStatus};
use crate::driver::ChromeDriver;
use crate::input::{act_error, not_sent};

/// The maximum width and height of a screenshot in device pixels, as in browsers.
const MAX_PIXELS: f64 = 16_384.0;
/// Maximum time to wait for a loading document to be complete and have a size, before a full-page screenshot.
const LAYOUT_TIMEOUT: Duration = Duration::from_secs(5);

impl ChromeDriver {
    /// A screenshot of the viewport, or of a part of the page.
    pub(crate) async fn capture_screenshot(
        &mut self,
        cx: &Cx,
        clip: Option<Clip>,
        wanted: ImageRequest,
    ) -> Result<Image> {
        let view = self.view()?;
        view.input(cx).check()?;
        // One that is scaled afterwards would lose sharpness twice.
        let (format, quality) = match wanted {
            ImageRequest {
                format: ImageFormat::Jpeg,
                max_side: None,
            } => ("jpeg", Some(ImageRequest::JPEG_QUALITY)),
            _ => ("png", None),
        };
        let screenshot = view.session().call(&CaptureScreenshot {
            format: Some(format),
            quality,
            optimize_for_speed: Some(true),
            capture_beyond_viewport: clip.map(|_| true),
            clip,
            ..CaptureScreenshot::default()
        });
        let screenshot = view
            .input(cx)
            .answer(screenshot)
            .await?
            .map_err(|error| not_sent(act_error(error)))?;
        let file = base64::engine::general_purpose::STANDARD
            .decode(screenshot.data)
            .map_err(|error| DriverError::Incomplete(error.to_string()))?;
        Image::of_file(file)?.ok_or_else(|| {
            DriverError::Incomplete("the screenshot is neither PNG nor JPEG".to_owned())
        })
    }

    /// Waits until the front document is complete. A document that never ends is captured as it is.
    async fn wait_until_parsed(&mut self, cx: &Cx) -> Result<()> {
        let mut state = self.view()?.tab.watch();
        let is_parsed = state.wait_for(|state| {
            let document = state.document.as_ref();
            document.is_some_and(|document| document.loading >= LoadState::Parsed)
                || state.dialog.is_some()
                || state.status != TabStatus::Open
        });
        drop(
            cx.run(tokio::time::timeout(LAYOUT_TIMEOUT, is_parsed))
                .await?,
        );
        Ok(())
    }

    /// The size of the front page, in CSS pixels and in device pixels; waits until a new document has a size.
    async fn page_size(&mut self, cx: &Cx) -> Result<(Area, Area)> {
        let begun = tokio::time::Instant::now();
        loop {
            let view = self.view()?;
            view.input(cx).check()?;
            let metrics = view.session().call(&GetLayoutMetrics {});
            let metrics = view.input(cx).answer(metrics).await?;
            let metrics = metrics.map_err(|error| not_sent(act_error(error)))?;
            let page = metrics.css_content_size;
            if page.width >= 1.0 && page.height >= 1.0 {
                return Ok((page, metrics.content_size));
            }
            if begun.elapsed() > LAYOUT_TIMEOUT {
                return Err(DriverError::Refused(
                    "the page has not been laid out; wait for something on it first".to_owned(),
                ));
            }
            cx.sleep(Duration::from_millis(5)).await?;
        }
    }

    /// A screenshot of the whole page.
    pub(crate) async fn capture_full_page(
        &mut self,
        cx: &Cx,
        wanted: ImageRequest,
    ) -> Result<Image> {
        self.wait_until_parsed(cx).await?;
        let (page, pixels) = self.page_size(cx).await?;
        let longer_side = pixels.width.max(pixels.height);
        if longer_side > MAX_PIXELS {
            return Err(DriverError::Refused(format!(
                "the page is {longer_side} pixels long, and a browser draws at most {MAX_PIXELS}; scroll and take several"
            )));
        }
        let clip = Clip {
            x: 0.0,
            y: 0.0,
            width: page.width,
            height: page.height,
            scale: 1.0,
        };
        self.capture_screenshot(cx, Some(clip), wanted).await
    }
}
