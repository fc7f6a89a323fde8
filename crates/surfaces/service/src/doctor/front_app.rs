//! The app in front before the trials, which is brought back after them.

use std::time::Duration;

use driver::{Cx, Driver, Key, Target};
use driver_android::StockDriver;
use tokio_util::sync::CancellationToken;

/// How long bringing it back may take, also after the trials were stopped.
const RESTORE_TIME: Duration = Duration::from_secs(10);

/// The app in front; `None` if the phone does not say.
pub(super) async fn find(stock: &mut StockDriver, cx: &Cx) -> Option<String> {
    stock.foreground(cx).await.ok()?.app
}

/// Brings the app to the front, or the home screen if that fails.
pub(super) async fn restore(stock: &mut StockDriver, app: Option<String>) {
    let cx = Cx::new(RESTORE_TIME, CancellationToken::new());
    let opened = match app {
        Some(app) => stock.open(&cx, &Target::App(app)).await.is_ok(),
        None => false,
    };
    if !opened {
        // The phone may be gone, or deny input.
        let _ = stock.key(&cx, Key::Home).await;
    }
}
