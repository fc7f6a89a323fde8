//! The measured pages and clicks.

use bench::web::page::sized;
use bench::web::raw;
use cdp::protocol::runtime::Evaluate;

use crate::TestPage;

#[tokio::test]
async fn sized_page_has_its_size_and_counts_clicks() {
    let page = TestPage::open("sized", &sized(1_500)).await;
    let session = page.tab.session();
    let count = Evaluate {
        expression: "document.querySelectorAll('*').length".to_owned(),
        return_by_value: Some(true),
        ..Evaluate::default()
    };
    let counted = session.call(&count).await.unwrap();
    assert_eq!(counted.result.value, serde_json::json!(1_500));
    let plus = raw::node(session, "#plus").await.unwrap();
    for _ in 0..3 {
        raw::click(session, plus).await.unwrap();
    }
    raw::find_and_click(session, "#plus").await.unwrap();
    assert_eq!(raw::text(session, "#plus").await.unwrap(), "4");
    let next = raw::node(session, "#next").await.unwrap();
    raw::click(session, next).await.unwrap();
    assert_eq!(raw::text(session, "section h2").await.unwrap(), "Turn 1");
    page.end().await;
}
