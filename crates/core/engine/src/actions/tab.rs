//! `tab`: list, open, choose and close tabs of a browser.

use contract::actions::{Tab, TabOp};
use contract::{ErrorCode, StepData, TabSelector};
use driver::TabEntry;
use escape::Quoted;
use serde_json::{Value, json};

use crate::context::StepContext;
use crate::describe::truncated;
use crate::failure::Failure;

pub(super) async fn perform(ctx: &mut StepContext<'_>, params: &Tab) -> Result<StepData, Failure> {
    match params.op {
        TabOp::List => {
            let tabs = ctx.tabs().await?;
            let mut data = StepData::default();
            data.push("tabs", tabs_json(&tabs).to_string());
            data.push("count", tabs.len().to_string());
            Ok(data)
        }
        TabOp::Open => {
            let uri = params.uri.as_deref().unwrap_or_default();
            ctx.begin_change().await;
            let (browser, cx) = ctx.device.browser();
            let done = browser.open_tab(cx, uri).await;
            let opened = ctx
                .record_answer(done)
                .map_err(|failure| failure.with_leading_data("uri", uri))?;
            let mut data = StepData::default();
            data.push("uri", uri);
            // An error page still opened; the plan decides whether its status is acceptable.
            if let Some(status) = opened.http_status {
                data.push("httpStatus", status.to_string());
            }
            with_new_front_tab(ctx, data).await
        }
        TabOp::Choose => {
            let tabs = ctx.tabs().await?;
            let chosen = select(&tabs, params.tab.as_ref())?;
            if chosen.current {
                return with_front_tab(ctx, StepData::default()).await;
            }
            ctx.begin_change().await;
            let (browser, cx) = ctx.device.browser();
            let done = browser.choose_tab(cx, &chosen.device).await;
            ctx.record_answer(done).map_err(tab_closed)?;
            with_new_front_tab(ctx, StepData::default()).await
        }
        TabOp::Close => {
            let tabs = ctx.tabs().await?;
            let chosen = select(&tabs, params.tab.as_ref())?;
            if tabs.len() == 1 {
                let message =
                    "this is the last tab, with which the browser would exit; nothing was closed";
                return Err(Failure::new(ErrorCode::LastTab, message));
            }
            ctx.begin_change().await;
            let (browser, cx) = ctx.device.browser();
            let done = browser.close_tab(cx, &chosen.device).await;
            ctx.record_answer(done).map_err(tab_closed)?;
            let mut data = StepData::default();
            data.push("closed_device", chosen.device.as_str());
            data.push("closed_url", chosen.url.as_str());
            with_front_tab(ctx, data).await
        }
    }
}

/// The failure of a tab that was closed meanwhile.
fn tab_closed(failure: Failure) -> Failure {
    failure.recode(ErrorCode::GestureFailed, ErrorCode::TabNotFound)
}

/// Adds the tab that came to the front, and notes the change: the tab may look like the previous one.
async fn with_new_front_tab(
    ctx: &mut StepContext<'_>,
    data: StepData,
) -> Result<StepData, Failure> {
    let data = with_front_tab(ctx, data).await?;
    let title = data.get("title").filter(|title| !title.is_empty());
    if let Some(name) = title.or(data.get("url")) {
        let words = format!("tab {} in front", Quoted(&truncated(name)));
        ctx.history.effects.set_known_effect(words);
    }
    Ok(data)
}

/// Adds the tab in front.
async fn with_front_tab(
    ctx: &mut StepContext<'_>,
    mut data: StepData,
) -> Result<StepData, Failure> {
    let tabs = ctx.tabs().await.map_err(Failure::not_retryable)?;
    let current = tabs.iter().enumerate().find(|(_, tab)| tab.current);
    if let Some((index, tab)) = current {
        data.push("index", index.to_string());
        data.push("title", tab.title.as_str());
        data.push("url", tab.url.as_str());
        data.push("device", tab.device.as_str());
    }
    Ok(data)
}

