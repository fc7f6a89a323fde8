//! `clawperator-bench`.
#[tokio::main(flavor="current_thread")]
async fn main() {
    let t=bench::web::run::run(&bench::web::run::Options{rounds:4,peers:"target/bench/peers".into()}).await;
    match t{Ok(t)=>print!("{}",t.text()),Err(e)=>println!("{e}")}
}
