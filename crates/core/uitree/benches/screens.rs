//! Measures operations on screens: `cargo bench -p uitree` prints a table of the best of several runs.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};
use uitree::{Query, RefTable, TextView, UiTree};

fn main() {
    println!("{:<44} {:>12} {:>12}", "", "time", "target");
    for (nodes, parse_target) in [(1_000, "< 1 ms"), (10_000, "< 12 ms"), (50_000, "")] {
        let document = document(nodes);
        let megabytes = document.len() as f64 / 1e6;
        let tree = read(&document);
        assert_eq!(tree.len(), nodes);
        row(
            &format!("{nodes} nodes ({megabytes:.1} MB): read, index, one query"),
            best(|| {
                let tree = read(&document);
                black_box(tree.find(&Query::new().text_contains("row 7")));
            }),
            parse_target,
        );
        row(
            "  write hierarchy_xml",
            best(|| tree.to_hierarchy_xml()),
            "",
        );
        row("  write the notation", best(|| tree.to_notation()), "");
        let view_target = if nodes == 1_000 { "< 0.5 ms" } else { "" };
        row(
            "  write the terse view",
            best(|| tree.to_compact()),
            view_target,
        );
        let mut table = RefTable::default();
        row("  give references", best(|| table.assign(&tree)), "");
        let refs = table.assign(&tree);
        let view = || tree.text_view_with(TextView::default(), &refs).text;
        row("  write the view with references", best(view), view_target);
        let (before, after) = (view(), view().replace("Row 3", "Line 3"));
        assert_ne!(before, after);
        let changes = best(|| uitree::difference(&before, &after));
        row("  difference of two views", changes, view_target);
        row(
            "  movement signature of everything",
            best(|| root(&tree).map(|root| tree.movement_signature(root, uitree::Axis::Vertical))),
            "",
        );
        let missing = Query::new().text("Row 77 of 99").role("button");
        row("  near misses", best(|| tree.near_misses(&missing, 3)), "");
        row(
            "  difference from itself",
            best(|| uitree::diff(&tree, &tree)),
            "",
        );
        let queries = queries();
        let target = if nodes == 10_000 { "< 5 ms" } else { "" };
        row(
            &format!("  {} queries", queries.len()),
            best(|| queries.iter().map(|query| tree.count(query)).sum::<usize>()),
            target,
        );
        println!(
            "  characters: {} as hierarchy_xml, {} in the notation, {} terse",
            tree.to_hierarchy_xml().len(),
            tree.to_notation().len(),
            tree.to_compact().len(),
        );
    }
}

fn read(document: &str) -> UiTree {
    match UiTree::parse_hierarchy_xml(document.as_bytes(), None) {
        Ok(tree) => tree,
        Err(error) => panic!("{error}"),
    }
}

fn root(tree: &UiTree) -> Option<uitree::NodeId> {
    tree.get(0)
}

fn row(what: &str, took: Duration, target: &str) {
    println!(
        "{what:<44} {:>9.3} ms {target:>12}",
        took.as_secs_f64() * 1e3
    );
}

/// The shortest of several runs, the least disturbed one.
fn best<T>(mut run: impl FnMut() -> T) -> Duration {
    const RUNS: usize = 15;
    let times = (0..RUNS).map(|_| {
        let begin = Instant::now();
        black_box(run());
        begin.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Text and attributes of one generated element.
struct Element<'a> {
    text: &'a str,
    id: &'a str,
    class: &'a str,
    clickable: bool,
    scrollable: bool,
    top: usize,
    bottom: usize,
}

const ELEMENT: Element<'_> = Element {
    text: "",
    id: "",
    class: "android.widget.FrameLayout",
    clickable: false,
    scrollable: false,
    top: 0,
    bottom: 100_000,
};

fn open(xml: &mut String, element: &Element<'_>, end: &str) {
    let Element {
        text,
        id,
        class,
        clickable,
        scrollable,
        top,
        bottom,
    } = element;
    // Writing to a string cannot fail.
    let _ = writeln!(
        xml,
        "<node index=\"0\" text=\"{text}\" resource-id=\"{id}\" class=\"{class}\" package=\"com.android.settings\" \
         content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"{clickable}\" enabled=\"true\" \
         focusable=\"{clickable}\" focused=\"false\" scrollable=\"{scrollable}\" long-clickable=\"false\" \
         password=\"false\" selected=\"false\" bounds=\"[0,{top}][1080,{bottom}]\"{end}",
    );
}

/// A list of rows like a settings screen: five elements each.
fn document(nodes: usize) -> String {
    let mut xml = String::from(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy rotation=\"0\">\n",
    );
    let list = Element {
        id: "com.android.settings:id/list",
        class: "androidx.recyclerview.widget.RecyclerView",
        scrollable: true,
        ..ELEMENT
    };
    open(&mut xml, &ELEMENT, ">");
    open(&mut xml, &list, ">");
    let mut left = nodes - 2;
    for row in 0.. {
        if left == 0 {
            break;
        }
        let top = row % 900 * 100;
        let bottom = top + 100;
        let place = Element {
            top,
            bottom,
            ..ELEMENT
        };
        let line = Element {
            class: "android.widget.LinearLayout",
            clickable: true,
            ..place
        };
        let (title, summary) = (
            format!("Row {row}"),
            format!("Wi-Fi &amp; Bluetooth  •  number {row}"),
        );
        let parts = [
            Element {
                text: &title,
                id: "android:id/title",
                class: "android.widget.TextView",
                ..place
            },
            Element {
                text: &summary,
                id: "android:id/summary",
                class: "android.widget.TextView",
                ..place
            },
            Element {
                id: "android:id/icon",
                class: "android.widget.ImageView",
                ..place
            },
            Element {
                id: "android:id/switch_widget",
                class: "android.widget.Switch",
                ..place
            },
        ];
        let inside = (left - 1).min(parts.len());
        open(&mut xml, &line, ">");
        for part in parts.iter().take(inside) {
            open(&mut xml, part, " />");
        }
        xml.push_str("</node>\n");
        left -= inside + 1;
    }
    xml.push_str("</node>\n</node>\n</hierarchy>\n");
    xml
}

/// A hundred queries of every kind, most of which match nothing or only at the end.
fn queries() -> Vec<Query> {
    (0..100)
        .map(|at| match at % 8 {
            0 => Query::new().text(format!("Row {}", at * 19)),
            1 => Query::new().text_contains(format!("NUMBER {}", at * 17)),
            2 => Query::new().id("android:id/title").text("Row 1999"),
            3 => Query::new().text_contains("not there").role("text"),
            4 => Query::new().label("Search"),
            5 => Query::new().label_contains("search"),
            6 => Query::new().role("switch").id("android:id/switch"),
            _ => Query::new().role("slider"),
        })
        .collect()
}
