//! Finds the control that closes what covers a node: by its name in many languages, or by its id.

use uitree::{Node, NodeId, State, UiTree};

/// The names of controls that close their container. Each row has one meaning; the meaning that changes least comes first.
const CLOSE_NAMES: &[&[&str]] = &[
    &[
        "close",
        "schließen",
        "fermer",
        "cerrar",
        "chiudi",
        "fechar",
        "sluiten",
        "stäng",
        "luk",
        "lukk",
        "sulje",
        "zamknij",
        "zavřít",
        "zatvoriť",
        "bezárás",
        "închide",
        "kapat",
        "κλείσιμο",
        "закрыть",
        "закрити",
        "关闭",
        "關閉",
        "閉じる",
        "닫기",
        "إغلاق",
        "סגירה",
        "סגור",
        "बंद करें",
        "ปิด",
        "đóng",
        "tutup",
    ],
    &["×", "✕", "✖", "x"],
    &[
        "dismiss",
        "hide",
        "ausblenden",
        "verwerfen",
        "masquer",
        "ignorer",
        "ocultar",
        "descartar",
        "ignora",
        "nascondi",
        "verbergen",
        "dölj",
        "ukryj",
        "odrzuć",
        "gizle",
        "скрыть",
        "приховати",
        "隐藏",
        "非表示",
        "숨기기",
        "إخفاء",
    ],
    &[
        "not now",
        "no thanks",
        "maybe later",
        "later",
        "nicht jetzt",
        "nein danke",
        "später",
        "pas maintenant",
        "non merci",
        "plus tard",
        "ahora no",
        "no gracias",
        "más tarde",
        "non ora",
        "no grazie",
        "più tardi",
        "agora não",
        "não obrigado",
        "mais tarde",
        "niet nu",
        "nee bedankt",
        "inte nu",
        "nie teraz",
        "şimdi değil",
        "не сейчас",
        "позже",
        "не зараз",
        "以后再说",
        "暂不",
        "稍後再說",
        "後で",
        "今はしない",
        "나중에",
        "ليس الآن",
    ],
    &[
        "skip",
        "überspringen",
        "passer",
        "omitir",
        "saltar",
        "salta",
        "pular",
        "overslaan",
        "hoppa över",
        "pomiń",
        "atla",
        "пропустить",
        "пропустити",
        "跳过",
        "跳過",
        "スキップ",
        "건너뛰기",
        "تخطي",
    ],
    &[
        "cancel",
        "abbrechen",
        "annuler",
        "cancelar",
        "annulla",
        "annuleren",
        "avbryt",
        "annuller",
        "peruuta",
        "anuluj",
        "zrušit",
        "mégse",
        "iptal",
        "отмена",
        "скасувати",
        "取消",
        "キャンセル",
        "취소",
        "إلغاء",
        "ביטול",
        "रद्द करें",
        "hủy",
        "batal",
    ],
    &[
        "got it",
        "ok",
        "okay",
        "verstanden",
        "compris",
        "entendido",
        "ho capito",
        "begrepen",
        "rozumiem",
        "anladım",
        "понятно",
        "知道了",
        "了解",
        "확인",
        "حسنًا",
    ],
];

/// Words in the ids of such controls.
const CLOSE_IDS: &[&str] = &["close", "dismiss", "skip", "cancel"];

/// The control on a cover whose name, or else whose id, says that it closes something.
pub(crate) fn close_control(tree: &UiTree, covered: NodeId, cover: NodeId) -> Option<NodeId> {
    let excludes_covered = |around: &NodeId| !tree.contains(*around, covered);
    // The whole cover: its largest ancestor without the covered node.
    let cover_root = std::iter::once(cover)
        .chain(tree.ancestors(cover))
        .take_while(excludes_covered)
        .last()?;
    let controls = tree
        .subtree(cover_root)
        .filter(|id| tree.node(*id).is(State::CLICKABLE) && tree.is_on_screen(*id));
    let ranked = controls.filter_map(|id| Some((rank(tree.node(id))?, id)));
    ranked.min().map(|(_, id)| id)
}

/// Rank of a control that may close its container, the likeliest first; `None` if its name and id do not say so.
fn rank(node: &Node) -> Option<usize> {
    let names = [&node.text, &node.label].map(|name| name.trim().to_lowercase());
    let is_named = |close: &&str| {
        let is_word = close.chars().count() > 1;
        let mut rests = names.iter().filter_map(|name| name.strip_prefix(*close));
        rests.any(|rest| rest.is_empty() || (is_word && rest.starts_with(' ')))
    };
    let named = CLOSE_NAMES
        .iter()
        .position(|names| names.iter().any(&is_named));
    named.or_else(|| {
        let words = words_of_id(&node.id);
        let known = |close: &&str| words.iter().any(|word| word == close);
        let known = CLOSE_IDS.iter().position(known);
        known.map(|position| CLOSE_NAMES.len() + position)
    })
}

/// The words of an id such as `com.example:id/btnClose` or `close-button`, without its package.
fn words_of_id(id: &str) -> Vec<String> {
    let local_id = id.rsplit('/').next().unwrap_or_default();
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in local_id.chars() {
        let starts_word = !letter.is_alphanumeric() || letter.is_uppercase() && was_lower;
        if starts_word {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::node_text;

    fn close_control_of(controls: &str) -> Option<String> {
        let screen = format!(
            "screen 100x100
window application active
  column [0,0][100,100]
    button \"Buy\" #buy clickable [0,50][100,60]
    container #sheet [0,40][100,90]
{controls}"
        );
        let tree = UiTree::parse_notation(&screen).unwrap();
        let find = |id| tree.find(&uitree::Query::new().id(id)).unwrap();
        let close = close_control(&tree, find("buy"), find("sheet"))?;
        let node = tree.node(close);
        Some(match node_text(node) {
            "" => node.id.to_string(),
            text => text.to_owned(),
        })
    }

    #[test]
    fn control_is_found_in_other_languages() {
        for name in [
            "Schließen",
            "Ahora no",
            "关闭",
            "Закрыть окно",
            "إغلاق",
            "閉じる",
        ] {
            let controls = format!(
                "      button \"Weiter\" clickable [0,60][50,70]
      button \"{name}\" clickable [50,60][100,70]
"
            );
            assert_eq!(close_control_of(&controls).as_deref(), Some(name));
        }
    }

    #[test]
    fn control_with_a_symbol_is_found_by_its_label() {
        let controls = "      button \"⨯\" label=\"Close\" clickable [50,60][100,70]\n";
        assert_eq!(close_control_of(controls).as_deref(), Some("⨯"));
    }

    #[test]
    fn control_without_a_known_name_is_found_by_its_id() {
        let controls = "      button \"Weiter\" #next clickable [0,60][50,70]
      icon #com.example:id/btnClose clickable [50,60][100,70]
";
        assert_eq!(
            close_control_of(controls).as_deref(),
            Some("com.example:id/btnClose")
        );
        let controls =
            "      button \"Weiter\" #disclosed clickable [0,60][50,70]\n".replace("\\n", "");
        assert_eq!(close_control_of(&controls), None);
    }
}
