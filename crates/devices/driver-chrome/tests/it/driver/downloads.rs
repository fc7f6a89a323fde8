//! Downloads: their names, their ends, and those of tabs that only download.

use std::path::PathBuf;

use driver::{BackgroundEvent, Browser as _, Download, DownloadState, Driver, SideEffect};
use driver_chrome::browser::{Downloads, TabState};
use testkit::web::Reply;

use super::{DrivenTab, cx};

/// A driven page with these links, whose downloads go to a new folder.
async fn driven(html: &str) -> (DrivenTab, PathBuf) {
    let mut driven = DrivenTab::show(html).await;
    let folder = testkit::browser_profile("downloads").join("files");
    std::fs::create_dir(&folder).unwrap();
    let into = Downloads::Into(folder.clone());
    driven.driver = driven.driver.with_downloads(into);
    (driven, folder)
}

/// The names of the files in a folder.
fn files(folder: &PathBuf) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until this many downloads of the front tab have this end; `None` for none yet.
async fn wait_for_downloads(driven: &DrivenTab, count: usize, done: Option<bool>) {
    let mut state = driven.driver.tab().unwrap().watch();
    let has = |state: &TabState| {
        let files = state.downloads.iter();
        files.filter(|file| file.done == done).count() == count
    };
    testkit::within("the downloads", state.wait_for(has))
        .await
        .unwrap();
}

fn downloads(effects: Vec<SideEffect>) -> Vec<Download> {
    let file = |effect| match effect {
        SideEffect::Downloaded(file) => Some(file),
        _ => None,
    };
    effects.into_iter().filter_map(file).collect()
}