fn tabs_json(tabs: &[TabEntry]) -> Value {
    let each = tabs.iter().enumerate().map(|(index, tab)| {
        json!({
            "index": index,
            "title": tab.title,
            "url": tab.url,
            "device": tab.device,
            "current": tab.current,
        })
    });
    each.collect()
}

/// The selected tab; the one in front without a selector.
fn select<'t>(
    tabs: &'t [TabEntry],
    selector: Option<&TabSelector>,
) -> Result<&'t TabEntry, Failure> {
    let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let matching: Vec<&TabEntry> = match selector {
        None => tabs.iter().filter(|tab| tab.current).collect(),
        Some(TabSelector::Index(index)) => {
            let index = usize::try_from(*index).ok();
            index
                .and_then(|index| tabs.get(index))
                .into_iter()
                .collect()
        }
        Some(TabSelector::TitleContains(part)) => tabs
            .iter()
            .filter(|tab| contains(&tab.title, part))
            .collect(),
        Some(TabSelector::UrlContains(part)) => {
            tabs.iter().filter(|tab| contains(&tab.url, part)).collect()
        }
        Some(TabSelector::Device(device)) => {
            tabs.iter().filter(|tab| tab.device == *device).collect()
        }
        Some(TabSelector::Latest(_)) => tabs
            .iter()
            .filter(|tab| tab.opened.is_some())
            .max_by_key(|tab| tab.opened)
            .into_iter()
            .collect(),
    };
    let described = selector.map_or_else(|| "in front".to_owned(), truncated);
    match matching.as_slice() {
        [only] => Ok(only),
        [] => {
            let message = format!("there is no tab with {described}; nothing was done");
            Err(Failure::new(ErrorCode::TabNotFound, message)
                .with_data("tabs", tabs_json(tabs).to_string()))
        }
        several => {
            let message = format!(
                "{} tabs are there with {described}; nothing was done",
                several.len()
            );
            Err(Failure::new(ErrorCode::TabAmbiguous, message)
                .with_data("tabs", tabs_json(tabs).to_string()))
        }
    }
}

impl StepContext<'_> {
    async fn tabs(&mut self) -> Result<Vec<TabEntry>, Failure> {
        let (browser, cx) = self.device.browser();
        Ok(browser.tabs(cx).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selector_selects_exactly_one_tab() {
        let tab = |title: &str, url: &str, opened| TabEntry {
            device: format!("chrome:{title}"),
            title: title.to_owned(),
            url: url.to_owned(),
            current: title == "Cart",
            opened,
        };
        let tabs = [
            tab("Cart", "https://shop.example/cart", Some(1)),
            tab("Help", "https://shop.example/help", Some(2)),
            tab("Shop", "https://shop.example/", None),
        ];
        let selected = |selector: Option<TabSelector>| match select(&tabs, selector.as_ref()) {
            Ok(tab) => tab.title.clone(),
            Err(failure) => failure.code().unwrap().as_str().to_owned(),
        };
        assert_eq!(selected(None), "Cart");
        assert_eq!(selected(Some(TabSelector::Index(2))), "Shop");
        assert_eq!(selected(Some(TabSelector::Index(3))), "TAB_NOT_FOUND");
        let title = |part: &str| Some(TabSelector::TitleContains(part.to_owned()));
        assert_eq!(selected(title("hel")), "Help");
        let url = |part: &str| Some(TabSelector::UrlContains(part.to_owned()));
        assert_eq!(selected(url("/CART")), "Cart");
        assert_eq!(selected(url("shop.example")), "TAB_AMBIGUOUS");
        let device = |name: &str| Some(TabSelector::Device(name.to_owned()));
        assert_eq!(selected(device("chrome:Shop")), "Shop");
        assert_eq!(selected(device("chrome:shop")), "TAB_NOT_FOUND");
        assert_eq!(selected(Some(TabSelector::Latest(true))), "Help");
    }
}
