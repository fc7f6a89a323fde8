//! Inferred roles.

use crate::{real_screens, screen};
use expect_test::expect;
use std::collections::BTreeMap;
use uitree::{Arrangement, Role, RoleHints, State, UiTree};

fn by_class(class: &str) -> Role {
    Role::infer(&RoleHints {
        class,
        ..RoleHints::default()
    })
}

#[test]
fn widget_classes_decide_the_role() {
    let table = [
        ("android.widget.Button", Role::Button),
        ("android.widget.ImageButton", Role::Button),
        (
            "com.google.android.material.floatingactionbutton.FloatingActionButton",
            Role::Button,
        ),
        ("android.widget.RadioButton", Role::Radio),
        ("android.widget.ToggleButton", Role::Toggle),
        ("android.widget.CompoundButton", Role::Toggle),
        ("android.widget.CheckBox", Role::CheckBox),
        ("android.widget.CheckedTextView", Role::CheckBox),
        ("android.widget.Switch", Role::Switch),
        ("androidx.appcompat.widget.SwitchCompat", Role::Switch),
        ("android.widget.TextSwitcher", Role::Container),
        ("android.widget.ViewSwitcher", Role::Container),
        ("android.widget.EditText", Role::TextField),
        ("android.widget.MultiAutoCompleteTextView", Role::TextField),
        (
            "androidx.appcompat.widget.SearchView$SearchAutoComplete",
            Role::TextField,
        ),
        ("android.widget.SeekBar", Role::Slider),
        ("android.widget.RatingBar", Role::Slider),
        ("android.widget.ProgressBar", Role::Progress),
        ("android.widget.Spinner", Role::Dropdown),
        ("android.webkit.WebView", Role::WebView),
        ("androidx.viewpager2.widget.ViewPager2", Role::Pager),
        ("androidx.viewpager.widget.b", Role::Pager),
        ("androidx.recyclerview.widget.RecyclerView", Role::List),
        ("android.widget.ListView", Role::List),
        ("android.widget.GridView", Role::Grid),
        ("androidx.appcompat.widget.Toolbar", Role::Toolbar),
        (
            "com.google.android.material.appbar.CollapsingToolbarLayout",
            Role::Container,
        ),
        ("com.google.android.material.tabs.TabLayout", Role::TabBar),
        (
            "com.google.android.material.bottomnavigation.BottomNavigationView",
            Role::TabBar,
        ),
        ("androidx.appcompat.app.ActionBar$Tab", Role::Tab),
        (
            "com.google.android.material.bottomnavigation.BottomNavigationItemView",
            Role::Tab,
        ),
        ("androidx.cardview.widget.CardView", Role::Card),
        ("com.google.android.material.chip.Chip", Role::Chip),
        (
            "com.google.android.material.chip.ChipGroup",
            Role::Container,
        ),
        (
            "androidx.appcompat.view.menu.ListMenuItemView",
            Role::MenuItem,
        ),
        ("androidx.appcompat.widget.ActionMenuView", Role::Menu),
        ("android.widget.ImageView", Role::Image),
        ("android.widget.TextView", Role::Text),
        ("android.widget.LinearLayout", Role::Container),
        ("android.widget.ScrollView", Role::Container),
        ("android.view.View", Role::Unknown),
        ("o9.j", Role::Unknown),
        ("", Role::Unknown),
    ];
    for (class, role) in table {
        assert_eq!(by_class(class), role, "{class}");
    }
}

#[test]
fn every_role_is_inferred_or_given_by_the_platform() {
    let given = [Role::Link, Role::Menu, Role::Unknown];
    let inferred: std::collections::BTreeSet<Role> = screen(EVERYTHING)
        .nodes()
        .iter()
        .map(|node| node.role)
        .collect();
    let missing: Vec<&Role> = Role::ALL
        .iter()
        .filter(|role| !inferred.contains(role) && !given.contains(role))
        .collect();
    assert_eq!(missing, Vec::<&Role>::new());
}

const EVERYTHING: &str = r#"
    node .FrameLayout
      node .com.google.Toolbar
        node "Shop" .TextView
      node .LinearLayout [0,100][1080,200]
        node "a" .TextView [0,100][500,200]
        node "b" .TextView [500,100][900,200]
      node .LinearLayout
        node "a" .TextView
        node "b" .TextView
      node .androidx.recyclerview.widget.RecyclerView
        node .LinearLayout clickable
          node "row" .TextView
      node .GridView
      node .androidx.viewpager.widget.ViewPager
      node .androidx.cardview.widget.CardView
      node .Button
      node .EditText
      node .Switch
      node .CheckBox
      node .RadioButton
      node .ToggleButton
      node .ImageView clickable
      node .ImageView
      node .com.google.Chip
      node .androidx.appcompat.view.menu.ListMenuItemView
      node "Name" .TextView @screen-reader-focusable="true"
      node "Section" .TextView heading
      node .SeekBar
      node .ProgressBar
      node .Spinner
      node #android:id/parentPanel .LinearLayout
      node .android.webkit.WebView
      node .android.view.ViewGroup
        node "Home" .android.view.View focusable selected [0,2000][500,2100]
        node "More" .android.view.View clickable [500,2000][1000,2100]
