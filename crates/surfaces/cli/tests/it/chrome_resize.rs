//! The size of a window, which stays for later commands.

use serde_json::Value;
use testkit::web::Web;

use crate::chrome::User;

const PAGE: &str = "<title>Size</title><p id=size></p>
<script>const tell = () => { size.textContent = `${innerWidth} by ${innerHeight}` }; onresize = tell; tell()</script>";

fn size(user: &User) -> Value {
    let read = user.run("read --id size --device chrome");
    read.success()["envelope"]["stepResults"][0]["data"]["text"].clone()
}

#[test]
fn page_keeps_its_size_for_later_commands() {
    let user = User::new("resize");
    let web = Web::start();
    for path in ["/", "/next"] {
        web.page(path, PAGE);
    }
    let run = |arguments: &[&str]| {
        let arguments = [arguments, &["--device", "chrome"]].concat();
        user.run(&arguments).success()
    };
    run(&["open", &web.url("/")]);
    for (given, expected) in [("390x844", "390 by 844"), ("1600X1200", "1600 by 1200")] {
        run(&["chrome", "resize", given]);
        assert_eq!(size(&user), expected);
        run(&["open", &web.url("/next")]);
        assert_eq!(size(&user), expected);
    }
}
