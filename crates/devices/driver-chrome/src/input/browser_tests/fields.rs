//! Text: all kinds of fields, and elements without text.

use super::{EntryMode, TestPage};
use expect_test::expect;

#[tokio::test]
async fn every_kind_of_field_takes_text() {
    let mut page = TestPage::open(
        "<form onsubmit=\"note('submit');return false\" oninput=\"note('input' + (event.isTrusted ? '' : '?'))\" onchange=\"note('change' + (event.isTrusted ? '' : '?'))\">
         <input id=text value=old><input id=search type=search><input id=mail type=email value=a@b.c><input id=pass type=password>
         <input id=number type=number value=7><input id=tel type=tel><input id=url type=url><input id=short maxlength=3>
         <textarea id=area>one
two</textarea><input id=day type=date><input id=hour type=time><input id=month type=month><input id=week type=week><input id=both type=datetime-local>
         <input id=color type=color><input id=range type=range min=0 max=100 step=10><input id=count type=number min=1 max=9><input id=year type=date min=2026-01-01 max=2026-12-31><div id=rich contenteditable>was <b>bold</b></div>
         <select id=list><option value=d>Germany<option value=f> France
         <option disabled>Nowhere</select>
         <input id=box type=checkbox><input id=file type=file><input id=ro readonly value=kept><input id=off disabled><button id=button type=button>B</button><p id=p>P</p>
         </form>",
    )
    .await;
    let mut result = String::new();
    for (id, text) in [
        ("text", "größe 漢字 it's $(x) `id`"),
        ("text", ""),
        ("text", ""),
        ("text", "again"),
        ("text", "a\nb"),
        ("search", "find"),
        ("mail", "x@y.z"),
        ("pass", "hunter2"),
        ("number", "12.5"),
        ("number", "many"),
        ("tel", "+49 30"),
        ("url", "http://x.test/"),
        ("short", "abcdef"),
        ("short", "abc"),
        ("area", "three\nfour"),
        ("day", "2024-02-29"),
        ("day", "29.02.2024"),
        ("hour", "13:05"),
        ("month", "2024-05"),
        ("week", "2024-W07"),
        ("both", "2024-05-06T07:08"),
        ("color", "#ff8800"),
        ("color", "red"),
        ("range", "70"),
        ("range", "75"),
        ("range", "loud"),
        ("count", "many"),
        ("year", "1.2.2026"),
        ("rich", "new words"),
        ("rich", ""),
        ("list", "France"),
        ("list", "d"),
        ("list", "Spain"),
        ("list", "Nowhere"),
        ("box", "x"),
        ("file", "/etc/passwd"),
        ("ro", "x"),
        ("off", "x"),
        ("button", "x"),
        ("p", "x"),
    ] {
        let entered = page
            .entry_log(&format!("document.getElementById('{id}')"), text)
            .await;
        result.push_str(&format!("{id} {text:?}: {entered}\n"));
    }
    expect![[r##"
        text "größe 漢字 it's $(x) `id`": "größe 漢字 it's $(x) `id`" input
        text "": "" input
        text "": "" 
        text "again": "again" input
        text "a\nb": "again" : a field of one line takes no line break. Nothing was changed
        search "find": "find" change input
        mail "x@y.z": "x@y.z" change input
        pass "hunter2": "hunter2" change input
        number "12.5": "12.5" change input
        number "many": "12.5" : a number input takes a number, not "many". Nothing was changed
        tel "+49 30": "+49 30" change input
        url "http://x.test/": "http://x.test/" change input
        short "abcdef": "" : it takes at most 3 characters, not 6. Nothing was changed
        short "abc": "abc" change input
        area "three\nfour": "three\nfour" change input input input
        day "2024-02-29": "2024-02-29" change input? change?
        day "29.02.2024": "2024-02-29" : a date input takes YYYY-MM-DD, not "29.02.2024". Nothing was changed
        hour "13:05": "13:05" input? change?
        month "2024-05": "2024-05" input? change?
        week "2024-W07": "2024-W07" input? change?
        both "2024-05-06T07:08": "2024-05-06T07:08" input? change?
        color "#ff8800": "#ff8800" input? change?
        color "red": "#ff8800" : a color input takes #rrggbb, not "red". Nothing was changed
        range "70": "70" input? change?
        range "75": "70" : a range input takes a number from 0 to 100 in steps of 10, not "75"; the nearest is 80. Nothing was changed
        range "loud": "70" : a range input takes a number from 0 to 100 in steps of 10, not "loud". Nothing was changed
        count "many": "" : a number input takes a number from 1 to 9, not "many". Nothing was changed
        year "1.2.2026": "" : a date input takes YYYY-MM-DD from 2026-01-01 to 2026-12-31, not "1.2.2026". Nothing was changed
        rich "new words": "new words" input
        rich "": "\n" input
        list "France": "f" input change
        list "d": "d" input change
        list "Spain": "d" : the list has no option "Spain"; it has "Germany", "France", "Nowhere". Nothing was changed
        list "Nowhere": "d" : the option "Nowhere" is disabled. Nothing was changed
        box "x": "on" : a checkbox takes no text: click it. Nothing was changed
        file "/etc/passwd": "" : a file input takes files of this computer, not text. Nothing was changed
        ro "x": "kept" : it is read-only. Nothing was changed
        off "x": "" : it is disabled. Nothing was changed
        button "x": "" : a button takes no text. Nothing was changed
        p "x": "P" : a p takes no text. Nothing was changed
    "##]].assert_eq(&result);
}

#[tokio::test]
async fn text_is_appended() {
    let mut page = TestPage::open(
        "<input id=text value=left><input id=mail type=email value=a@b><textarea id=area>one\ntwo</textarea><div id=rich contenteditable>was <b>bold</b></div><input id=day type=date>",
    )
    .await;
    let mut result = String::new();
    for (id, text) in [
        ("text", " right"),
        ("mail", ".c"),
        ("area", "!"),
        ("rich", " more"),
        ("text", ""),
        ("day", "2024-01-01"),
    ] {
        let done = page.enter(id, EntryMode::Append, text).await;
        let value = page
            .evaluate(&format!("{id}.value ?? {id}.innerText"))
            .await;
        result.push_str(&format!("{id}: {value} {done:?}\n"));
    }
    expect![[r#"
        text: "left right" Ok(())
        mail: "a@b.c" Ok(())
        area: "one\ntwo!" Ok(())
        rich: "was bold more" Ok(())
        text: "left right" Ok(())
        day: "" Err(Unwritable("a date input is written as a whole"))
    "#]]
    .assert_eq(&result);
}

#[tokio::test]
async fn text_goes_only_into_the_field() {
    let mut page = TestPage::open(
        "<input id=thief><input id=away onfocus=thief.focus()><input id=controlled>
         <script>let kept = ''; controlled.oninput = () => { kept = controlled.value.toUpperCase(); controlled.value = kept }</script>",
    )
    .await;
    let done = page.enter("away", EntryMode::Set, "secret").await;
    assert_eq!(
        done.unwrap_err().to_string(),
        "the device refused: it does not take the focus"
    );
    assert_eq!(page.evaluate("thief.value + away.value").await, "");
    assert_eq!(page.entry_log("controlled", "shout").await, "\"SHOUT\" ");
    let target = page.target("thief").await;
    page.input().focus(&target).await.unwrap();
    assert_eq!(page.evaluate("document.activeElement.id").await, "thief");
}

#[tokio::test]
async fn enter_submits_a_field() {
    let mut page = TestPage::open(
        "<form onsubmit=\"note('sent:' + name.value);return false\"><input id=name name=name></form>",
    )
    .await;
    assert_eq!(
        page.entry_log("document.getElementById('name')", "ada")
            .await,
        "\"ada\" "
    );
    let target = page.target("document.getElementById('name')").await;
    page.input().submit(&target).await.unwrap();
    assert_eq!(page.log().await, "sent:ada");
    page.evaluate("document.querySelector('form').onsubmit = (event) => { note('sent'); event.preventDefault() }").await;
    page.input().submit(&target).await.unwrap();
    assert_eq!(page.log().await, "sent");
}

#[tokio::test]
async fn options_with_equal_texts_are_distinguished_by_their_groups() {
    let lists = ["<select id=list>", "<select id=list multiple>"];
    for list in lists {
        let mut page = TestPage::open(&format!(
            "{list}<option value=0>None<optgroup label=Home><option value=h1>Standard<option value=h2>Express</optgroup>
             <optgroup label=Work><option value=w1>Standard</optgroup><option value=s>Same<option value=s>Same</select>"
        ))
        .await;
        let target = page.target("list").await;
        for (option, label, value) in [
            ("w1", "Standard (Work)", "w1"),
            ("Standard (Home)", "Standard (Home)", "h1"),
            ("Express", "Express", "h2"),
            ("Same", "Same", "s"),
        ] {
            let names = [option.to_owned()];
            let selected = page.input().select_options(&target, &names).await;
            assert_eq!(selected, Ok(vec![label.to_owned()]), "{list} {option}");
            assert_eq!(page.evaluate("list.value").await, value);
        }
        let names = ["Standard".to_owned()];
        let refused = page.input().select_options(&target, &names).await;
        let why = refused.unwrap_err().to_string();
        assert!(
            why.contains(r#"2 options "Standard""#)
                && why.contains(r#""Standard (Work)" (value "w1")"#),
            "{list} {why}"
        );
        assert_eq!(page.evaluate("list.value").await, "s");
    }
}

#[tokio::test]
async fn pages_that_listen_for_keys_see_the_text() {
    let mut page = TestPage::open(
        "<input id=up value=old onkeyup=\"note('up ' + event.key + ' ' + this.value)\">
         <input id=down onkeydown=\"note('down ' + event.key + ' ' + this.value)\">
         <input id=leaves oninput=\"document.activeElement.blur()\">
         <script>document.body.onkeydown = (event) => { if (event.target === document.body) note('body ' + event.key); };</script>",
    )
    .await;
    for (id, seen) in [
        ("up", "\"book\" up Unidentified book"),
        ("down", "\"book\" down Unidentified book"),
        ("leaves", "\"book\" body Unidentified"),
    ] {
        let entered = page
            .entry_log(&format!("document.getElementById('{id}')"), "book")
            .await;
        assert_eq!(entered, seen);
    }
}
