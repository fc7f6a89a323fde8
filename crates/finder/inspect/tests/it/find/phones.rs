//! Descriptions on phone screens.

use inspect::{
    Request, Subject,
    find::{self, Found},
    subject::State,
};
use uitree::UiTree;

const SETTINGS: &str = r#"
window application layer=1 active "Settings" owner=com.settings
  column #root [0,0][1080,2400] .LinearLayout
    toolbar [0,60][1080,200]
      button label="Navigate up" [0,60][140,200] clickable
      title "Network" [160,60][800,200]
      icon label="Search settings" #com.settings:id/search [940,60][1080,200] clickable
    list #com.settings:id/list [0,200][1080,2200] scrollable .RecyclerView
      text "Connections" #android:id/title [40,220][1040,280]
      listitem [0,300][1080,480] clickable .LinearLayout
        text "Wi-Fi" #android:id/title [40,310][600,380]
        text "Connected to Home" #android:id/summary [40,390][600,450]
        switch #android:id/switch_widget [900,340][1040,440] clickable checkable checked
      listitem [0,500][1080,680] clickable .LinearLayout
        text "Airplane mode" #android:id/title [40,510][600,580]
        switch #android:id/switch_widget [900,540][1040,640] clickable checkable
      text "Display" #android:id/title [40,700][1040,760]
      listitem [0,780][1080,960] clickable .LinearLayout
        text "Dark theme" #android:id/title [40,800][600,860]
    button #com.settings:id/fab [880,2220][1040,2380] clickable
"#;

fn named(notation: &str) -> (UiTree, Subject) {
    let screen = UiTree::parse_notation(notation).unwrap();
    let subject = Subject::from_tree(&screen);
    (screen, subject)
}

fn ask(subject: &Subject, description: &str) -> Found {
    find::find(subject, &Request::described(description)).unwrap()
}

/// The role and the first words of the best match.
fn first(screen: &UiTree, found: &Found) -> String {
    let Some(hit) = found.ranked.first() else {
        return "nothing".to_owned();
    };
    let id = screen.get(hit.place).unwrap();
    let words = screen
        .subtree(id)
        .map(|at| screen.node(at))
        .find_map(|node| {
            [&node.label, &node.text, &node.id]
                .into_iter()
                .find(|words| !words.is_empty())
                .cloned()
        })
        .unwrap_or_default();
    format!("{} {words}", screen.node(id).role.as_str())
}

#[test]
fn resource_ids_and_classes_act_as_test_ids_and_tags() {
    let (screen, subject) = named(SETTINGS);
    let mut request = Request::default();
    request.attributes.data_testid = Some("search".into());
    let found = find::find(&subject, &request).unwrap();
    assert_eq!(first(&screen, &found), "icon Search settings");
    let mut request = Request {
        tag: Some("RecyclerView".into()),
        ..Request::default()
    };
    let found = find::find(&subject, &request).unwrap();
    assert_eq!(
        (first(&screen, &found).as_str(), found.ranked.len()),
        ("list com.settings:id/list", 1)
    );
    request.tag = Some("android.widget.LinearLayout".into());
    request.description = Some("dark theme".into());
    let found = find::find(&subject, &request).unwrap();
    assert_eq!(first(&screen, &found), "listitem Dark theme");
}

#[test]
fn unique_names_on_real_screens_find_their_control() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../core/uitree/testdata/screens"
    );
    let index = std::fs::read_to_string(format!("{folder}/index.tsv")).unwrap();
    let (mut queries, mut found_first, mut missed) = (0, 0, Vec::new());
    let rows = index.lines().skip(1);
    for name in rows.filter_map(|line| line.split('\t').next()) {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        let screen = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        let subject = Subject::from_tree(&screen);
        let controls: Vec<_> = subject
            .candidates()
            .iter()
            .filter(|candidate| {
                let letters = candidate.name().chars().filter(|c| c.is_alphabetic());
                candidate.state.contains(State::INTERACTIVE)
                    && candidate.visibility.is_visible()
                    && (letters.count() > 2 && candidate.name().len() < 80)
            })
            .collect();
        for control in controls {
            // A part of a longer name is less specific.
            let said_elsewhere = subject.candidates().iter().any(|other| {
                other.place != control.place
                    && other
                        .names
                        .iter()
                        .any(|name| name.text.to_lowercase() == control.name().to_lowercase())
            });
            if said_elsewhere {
                continue;
            }
            queries += 1;
            let found = ask(&subject, control.name());
            if found.ranked.first().map(|hit| hit.place) == Some(control.place) {
                found_first += 1;
            } else {
                missed.push(format!("{name}: {}", control.name()));
            }
        }
    }
    assert!(queries > 200, "{queries}");
    assert!(
        found_first * 100 >= queries * 98,
        "{found_first} of {queries}: {missed:#?}"
    );
}

const BAR: &str = r#"
window application layer=1 active "Radar" owner=com.radar
  column [0,0][1080,2400]
    button label="Navigate up" [0,60][140,200] clickable
    button #com.radar:id/share [0,1800][120,1920] clickable
    text "Past" [331,1820][424,1900]
    image #com.radar:id/divider [452,1830][457,1890]
    text "Future" [485,1820][630,1900]
    icon #com.radar:id/bell [40,2000][120,2080] clickable
    text "Alerts" [160,2000][600,2080]
    icon #com.radar:id/gear [40,2100][120,2180] clickable
    text "Options" [160,2100][600,2180]
"#;

#[test]
fn control_beside_a_named_text_is_the_second_candidate() {
    let (screen, subject) = named(BAR);
    let found = ask(&subject, "select the option alerts");
    assert_eq!(first(&screen, &found), "text Alerts", "{found:#?}");
    let bell = screen.get(found.ranked[1].place).unwrap();
    assert_eq!(&*screen.node(bell).id, "com.radar:id/bell", "{found:#?}");
}