#[tokio::test]
async fn download_that_ends_between_runs_gets_its_name_and_is_reported_to_the_next() {
    let (mut driven, folder) = driven("<a id=slow href=/slow download=slow.txt>Slow</a>").await;
    let halves = Reply::Halves("one ".to_owned(), "two".to_owned());
    driven.web.reply("/slow", halves);
    assert_eq!(driven.click("slow").await, Ok(()));
    wait_for_downloads(&driven, 1, None).await;
    let begun = downloads(driven.driver.side_effects()).remove(0);
    assert_eq!(
        (&*begun.name, begun.state),
        ("slow.txt", DownloadState::InProgress)
    );
    assert_eq!(begun.path, None);
    driven.driver.pause();
    driven.web.release("/slow");
    wait_for_downloads(&driven, 1, Some(true)).await;
    assert_eq!(files(&folder), ["slow.txt"]);
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    let events = driven.driver.background_events();
    let [BackgroundEvent::Downloaded(ended)] = &*events else {
        panic!("{events:?}")
    };
    assert_eq!(
        (ended.state, ended.was_reported),
        (DownloadState::Completed, true)
    );
    let path = folder.join("slow.txt");
    assert_eq!(ended.path.as_deref(), path.to_str());
    assert!(std::fs::read_to_string(path).unwrap().ends_with("one two"));
    assert_eq!(driven.driver.background_events(), []);
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[tokio::test]
async fn download_that_begins_between_runs_goes_to_the_folder_if_the_browser_is_ours() {
    let (mut driven, folder) =
        driven("<button id=export onclick=\"fetch('/ready').finally(() => location = '/file')\">Export</button>").await;
    let into = Downloads::IntoAlsoBetweenRuns(folder.clone());
    driven.driver = driven.driver.with_downloads(into);
    let held = Reply::Held(Box::new(Reply::Nothing));
    driven.web.reply("/ready", held);
    let file = Reply::Download("export.csv".to_owned(), b"a,b".to_vec());
    driven.web.reply("/file", file);
    assert_eq!(driven.click("export").await, Ok(()));
    assert_eq!(driven.driver.side_effects(), []);
    driven.driver.pause();
    driven.web.release("/ready");
    wait_for_downloads(&driven, 1, Some(true)).await;
    assert_eq!(files(&folder), ["export.csv"]);
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    let events = driven.driver.background_events();
    let [BackgroundEvent::Downloaded(ended)] = &*events else {
        panic!("{events:?}")
    };
    assert_eq!((&*ended.name, ended.was_reported), ("export.csv", false));
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[tokio::test]
async fn two_downloads_at_once_keep_their_names_and_replace_nothing() {
    let (mut driven, folder) = driven(
        "<button id=two>Two</button><script>
         const save = (name) => { const link = document.createElement('a'); link.href = URL.createObjectURL(new Blob([name])); link.download = name; link.click(); };
         two.onclick = () => { save('one.txt'); save('two.txt'); };</script>",
    )
    .await;
    std::fs::write(folder.join("one.txt"), "own").unwrap();
    assert_eq!(driven.click("two").await, Ok(()));
    wait_for_downloads(&driven, 2, Some(true)).await;
    assert_eq!(files(&folder), ["one (1).txt", "one.txt", "two.txt"]);
    let read = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(
        (&*read("one.txt"), &*read("one (1).txt"), &*read("two.txt")),
        ("own", "one.txt", "two.txt")
    );
    let ended = downloads(driven.driver.side_effects());
    let names: Vec<&str> = ended.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["one.txt", "two.txt"]);
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[tokio::test]
async fn tab_that_only_downloads_is_no_opened_tab() {
    let (mut driven, folder) =
        driven("<a id=link target=_blank href=/file>Download in tab</a>").await;
    let file = Reply::Download("nt.bin".to_owned(), vec![1; 10]);
    driven.web.reply("/file", file);
    assert_eq!(driven.click("link").await, Ok(()));
    let mut effects = driven.driver.side_effects();
    wait_for_downloads(&driven, 1, Some(true)).await;
    let mut state = driven.driver.tab().unwrap().watch();
    let closed = state.wait_for(|state| state.opened.is_empty());
    testkit::within("the end of the tab", closed).await.unwrap();
    effects.extend(driven.driver.side_effects());
    let opened = |effect: &&SideEffect| matches!(effect, SideEffect::TabOpened(_));
    let gone = |effect: &&SideEffect| matches!(effect, SideEffect::TabClosed(_));
    assert_eq!(
        effects.iter().filter(opened).count(),
        effects.iter().filter(gone).count()
    );
    let ended = downloads(effects).pop().unwrap();
    assert_eq!(
        (&*ended.name, ended.state),
        ("nt.bin", DownloadState::Completed)
    );
    assert_eq!(files(&folder), ["nt.bin"]);
    assert_eq!(driven.driver.tabs(&cx()).await.unwrap().len(), 1);
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}

#[tokio::test]
async fn tab_that_opens_or_closes_between_runs_is_reported_to_the_next() {
    let (mut driven, folder) = driven(
        "<button id=late onclick=\"fetch('/go').finally(() => window.open('/other'))\">Late</button>
         <button id=pop onclick=\"window.open('/pop')\">Pop</button>",
    )
    .await;
    driven
        .web
        .reply("/go", Reply::Held(Box::new(Reply::Nothing)));
    driven.page("/other", "<title>Other</title>");
    driven.page(
        "/pop",
        "<p id=popup>Popup<script>fetch('/stop').finally(() => window.close())</script>",
    );
    driven
        .web
        .reply("/stop", Reply::Held(Box::new(Reply::Nothing)));
    assert_eq!(driven.click("late").await, Ok(()));
    driven.driver.pause();
    driven.web.release("/go");
    let mut state = driven.driver.tab().unwrap().watch();
    let opened = state.wait_for(|state| state.opened.iter().any(|tab| tab.url.ends_with("/other")));
    testkit::within("the tab", opened).await.unwrap();
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    let events = driven.driver.background_events();
    let [BackgroundEvent::TabOpened { url, .. }] = &*events else {
        panic!("{events:?}")
    };
    assert_eq!(*url, driven.web.url("/other"));
    // It is not followed.
    assert_eq!(driven.click("pop").await, Ok(()));
    driven.find(uitree::Query::new().id("popup")).await;
    driven.driver.pause();
    let mut popup = driven.driver.tab().unwrap().watch();
    driven.web.release("/stop");
    let closed = popup.wait_for(|state| state.status == driver_chrome::browser::TabStatus::Closed);
    testkit::within("the end", closed).await.unwrap();
    driven.driver.leave_closed_tabs();
    assert_eq!(driven.driver.resume(&cx()).await, Ok(()));
    let events = driven.driver.background_events();
    let [BackgroundEvent::TabClosed { url, .. }] = &*events else {
        panic!("{events:?}")
    };
    assert_eq!(*url, driven.web.url("/pop"));
    driven.find(uitree::Query::new().id("pop")).await;
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
}