"#;

#[test]
fn roles_are_inferred_in_the_notation() {
    let tree = screen(EVERYTHING);
    let roles: Vec<String> = tree
        .nodes()
        .iter()
        .map(|node| {
            format!(
                "{}{}\n",
                "  ".repeat(node.depth as usize),
                node.role.as_str()
            )
        })
        .collect();
    expect![[r#"
        container
          toolbar
            title
          row
            text
            text
          column
            text
            text
          list
            listitem
              text
          grid
          pager
          card
          button
          textfield
          switch
          checkbox
          radio
          toggle
          icon
          image
          chip
          menuitem
          label
          heading
          slider
          progress
          dropdown
          dialog
          webview
          tabbar
            tab
            tab
    "#]]
    .assert_eq(&roles.concat());
}

#[test]
fn text_inside_a_row_stays_text() {
    expect![[r#"
        list [0,0][1080,2400]
          listitem [0,0][1080,300]
            text "Connections"
            text "Wi-Fi"
            icon [0,200][1080,300]
          listitem "Plain"
          text "Heading row"
        button [0,0][1080,2400]
          text "In a tappable area"
    "#]]
    .assert_eq(&roles_of(
        r#"
        node .ListView scrollable
          node .LinearLayout clickable
            node "Connections" .TextView
            node "Wi-Fi" .TextView
            node .ImageView
          node "Plain" .TextView clickable
          node "Heading row" .TextView
        node .LinearLayout clickable
          node "In a tappable area" .TextView
        "#,
    ));
}

#[test]
fn bare_views_are_classified_by_flags() {
    expect![[r#"
        container [0,0][1080,2400]
          list [0,0][1080,300]
            listitem [0,0][1080,200]
              text "Title"
              text "Detail"
            button label="Delete"
          text label="Only words"
          button label="Tap me"
          button [0,500][1080,600]
          button [0,600][1080,700]
            text "Buy"
          switch [0,700][1080,800]
          toggle [0,800][1080,900]
            text "Filter"
          textfield [0,900][1080,1000]
          container label="Group"
            text "a"
          unknown [0,1100][1080,1200]
          unknown [0,1200][1080,1300]
    "#]]
    .assert_eq(&roles_of(
        r#"
        node .android.view.View
          node .android.view.View scrollable
            node .android.view.View clickable
              node "Title" .TextView
              node "Detail" .TextView
            node label="Delete" .android.view.View clickable
          node label="Only words" .android.view.View
          node label="Tap me" .android.view.View clickable
          node .android.view.View clickable
          node .android.view.View clickable
            node "Buy" .TextView
          node .android.view.View checkable clickable
          node .android.view.View checkable clickable
            node "Filter" .TextView
          node .android.view.View editable
          node label="Group" .android.view.View
            node "a" .TextView
          node .android.view.View
          node .android.view.View scrollable
        "#,
    ));
}

#[test]
fn table_is_no_tab_and_sheet_is_no_bar() {
    let child_of = |parent_id: &str| {
        Role::infer(&RoleHints {
            class: "android.widget.TextView",
            text: "Home",
            parent_id,
            ..RoleHints::default()
        })
    };
    for bar in [
        "x:id/tabs",
        "x:id/tab_layout",
        "x:id/bottom_navigation",
        "x:id/navigation_bar",
        "x:id/bottomNav",
        "x:id/mainTabBar",
    ] {
        assert_eq!(child_of(bar), Role::Tab, "{bar}");
    }
    for other in [
        "x:id/table",
        "x:id/table_row",
        "x:id/bottom_sheet",
        "x:id/bottom",
        "x:id/establish",
        "x:id/navigation_drawer",
        "x:id/tablet_pane",
        "x:id/navigation_bar_item_labels_group",
        "x:id/tab_icon",
        "",
    ] {
        assert_eq!(child_of(other), Role::Text, "{other}");
    }
}

#[test]
fn state_and_children_decide_the_role_of_plain_views() {
    let view = RoleHints {
        class: "android.view.View",
        children: 4,
        ..RoleHints::default()
    };
    let infer = |hints: RoleHints<'_>| Role::infer(&hints);
    assert_eq!(
        infer(RoleHints {
            state: State::SCROLLABLE,
            ..view
        }),
        Role::List
    );
    assert_eq!(
        infer(RoleHints {
            state: State::SCROLLABLE,
            arrangement: Arrangement::Grid,
            ..view
        }),
        Role::Grid
    );
    assert_eq!(
        infer(RoleHints {
            state: State::CLICKABLE,
            content: 2,
            ..view
        }),
        Role::Button
    );
    assert_eq!(
        infer(RoleHints {
            state: State::CLICKABLE,
            content: u32::MAX,
            ..view
        }),
        Role::Container
    );
    assert_eq!(
        infer(RoleHints {
            state: State::CLICKABLE,
            parent_role: Role::List,
            ..view
        }),
        Role::ListItem
    );
    assert_eq!(
        infer(RoleHints {
            text: "Copy",
            parent_role: Role::Menu,
            ..view
        }),
        Role::MenuItem
    );
    assert_eq!(
        infer(RoleHints {
            choice: true,
            ..view
        }),
        Role::TabBar
    );
    assert_eq!(
        infer(RoleHints {
            inside_clickable: true,
            class: "android.widget.ImageView",
            ..view
        }),
        Role::Icon
    );
}

#[test]
fn given_role_is_kept() {
    let tree = screen("node .LinearLayout\n  link \"More\" .Button clickable");
    assert_eq!(tree.nodes()[1].role, Role::Link);
    let again = UiTree::parse_hierarchy_xml(tree.to_hierarchy_xml().as_bytes(), None);
    assert_eq!(again, Ok(tree));
}

#[test]
fn roles_of_real_screens() {
    let mut table = String::new();
    for (name, bytes) in real_screens() {
        if ![
            "001", "005", "014", "021", "025", "026", "029", "031", "043", "047",
        ]
        .contains(&&name[..3])
        {
            continue;
        }
        let tree = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        let mut counts: BTreeMap<Role, usize> = BTreeMap::new();
        for node in tree.nodes() {
            *counts.entry(node.role).or_default() += 1;
        }
        let counts: Vec<String> = counts
            .iter()
            .map(|(role, count)| format!("{} {count}", role.as_str()))
            .collect();
        table += &format!("{name}: {}\n", counts.join(", "));
    }
    expect![[r#"
        001-appium-source-ko-land.xml: container 8, tabbar 1, list 2, listitem 10, tab 4, button 2, text 14, label 1, unknown 4
        005-compose.xml: container 18, button 11, text 21, unknown 6
        014-flutter.xml: container 11, tabbar 1, tab 5, button 1, text 7
        021-launcher.xml: container 29, row 1, column 1, grid 1, listitem 28, pager 1, button 4, textfield 1, icon 1, image 2, unknown 6
        025-react-native-ar-deep.xml: container 61, tabbar 1, tab 5, button 8, image 2, text 42, unknown 1
        026-settings.xml: container 8, row 1, column 1, button 2, text 1, title 1, dialog 1, unknown 1
        029-system-app.xml: container 48, row 4, column 15, tabbar 1, list 1, listitem 3, tab 3, button 15, textfield 1, icon 4, image 3, text 27, unknown 2
        031-system-dialog.xml: container 8, row 1, column 2, button 3, radio 2, icon 1, text 1
        043-views.xml: container 96, row 4, column 6, list 1, grid 2, listitem 14, button 24, icon 23, image 1, text 28, unknown 6
        047-webview.xml: container 99, list 3, listitem 10, button 33, checkbox 3, toggle 5, icon 1, image 2, text 121, webview 2, unknown 1
    "#]].assert_eq(&table);
}

#[test]
fn few_clickable_nodes_have_unknown_role() {
    let (mut tappable, mut unknown) = (0, 0);
    for (_, bytes) in real_screens() {
        let tree = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        for node in tree.nodes().iter().filter(|node| node.is(State::CLICKABLE)) {
            tappable += 1;
            unknown += usize::from(node.role == Role::Unknown);
        }
    }
    assert!(tappable > 800, "{tappable}");
    assert_eq!(unknown, 0);
}

fn roles_of(notation: &str) -> String {
    let tree = screen(notation);
    tree.ids()
        .map(|id| {
            format!(
                "{}{}\n",
                "  ".repeat(tree.node(id).depth as usize),
                tree.describe(id)
            )
        })
        .collect()
}

#[test]
fn value_and_name_of_a_field_are_both_written() {
    let view = |field: &str| {
        let notation = format!("window application layer=1 active\n  {field} [0,0][100,20]");
        UiTree::parse_notation(&notation).unwrap().to_compact()
    };
    for (text, label) in [("5", "Room 5"), ("Main Street", "Street")] {
        for role in ["textfield", "dropdown"] {
            let view = view(&format!("{role} \"{text}\" label=\"{label}\""));
            let line = format!("{role} \"{text}\" label=\"{label}\"");
            assert!(view.contains(&line), "{view}");
        }
    }
}
