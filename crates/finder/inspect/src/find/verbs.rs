//! Verbs: what is to be done, and what does it.

use crate::subject::{Kind, Kinds};

/// What a verb at the beginning of an instruction asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verb {
    /// The kinds of elements that take it; empty when any does.
    pub(crate) kinds: Kinds,
    /// How much its word counts as a word of the name, against any other.
    pub(crate) weight: f32,
    /// Whether a value may come before what takes it: `enter X in Y`.
    pub(crate) takes_value: bool,
}

/// What takes text.
pub(crate) const FIELDS_TAKE: Kinds = Kinds::of(&[Kind::TextField]);
const CHOICES: Kinds = Kinds::of(&[
    Kind::Dropdown,
    Kind::Option,
    Kind::Radio,
    Kind::Tab,
    Kind::MenuItem,
    Kind::CheckBox,
    Kind::ListItem,
]);
pub(crate) const CHECKS: Kinds = Kinds::of(&[Kind::CheckBox, Kind::Radio, Kind::Switch]);

/// What nobody opens, reads or visits.
pub(crate) const NEVER_OPENED: Kinds =
    Kinds::of(&[Kind::CheckBox, Kind::Radio, Kind::TextField, Kind::Slider]);

/// Whether `word` at the beginning of an instruction leads somewhere.
pub(crate) fn opens(word: &str) -> bool {
    matches!(
        word,
        "open"
            | "view"
            | "show"
            | "see"
            | "read"
            | "visit"
            | "launch"
            | "follow"
            | "start"
            | "run"
            | "begin"
            | "perform"
            | "execute"
    )
}

/// Whether `word` at the beginning of an instruction asks for a search.
pub(crate) fn searches(word: &str) -> bool {
    matches!(
        word,
        "search"
            | "suchen"
            | "rechercher"
            | "cherche"
            | "chercher"
            | "buscar"
            | "cercare"
            | "pesquisar"
            | "procurar"
            | "zoek"
            | "zoeken"
            | "szukaj"
            | "wyszukaj"
    )
}

/// The verb that `word` is at the beginning of an instruction.
pub(crate) fn verb(word: &str) -> Option<Verb> {
    let (kinds, weight, takes_value) = match word {
        "click" | "tap" | "press" | "hit" | "push" | "touch" | "klicke" | "klick" | "tippe"
        | "drucke" | "cliquez" | "clique" | "haz" | "clic" | "pulsa" | "clicca" | "premi"
        | "clica" | "klik" | "нажми" | "нажмите" | "点击" | "點擊" | "クリック" => {
            (Kinds::NONE, 0.06, false)
        }
        "navigate" | "jump" | "visit" | "locate" | "access" | "reach" | "scroll" | "hover"
        | "move" | "point" | "focus" | "identify" | "get" | "find" | "look" | "interact"
        | "activate" | "trigger" => (Kinds::NONE, 0.25, false),
        "keep" | "go" | "use" | "make" | "do" | "have" | "give" | "let" | "take" | "bring" => {
            (Kinds::NONE, 0.1, false)
        }
        "open" | "view" | "show" | "see" | "display" | "read" | "launch" | "offne" | "ouvre"
        | "ouvrez" | "abre" | "apri" | "открой" | "打开" | "follow" | "start" | "run" | "begin"
        | "perform" | "execute" => (Kinds::NONE, 0.35, false),
        "enter" | "type" | "write" | "input" | "fill" | "put" | "insert" | "provide"
        | "specify" | "gib" | "schreibe" | "saisissez" | "saisis" | "saisir" | "tape" | "tapez"
        | "taper" | "ecris" | "ecrivez" | "entrez" | "escribe" | "escribir" | "introduce"
        | "introducir" | "ingresar" | "schreiben" | "eingeben" | "scrivere" | "inserire"
        | "digitar" | "typen" | "invoeren" | "inserisci" | "scrivi" | "digite" | "введи"
        | "введите" | "输入" | "入力" => (FIELDS_TAKE, 0.12, true),
        "select" | "choose" | "pick" | "wahle" | "choisissez" | "selectionnez" | "selecciona"
        | "elige" | "seleziona" | "scegli" | "selecione" | "escolha" | "kies" | "выбери"
        | "выберите" | "选择" | "選択" => (CHOICES, 0.15, true),
        "change" | "update" | "modify" | "switch" => (
            CHOICES.with(FIELDS_TAKE).with(Kinds::of(&[
                Kind::Slider,
                Kind::Switch,
                Kind::Button,
                Kind::Link,
                Kind::Clickable,
            ])),
            0.4,
            true,
        ),
        "set" | "adjust" => (
            CHOICES
                .with(FIELDS_TAKE)
                .with(Kinds::of(&[Kind::Slider, Kind::Switch])),
            0.4,
            true,
        ),
        "check" | "tick" | "uncheck" | "untick" | "mark" | "unmark" => (CHECKS, 0.3, false),
        "toggle" | "enable" | "disable" | "turn" => {
            (CHECKS.with(Kinds::of(&[Kind::Button])), 0.4, false)
        }
        "expand" | "collapse" | "unfold" => (
            Kinds::of(&[Kind::Dropdown, Kind::Button, Kind::Menu, Kind::Clickable]),
            0.6,
            false,
        ),
        "drag" | "slide" => (Kinds::of(&[Kind::Slider]), 0.3, false),
        word if searches(word) => (Kinds::NONE, 1.0, true),
        _ => return None,
    };
    Some(Verb {
        kinds,
        weight,
        takes_value,
    })
}

