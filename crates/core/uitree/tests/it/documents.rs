//! Documents as tools and shells write them, valid and broken.

use expect_test::{Expect, expect};
use uitree::{
    NodeSpec, Query, Rect, Role, Size, State, TreeBuilder, UiTree, WindowKind, XmlErrorKind,
};

fn read(document: &str) -> UiTree {
    UiTree::parse_hierarchy_xml(document.as_bytes(), None).unwrap_or_else(|error| panic!("{error}"))
}

fn check(document: &str, notation: Expect) {
    notation.assert_eq(&read(document).to_notation());
}

fn check_error(document: impl AsRef<[u8]>, expected: Expect) {
    let error = UiTree::parse_hierarchy_xml(document.as_ref(), None).unwrap_err();
    expected.assert_eq(&format!("{:?}: {error}", error.kind));
}

/// A node with these attributes.
fn node(attributes: &str) -> String {
    format!("<hierarchy rotation=\"0\"><node {attributes} bounds=\"[0,0][10,10]\" /></hierarchy>")
}

#[test]
fn the_smallest_document() {
    check(
        "<hierarchy><node/></hierarchy>",
        expect![[r#"
        screen 0x0
        unknown unplaced
    "#]],
    );
}

#[test]
fn declaration_bom_and_line_ends_do_not_matter() {
    let plain = read(&node("text=\"å\""));
    for begin in [
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n\r\n",
        "<?xml version=\"1.0\" ?>\r\r\n",
        "\u{feff}<?xml version='1.0'?>",
        "\n\n  ",
        "<!-- <hierarchy> --><!DOCTYPE hierarchy>",
        "[log] x < y & z\nWARNING: linker: ...\n<?xml version='1.0' encoding='UTF-8' ?>",
    ] {
        let document = format!(
            "{begin}{}UI hierchary dumped to: /dev/tty\n",
            node("text='å'")
        );
        assert_eq!(read(&document), plain, "{begin:?}");
        for encoding in [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE] {
            let little = encoding == encoding_rs::UTF_16LE;
            let bytes: Vec<u8> = document
                .trim_start_matches('\u{feff}')
                .encode_utf16()
                .flat_map(|unit| {
                    if little {
                        unit.to_le_bytes()
                    } else {
                        unit.to_be_bytes()
                    }
                })
                .collect();
            let mark: &[u8] = if little { &[0xFF, 0xFE] } else { &[0xFE, 0xFF] };
            let marked = [mark, &bytes].concat();
            assert_eq!(
                UiTree::parse_hierarchy_xml(&marked, None).as_ref(),
                Ok(&plain),
                "{begin:?}"
            );
        }
    }
}

#[test]
fn declared_encodings_are_decoded_and_invalid_bytes_replaced() {
    let document = node("text='caf\u{e9}'")
        .replace("<hier", "<?xml version='1.0' encoding='ISO-8859-1'?><hier");
    let latin: Vec<u8> = document.chars().map(|c| c as u8).collect();
    let tree = UiTree::parse_hierarchy_xml(&latin, None).unwrap();
    assert!(tree.find(&Query::new().text("café")).is_some());
    let broken = [
        node("").as_bytes().split_at(29).0,
        b" text='a\xED\xA0b'/></hierarchy>",
    ]
    .concat();
    let tree = UiTree::parse_hierarchy_xml(&broken, None).unwrap();
    assert_eq!(tree.nodes()[0].text.chars().next(), Some('a'));
    assert!(tree.nodes()[0].text.contains('\u{fffd}'));
}

#[test]
fn values_are_decoded() {
    let value = |raw: &str| {
        read(&node(&format!("text=\"{raw}\""))).nodes()[0]
            .text
            .to_string()
    };
    assert_eq!(
        value("a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos; 'f'"),
        "a & b <c> \"d\" 'e' 'f'"
    );
    assert_eq!(value("&#10;&#13;&#9;&#xA;"), "\n\r\t\n");
    assert_eq!(value("&#128578;&#x1F642;🙂"), "🙂🙂🙂");
    assert_eq!(
        value("&#55357;&#56898;"),
        "🙂",
        "two halves make one character"
    );
    assert_eq!(value("&#55357;x&#56898;"), "\u{fffd}x\u{fffd}");
    assert_eq!(
        value("one\ntwo\r\nthree\r\r\nfour\rfive"),
        "one\ntwo\nthree\nfour\nfive"
    );
    assert_eq!(value("a\u{1}b\u{0}c&#1;"), "a\u{fffd}b\u{fffd}c\u{fffd}");
    assert_eq!(
        value("> ]]> \u{200f}\u{a0}\u{e001}"),
        "> ]]> \u{200f}\u{a0}\u{e001}"
    );
    assert!(
        read(&node("content-desc=\"Search for &apos;vlc&apos;\""))
            .find(&Query::new().label("Search for 'vlc'"))
            .is_some()
    );
}

#[test]
fn attributes_may_have_any_number_and_order() {
    check(
        &node(
            "hint='Name' drawing-order='7' editable='false' NAF='true' class='android.widget.EditText' checked='true' index='3' package='p' odd=''",
        ),
        expect![[r#"
            screen 10x10
            textfield hint="Name" .EditText owner=p [0,0][10,10] checked index=3 @drawing-order="7" @NAF="true" @odd=""
        "#]],
    );
    check(
        &node("visible-to-user='false' enabled='false' heading='true' showing-hint='true'"),
        expect![[r#"
        screen 10x10
        unknown [0,0][10,10] heading showing-hint disabled invisible
    "#]],
    );
    check(
        &node("displayed='false' text='gone'"),
        expect![[r#"
        screen 10x10
        text "gone" [0,0][10,10] invisible @displayed="false"
    "#]],
    );
    check(
        &node("displayed='false' visible-to-user='true' text='here'"),
        expect![[r#"
        screen 10x10
        text "here" [0,0][10,10] @displayed="false"
    "#]],
    );
    check(
        &node("index='-1' clickable='TRUE' selected='yes'"),
        expect![[r#"
        screen 10x10
        button [0,0][10,10] clickable
    "#]],
    );
}

#[test]
fn elements_may_be_named_after_their_class() {
    check(
        "<hierarchy index=\"0\" class=\"hierarchy\" rotation=\"1\" width=\"40\" height=\"30\">
           <android.widget.FrameLayout bounds='[0,0][40,20]'>
             <android.widget.Button text='OK' bounds='[0,0][10,10]'></android.widget.Button>
             <o9.j class='u11' bounds='[0,10][10,20]'/>
           </android.widget.FrameLayout>
         </hierarchy>",
        expect![[r#"
            screen 40x30 rotation=1
            container .FrameLayout [0,0][40,20]
              button "OK" .Button [0,0][10,10]
              unknown ."u11" [0,10][10,20]
        "#]],
    );
}

#[test]
fn window_dumps_keep_window_data() {
    check(
        "<displays><display id='0'>
           <window index='0' id='5' title='Settings' bounds='[0,0][40,30]' active='true' type='TYPE_APPLICATION' layer='1'>
             <hierarchy rotation='3'><node package='com.android.settings' bounds='[0,0][40,30]'><node text='Wi-Fi' bounds='[0,0][9,9]'/></node></hierarchy>
             <window index='1' id='6' title='' active='false' type='TYPE_INPUT_METHOD' layer='2'>
               <hierarchy rotation='3'><node text='q' package='com.keys' bounds='[0,20][40,30]'/></hierarchy>
             </window>
           </window>
         </display></displays>",
        expect![[r#"
            screen 40x30 rotation=3
            window application layer=1 active "Settings" owner=com.android.settings
              container [0,0][40,30]
                text "Wi-Fi" owner="" [0,0][9,9]
            window input-method layer=2 owner=com.keys
              text "q" [0,20][40,30]
        "#]],
    );
}

#[test]
fn window_is_clipped_to_touchable_bounds() {
    let tree = read(
        "<displays><display id='0'>
           <window title='Keys' bounds='[0,20][40,30]' active='false' type='TYPE_INPUT_METHOD' layer='2'>
             <hierarchy rotation='0'><node package='com.keys' bounds='[0,2][40,30]'><node text='clear' bounds='[0,2][40,18]'/>
               <node text='q' bounds='[0,18][9,24]'/></node></hierarchy>
           </window>
           <window title='Prompt' bounds='[0,5][40,9]' active='false' type='TYPE_SYSTEM' layer='3'/>
           <window title='App' bounds='[0,0][40,30]' active='true' type='TYPE_APPLICATION' layer='1'>
             <window title='Menu' bounds='[0,0][9,9]' active='false' type='TYPE_APPLICATION' layer='4'>
               <hierarchy rotation='0'><node text='Copy' package='com.shop' bounds='[0,0][9,9]'/></hierarchy>
             </window>
             <hierarchy rotation='0'><node text='Pay' package='com.shop' bounds='[0,0][40,30]'/></hierarchy>
           </window>
         </display></displays>",
    );
    expect![[r#"
        screen 40x30
        window input-method layer=2 inactive [0,20][40,30] "Keys" owner=com.keys
          container [0,2][40,30]
            text "clear" owner="" [0,2][40,18]
            text "q" owner="" [0,18][9,24]
        window system layer=3 "Prompt"
          unknown [0,5][40,9]
        window application layer=4 "Menu" owner=com.shop
          text "Copy" [0,0][9,9]
        window application layer=1 active "App" owner=com.shop
          text "Pay" [0,0][40,30]
    "#]]
    .assert_eq(&tree.to_notation());
    let seen = |place| tree.visible_bounds(tree.get(place).unwrap());
    assert_eq!(seen(0), Some(Rect::new(0, 20, 40, 30)));
    assert_eq!(seen(1), None);
    assert_eq!(seen(2), Some(Rect::new(0, 20, 9, 24)));
    let covers = |window: usize| tree.touch_bounds(&tree.windows()[window]);
    assert_eq!(covers(0), Some(Rect::new(0, 20, 40, 30)));
    assert_eq!(covers(1), Some(Rect::new(0, 5, 40, 9)));
    let written = tree.to_hierarchy_xml();
    assert!(
        written.contains(" window-bounds=\"[0,20][40,30]\""),
        "{written}"
    );
    assert_eq!(read(&written), tree);
}

#[test]
fn displays_are_separate() {
    let text = "<displays>
           <display id='2'><window title='Till' bounds='[0,0][90,50]' active='true' type='TYPE_APPLICATION' layer='9'>
             <hierarchy rotation='0'><node text='Pay' package='com.till' bounds='[0,0][90,50]'/></hierarchy></window></display>
           <display id='0'><window title='Shop' bounds='[0,0][40,30]' active='false' type='TYPE_APPLICATION' layer='1'>
             <hierarchy rotation='1'><node text='Cart' package='com.shop' bounds='[0,0][40,30]'/></hierarchy></window>
             <window title='Blank' bounds='[0,0][40,30]' active='true' type='TYPE_APPLICATION' layer='2'></window></display>
         </displays>";
    assert_eq!(
        read(text).to_notation(),
        "screen 40x30 rotation=1\nwindow application layer=1 inactive \"Shop\" owner=com.shop\n  text \"Cart\" [0,0][40,30]\n"
    );
    let displays = UiTree::parse_displays_xml(text.as_bytes(), Some(Size::new(80, 30))).unwrap();
    let told: Vec<_> = displays
        .iter()
        .map(|display| (display.id, display.tree.screen(), display.unread.clone()))
        .collect();
    let blank = vec!["Blank".to_owned()];
    assert_eq!(
        told,
        [
            (2, Size::new(90, 50), Vec::new()),
            (0, Size::new(80, 30), blank)
        ]
    );
    let elsewhere = text.replace("id='0'", "id='3'");
    let error = UiTree::parse_hierarchy_xml(elsewhere.as_bytes(), None).unwrap_err();
    assert_eq!(error.kind, XmlErrorKind::NoNode);
}

#[test]
fn windows_are_top_level_elements() {
    let tree = read(
        "<hierarchy rotation='0'>
           <node package='com.android.systemui' bounds='[0,0][40,2]'/>
           <node package='com.shop' bounds='[0,0][40,30]' window-layer='2' window-title='Shop'/>
           <node package='com.keys' bounds='[0,20][40,30]' window-kind='input-method' window-layer='5'/>
         </hierarchy>",
    );
    expect![[r#"
        screen 40x30
        window system inactive owner=com.android.systemui
          unknown [0,0][40,2]
        window application layer=2 active "Shop" owner=com.shop
          unknown [0,0][40,30]
        window input-method layer=5 owner=com.keys
          unknown [0,20][40,30]
    "#]]
    .assert_eq(&tree.to_notation());
    expect![[r#"
        <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
        <hierarchy rotation="0">
          <node index="0" text="" resource-id="" class="" package="com.android.systemui" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][40,2]" />
          <node index="0" text="" resource-id="" class="" package="com.shop" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][40,30]" window-layer="2" window-title="Shop" />
          <node index="0" text="" resource-id="" class="" package="com.keys" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,20][40,30]" window-kind="input-method" window-layer="5" />
        </hierarchy>
    "#]].assert_eq(&tree.to_hierarchy_xml());
}

#[test]
fn written_bytes_are_exact() {
    let mut builder = TreeBuilder::new(Size::new(1080, 2340), 1);
    builder.window(WindowKind::Application, 0, true, "");
    let state = State::ENABLED | State::VISIBLE;
    builder.open(NodeSpec {
        class: "android.widget.FrameLayout".into(),
        owner: "com.shop".into(),
        bounds: Some(Rect::new(0, 0, 1080, 2340)),
        state,
        ..NodeSpec::default()
    });
    builder.open(NodeSpec {
        text: "Tom & \"Jerry\"\n<it's>\t".into(),
        label: "\u{1}".into(),
        id: "com.shop:id/name".into(),
        class: "android.widget.EditText".into(),
        owner: "com.shop".into(),
        hint: "Name".into(),
        bounds: Some(Rect::new(-5, 10, 100, 20)),
        state: state | State::EDITABLE | State::CLICKABLE,
        attributes: vec![("drawing-order".into(), "2".into())],
        ..NodeSpec::default()
    });
    builder.close();
    builder.open(NodeSpec {
        role: Some(Role::Link),
        state: State::HEADING,
        attributes: vec![
            ("text".into(), "not this".into()),
            ("no name".into(), "nor this".into()),
            ("x".into(), "1".into()),
            ("x".into(), "2".into()),
        ],
        ..NodeSpec::default()
    });
    expect![[r#"
        <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
        <hierarchy rotation="1">
          <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.shop" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,2340]">
            <node index="0" text="Tom &amp; &quot;Jerry&quot;&#10;&lt;it&apos;s&gt;&#9;" resource-id="com.shop:id/name" class="android.widget.EditText" package="com.shop" content-desc="�" checkable="false" checked="false" clickable="true" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[-5,10][100,20]" hint="Name" drawing-order="2" />
            <node index="1" text="" resource-id="" class="" package="" content-desc="" checkable="false" checked="false" clickable="false" enabled="false" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="" visible-to-user="false" heading="true" role="link" x="1" />
          </node>
        </hierarchy>
    "#]].assert_eq(&builder.finish().to_hierarchy_xml());
}

#[test]
fn xml_errors_have_positions() {
    check_error(
        "<hierarchy><node text=\"a\"/>\n",
        expect![
            "Truncated: the document ends before `<hierarchy>`, opened in line 1, is closed (line 2, column 1)"
        ],
    );
    check_error(
        "<hierarchy>\n  <node text=\"a",
        expect![
            "Truncated: the document ends where the end of a value should follow (line 2, column 16)"
        ],
    );
    check_error(
        "<hierarchy>\n  <node te",
        expect![
            "Truncated: the document ends where the value of an attribute should follow (line 2, column 11)"
        ],
    );
    check_error(
        "<hierarchy><node></node",
        expect!["Truncated: the document ends where `>` should follow (line 1, column 24)"],
    );
    check_error(
        "<?xml version='1.0' encoding='UTF-8'",
        expect!["Truncated: the document ends where `?>` should follow (line 1, column 37)"],
    );
    check_error(
        "<?xml version='1.0'?>\n",
        expect!["Truncated: the document ends before its first element (line 2, column 1)"],
    );
    check_error(
        "<hierarchy>\n<node>\n</hierarchy>",
        expect![
            "Malformed: `</hierarchy>` where `</node>`, opened in line 2, was expected (line 3, column 1)"
        ],
    );
    check_error(
        "<hierarchy><node text=\"a<node text=\"b\"/></hierarchy>",
        expect![
            "Malformed: `<` inside the value of `text`: its end, or a piece of the document, is missing (line 1, column 25)"
        ],
    );
    check_error(
        "<hierarchy><node text=a/></hierarchy>",
        expect!["Malformed: the value of `text` is not in quotes (line 1, column 23)"],
    );
    check_error(
        "<hierarchy><node text/></hierarchy>",
        expect!["Malformed: the attribute `text` has no value (line 1, column 18)"],
    );
    check_error(
        "<hierarchy><node text='a'index='1'/></hierarchy>",
        expect!["Malformed: a space is missing between two attributes (line 1, column 26)"],
    );
    check_error(
        "<hierarchy><node text='a' text='b'/></hierarchy>",
        expect!["Malformed: the attribute `text` is given twice (line 1, column 33)"],
    );
    check_error(
        "<hierarchy><node x='a' x='b'/></hierarchy>",
        expect!["Malformed: the attribute `x` is given twice (line 1, column 27)"],
    );
    check_error(
        "<hierarchy>\n\n   <node text='å &nbsp; b'/></hierarchy>",
        expect!["Malformed: `&nbsp;` is not known (line 3, column 18)"],
    );
    check_error(
        "<hierarchy><node text='a & b'/></hierarchy>",
        expect!["Malformed: `&` begins no reference that ends in `;` (line 1, column 26)"],
    );
    check_error(
        "<hierarchy><node text='&#x110000;'/></hierarchy>",
        expect!["Malformed: `&#x110000;` is no character (line 1, column 24)"],
    );
    check_error(
        "<hierarchy><node bounds='[0,0][1,x]'/></hierarchy>",
        expect!["Malformed: the bounds are not written as `[0,0][1080,2400]` (line 1, column 26)"],
    );
    check_error(
        "<hierarchy>< node/></hierarchy>",
        expect!["Malformed: `<` is not followed by the name of an element (line 1, column 12)"],
    );
    check_error(
        "<hierarchy rotation='0' />",
        expect!["NoNode: the document is complete but has no node (line 1, column 27)"],
    );
    check_error(
        "<hierarchy><node/></hierarchy>\n<hierarchy><node/></hierarchy>",
        expect![
            "Malformed: a second document follows the first; it is unknown which one shows the screen (line 2, column 1)"
        ],
    );
}

#[test]
fn documents_without_screen_have_error_kinds() {
    check_error(
        "",
        expect!["Empty: the document is empty (line 1, column 1)"],
    );
    check_error(
        " \r\n",
        expect!["Empty: the document is empty (line 1, column 1)"],
    );
    check_error(
        [0xFF, 0xFE],
        expect!["Empty: the document is empty (line 1, column 1)"],
    );
    check_error(
        "<html><body/></html>",
        expect![
            "NotHierarchy: this is not a screen: its root is `html`, not `hierarchy` (line 1, column 1)"
        ],
    );
    check_error(
        "<?xml version='1.0'?><map/>",
        expect![
            "NotHierarchy: this is not a screen: its root is `map`, not `hierarchy` (line 1, column 22)"
        ],
    );
    check_error(
        "error: device offline\n",
        expect![[
            r#"NotXml: this is not an XML document: it begins with "error: device offline" (line 1, column 1)"#
        ]],
    );
    check_error(
        "\nKilled \n",
        expect!["Killed: the dump tool was killed before it wrote anything (line 2, column 1)"],
    );
    check_error(
        "dump\nERROR: null root node returned by UiTestAutomationBridge.\n",
        expect![
            "NullRootNode: the dump tool found no active window: the screen may be off, locked or changing (line 2, column 1)"
        ],
    );
    check_error(
        "cat: /sdcard/window_dump.xml: No such file or directory",
        expect![
            "NoSuchFile: there was no dump to read: the shell did not find the file (line 1, column 1)"
        ],
    );
    check_error(
        "ERROR: could not get idle state.\n<?xml version='1.0'?><hierarchy><node text='stale'/></hierarchy>",
        expect![
            "NotIdle: the dump tool gave up waiting: something on the screen never stops moving; the document that follows is an older one (line 1, column 1)"
        ],
    );
}

#[test]
fn error_like_text_in_a_node_is_text() {
    let tree = read(&node("text='ERROR: could not get idle state. Killed'"));
    assert_eq!(tree.count(&Query::new().text_contains("killed")), 1);
}

#[test]
fn depth_is_limited_without_recursion() {
    let nested = |levels: usize| {
        format!(
            "<hierarchy>{}{}</hierarchy>",
            "<node>".repeat(levels),
            "</node>".repeat(levels)
        )
    };
    let deep = read(&nested(9_999));
    assert_eq!(deep.nodes().last().map(|node| node.depth), Some(9_998));
    let xml = deep.to_hierarchy_xml();
    assert!(xml.len() < 20_000_000, "{}", xml.len());
    assert_eq!(read(&xml), deep);
    let notation = deep.to_notation();
    assert_eq!(UiTree::parse_notation(&notation).as_ref(), Ok(&deep));
    check_error(
        nested(10_001),
        expect!["TooDeep: elements are nested more than 10000 deep (line 1, column 60006)"],
    );
}

#[test]
fn large_screen_is_parsed_completely() {
    let row = "<node index='0' text='Row' resource-id='a:id/b' class='android.widget.TextView' bounds='[0,0][9,9]' content-desc='0123456789012345678901234567890123456789012345678901234567890123456789' />\n";
    let document = format!("<hierarchy rotation='0'>{}</hierarchy>", row.repeat(60_000));
    assert!(document.len() > 10_000_000);
    let tree = read(&document);
    assert_eq!((tree.len(), tree.windows().len()), (60_000, 60_000));
    assert_eq!(tree.count(&Query::new().text_contains("ROW")), 60_000);
}
