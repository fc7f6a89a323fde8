//! Keys with modifiers: what a page and its fields make of them.

use driver::{KeyChord, KeyboardKey, Modifier};

use super::{TestPage, chord_events};

impl TestPage {
    async fn chord(&mut self, modifiers: &[Modifier], key: KeyboardKey) {
        let chord = KeyChord {
            modifiers: modifiers.to_vec(),
            key,
        };
        let session = self.tab.session().clone();
        self.input()
            .press_chord(&session, &chord_events(&chord))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn page_sees_keys_as_from_a_keyboard() {
    let mut page = TestPage::open(
        "<input id=field><script>
           field.focus()
           for (const kind of ['keydown', 'keypress', 'keyup']) addEventListener(kind, ({key, code, keyCode, ctrlKey, altKey, shiftKey, metaKey, isTrusted}) =>
             note([kind, key, code, keyCode, [ctrlKey && 'c', altKey && 'a', shiftKey && 's', metaKey && 'm'].filter(Boolean).join(''), isTrusted ? '' : '?'].join('/')))
         </script>",
    )
    .await;
    page.chord(&[Modifier::Ctrl], KeyboardKey::Char('k')).await;
    assert_eq!(
        page.log().await,
        "keydown/Control/ControlLeft/17/c/ keydown/k/KeyK/75/c/ keyup/k/KeyK/75/c/ keyup/Control/ControlLeft/17//"
    );
    page.chord(&[], KeyboardKey::Char('?')).await;
    assert_eq!(
        page.log().await,
        "keydown/?/Slash/191/s/ keypress/?/Slash/63/s/ keyup/?/Slash/191/s/"
    );
    page.chord(&[], KeyboardKey::Space).await;
    assert_eq!(
        page.log().await,
        "keydown/ /Space/32// keypress/ /Space/32// keyup/ /Space/32//"
    );
    page.chord(&[], KeyboardKey::Function(5)).await;
    assert_eq!(page.log().await, "keydown/F5/F5/116// keyup/F5/F5/116//");
    assert_eq!(page.evaluate("field.value").await, "? ");
}

#[tokio::test]
async fn field_edits_by_keys() {
    let mut page = TestPage::open("<textarea id=field>one two</textarea><input id=other>").await;
    page.evaluate("field.focus(); field.setSelectionRange(7, 7)")
        .await;
    let value = "field.value + '|' + field.selectionStart + '-' + field.selectionEnd";
    page.chord(&[], KeyboardKey::Left).await;
    assert_eq!(page.evaluate(value).await, "one two|6-6");
    page.chord(&[Modifier::Ctrl], KeyboardKey::Left).await;
    assert_eq!(page.evaluate(value).await, "one two|4-4");
    page.chord(&[Modifier::Shift], KeyboardKey::MoveEnd).await;
    assert_eq!(page.evaluate(value).await, "one two|4-7");
    page.chord(&[], KeyboardKey::Char('2')).await;
    assert_eq!(page.evaluate(value).await, "one 2|5-5");
    page.chord(&[], KeyboardKey::MoveHome).await;
    page.chord(&[], KeyboardKey::ForwardDelete).await;
    assert_eq!(page.evaluate(value).await, "ne 2|0-0");
    page.chord(&[Modifier::Ctrl], KeyboardKey::Char('z')).await;
    assert_eq!(page.evaluate("field.value").await, "one 2");
    page.chord(&[Modifier::Ctrl], KeyboardKey::Char('a')).await;
    assert_eq!(page.evaluate(value).await, "one 2|0-5");
    page.chord(&[], KeyboardKey::Backspace).await;
    assert_eq!(page.evaluate(value).await, "|0-0");
    page.chord(&[Modifier::Shift], KeyboardKey::Char('a')).await;
    page.chord(&[], KeyboardKey::Enter).await;
    page.chord(&[], KeyboardKey::Char('b')).await;
    assert_eq!(page.evaluate("field.value").await, "A\nb");
    page.evaluate("other.focus()").await;
    page.chord(&[Modifier::Shift], KeyboardKey::Tab).await;
    assert_eq!(page.evaluate("document.activeElement.id").await, "field");
}