/// Whether `word` at the beginning of a description is something that a control does, so that what follows is what it is
/// done to: `delete Anna's card`, `expand the guides`.
pub(crate) fn is_action(word: &str) -> bool {
    matches!(
        word,
        "delete"
            | "remove"
            | "edit"
            | "add"
            | "star"
            | "unstar"
            | "like"
            | "dislike"
            | "bookmark"
            | "share"
            | "follow"
            | "unfollow"
            | "reply"
            | "expand"
            | "collapse"
            | "increase"
            | "decrease"
            | "enable"
            | "disable"
            | "save"
            | "cancel"
            | "submit"
            | "accept"
            | "reject"
            | "decline"
            | "download"
            | "upload"
            | "play"
            | "pause"
            | "mute"
            | "refresh"
            | "reload"
            | "archive"
            | "close"
            | "dismiss"
            | "send"
            | "post"
            | "copy"
            | "clear"
            | "reset"
            | "undo"
            | "redo"
            | "hide"
            | "rename"
            | "duplicate"
            | "buy"
            | "book"
            | "reserve"
            | "subscribe"
            | "unsubscribe"
            | "join"
            | "approve"
            | "deny"
            | "assign"
            | "invite"
            | "export"
            | "import"
            | "print"
            | "report"
            | "flag"
            | "pin"
            | "unpin"
            | "block"
            | "retweet"
            | "repost"
            | "comment"
            | "vote"
            | "upvote"
            | "downvote"
            | "sort"
            | "filter"
            | "swap"
            | "confirm"
            | "create"
            | "toggle"
            | "favorite"
            | "favourite"
            | "connect"
            | "stop"
            | "skip"
            | "retry"
            | "attach"
            | "forward"
            | "favourites"
            | "apply"
            | "discard"
            | "restore"
            | "schedule"
            | "zoom"
            | "put"
            | "react"
            | "mention"
            | "record"
            | "remind"
            | "shuffle"
            | "unmute"
            | "empty"
            | "highlight"
            | "underline"
            | "align"
            | "indent"
            | "rotate"
            | "crop"
            | "merge"
            | "translate"
    ) || is_foreign_action(word)
}

