//! The tasks end as they should, and their replies are short.

use bench::tasks::{TaskSelection, run};

#[tokio::test]
async fn tasks_on_the_phone_end_as_they_should_with_short_replies() {
    let costs = run(TaskSelection::Phone).await.unwrap();
    println!("{}", costs.table());
    assert!(costs.line <= 40 && costs.difference <= 150, "{costs:?}");
    assert!(costs.session <= 3_000, "{costs:?}");
}