/// Whether `word` is what a control does, in another language than English; there it may stand at the end as well.
pub(crate) fn is_foreign_action(word: &str) -> bool {
    const GERMAN: &[&str] = &[
        "loschen",
        "losche",
        "entfernen",
        "entferne",
        "bearbeiten",
        "bearbeite",
        "hinzufugen",
        "speichern",
        "speichere",
        "schliessen",
        "schliesse",
        "abspielen",
        "teilen",
        "drucken",
        "kopieren",
        "anlegen",
        "erstellen",
        "erstelle",
        "abbrechen",
        "absenden",
        "senden",
        "antworten",
        "herunterladen",
        "hochladen",
        "filtern",
        "sortieren",
        "bestatigen",
        "leeren",
        "buchen",
        "kaufen",
        "bestellen",
        "abonnieren",
        "ablehnen",
        "akzeptieren",
        "annehmen",
        "ausblenden",
        "einblenden",
        "umbenennen",
        "archivieren",
        "melden",
        "folgen",
        "pausieren",
        "andern",
        "wechseln",
    ];
    const FRENCH: &[&str] = &[
        "supprimer",
        "supprime",
        "retirer",
        "enlever",
        "ajouter",
        "ajoute",
        "modifier",
        "enregistrer",
        "fermer",
        "ferme",
        "partager",
        "telecharger",
        "imprimer",
        "copier",
        "creer",
        "annuler",
        "envoyer",
        "repondre",
        "trier",
        "filtrer",
        "appliquer",
        "valider",
        "accepter",
        "refuser",
        "acheter",
        "reserver",
        "commander",
        "masquer",
        "renommer",
        "signaler",
        "vider",
    ];
    const SPANISH: &[&str] = &[
        "eliminar",
        "elimina",
        "borrar",
        "quitar",
        "agregar",
        "anadir",
        "anade",
        "editar",
        "guardar",
        "cerrar",
        "cierra",
        "compartir",
        "descargar",
        "copiar",
        "crear",
        "cancelar",
        "enviar",
        "responder",
        "ordenar",
        "filtrar",
        "aplicar",
        "aceptar",
        "rechazar",
        "comprar",
        "reservar",
        "suscribirse",
        "reproducir",
        "ocultar",
        "vaciar",
        "silenciar",
    ];
    const OTHERS: &[&str] = &[
        "apagar",
        "partilhar",
        "guardar",
        "imprimir",
        "aceitar",
        "recusar",
        "pagar",
        "alterar",
        "pesquisar",
        "wissen",
        "kopieren",
        "annuleren",
        "afdrukken",
        "weigeren",
        "kopen",
        "betalen",
        "beantwoorden",
        "wijzigen",
        "usun",
        "dodaj",
        "edytuj",
        "zapisz",
        "zamknij",
        "udostepnij",
        "drukuj",
        "kopiuj",
        "anuluj",
        "wyslij",
        "odpowiedz",
        "pobierz",
        "redigera",
        "spara",
        "stang",
        "dela",
        "avbryt",
        "svara",
        "radera",
        "aggiungi",
        "rimuovi",
        "modifica",
        "salva",
        "chiudi",
        "condividi",
        "scarica",
        "stampa",
        "annulla",
        "invia",
        "rispondi",
        "ordina",
        "filtra",
        "accetta",
        "rifiuta",
        "adicionar",
        "excluir",
        "remover",
        "salvar",
        "fechar",
        "compartilhar",
        "baixar",
        "verwijderen",
        "toevoegen",
        "bewerken",
        "opslaan",
        "sluiten",
        "delen",
        "удалить",
        "добавить",
        "изменить",
        "сохранить",
        "закрыть",
        "删除",
        "添加",
        "编辑",
        "保存",
        "关闭",
        "分享",
        "下载",
        "削除",
        "追加",
        "編集",
        "共有",
        "閉じる",
        "送信",
        "印刷",
        "삭제",
        "추가",
        "편집",
        "저장",
        "닫기",
        "공유",
    ];
    [GERMAN, FRENCH, SPANISH, OTHERS]
        .iter()
        .any(|words| words.contains(&word))
}
