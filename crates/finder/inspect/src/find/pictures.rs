//! What the pictures of the common sets of icons stand for, by the names that the sets give them.
//!
//! Before the arrow stands what people say they want, after it what the picture for it is called.

/// Groups of phrases, parted by bars.
pub(super) const GROUPS: &[&str] = &[
    // Ways through a page.
    "open in new tab|open in a new tab|new tab|new window|in a new window|neuer tab|neues fenster|nouvel onglet|nueva pestana|nuova scheda > external link|open in new|box arrow up right|arrow up right|arrow up right from square|link external",
    "expand|unfold|open > expand more|keyboard arrow down|unfold more|arrows expand|chevrons up down",
    "collapse|fold|fold up > expand less|keyboard arrow up|unfold less|arrows collapse|chevrons left|menu open",
    "sidebar|side bar|side panel|side menu|seitenleiste|barre laterale|barra lateral|barra laterale > panel left|panel left close|panel left open|layout sidebar|drawer|menu open|dock left",
    "enlarge|bigger|maximize|full screen|fullscreen|full size > maximize|arrows fullscreen|open in full|screen full|arrows angle expand|expand",
    "exit full screen|leave full screen|shrink|restore > minimize|fullscreen exit|screen normal|arrows angle contract|close fullscreen",
    "next|following > navigate next|skip next|skip forward|arrow forward|keyboard arrow right",
    "previous|preceding > navigate before|skip previous|skip back|arrow back|keyboard arrow left",
    "grid view|grid|tiles|tile view|kachelansicht|vue grille|vista de cuadricula > view module|layout grid|th large|grid 3x3|tiles",
    "list view|listenansicht|vue liste|vista de lista > list|view list|list ul|layout list|view headline",
    "apps|app launcher|all apps > grid|grid 3x3|grid 3x3 gap|waffle",
    "explore|discover > compass|safari",
    "log out|sign out|exit > box arrow right|door open|power off|arrow right from bracket|exit to app|log out",
    "log in|sign in > box arrow in right|arrow right to bracket|arrow in right bracket",
    "turn off|switch off|turn on|switch on|shut down|power > power|power off|power settings new|toggle",
    // What is done with a thing.
    "copy|copy to clipboard > content copy|files|copy",
    "cut > scissors|content cut",
    "edit|compose > square pen|pencil square|edit note|border color|pen to square|pencil",
    "draw|sketch|drawing|zeichnen|dessiner|dibujar|disegna > pencil|brush|draw|pen tool|gesture|lasso|polygon",
    "erase|eraser > backspace|ink eraser",
    "remove|take away|take off > x|times|dash circle|minus circle|x circle|xmark",
    "clear|empty > x circle|backspace|x|times|xmark",
    "retry|try again|run again|rerun|restart > sync|redo|rotate cw|arrow clockwise|replay|refresh|arrow repeat|rotate right|reload",
    "refresh|reload > autorenew|rotate cw|arrow clockwise|arrow repeat|sync|cached",
    "undo > rotate ccw|arrow counterclockwise|arrow back up|arrow left circle",
    "redo > rotate cw|arrow clockwise|arrow forward up",
    "replay|start over|play again > rotate ccw|arrow counterclockwise|rewind",
    "fast forward|skip ahead > forward|forward 10|forward 30",
    "rewind|skip back > replay 10|fast rewind|replay 30",
    "stop|abort|terminate > circle stop|stop circle|octagon|square|ban|slash circle|x octagon",
    "block|ban|forbid > ban|slash circle|user x|prohibit|user slash",
    "pin|keep on top|anheften|epingler|fijar > push pin|thumbtack|pinned|pin angle",
    "move|drag|reorder|rearrange > grip|grip vertical|drag handle|drag indicator|arrows move",
    "merge|combine > git merge|call merge|merge type",
    "rotate|turn > rotate right|rotate left|rotate cw|rotate ccw|arrow clockwise",
    "mirror|flip > flip horizontal|flip vertical|symmetry",
    "scan|qr code|barcode > qr code scanner|upc scan|qrcode",
    "translate > g translate|languages",
    "unlock > lock open|padlock open",
    "hide|conceal > eye slash|eye off|visibility off|eye close",
    "reveal|unhide|show > eye open|eye|visibility",
    "like|helpful|agree > hand thumbs up|thumb up|thumbs up",
    "dislike|not helpful|disagree > hand thumbs down|thumb down|thumbs down",
    "filters|adjust > tune|sliders|sliders horizontal|adjustments|equalizer|filter list",
    "sort > swap vert|arrow down up|arrows up down|sort down|import export",
    "add to calendar > calendar plus|calendar event|event available",
    "download|save to computer > save alt|file download|get app|box arrow down|tray arrow down|arrow down to line",
    "upload > file upload|box arrow up|tray arrow up|arrow up from line",
    "send > paper plane|arrow up circle",
    "new file|new document > file plus|note add|file earmark plus|file add",
    "new folder > folder plus|create new folder|folder add",
    "save|save for later|keep|remember|merken|sauvegarder|guardar|salva > heart|bookmark|star",
    "format painter|copy the format|copy format|paint format > paint|paint roller|paintbrush",
    "percent|percentage|prozent|pourcentage|porcentaje|percentuale > %",
    "currency|money > $|€|£|¥|coin|coins|banknote",
    "louder|turn up|volume up|lauter|plus fort|mas alto > volume plus|volume high",
    "quieter|softer|turn down|volume down|leiser|moins fort|mas bajo > volume minus|volume low",
    "cool|cooling|cold|kuhlen|kuhlung > snowflake|ac unit",
    "heat|heating|warm|heizen|heizung > fire|flame|radiator|heat wave",
    "desktop|computer|pc > device desktop|monitor|display|laptop",
    "mobile|phone|smartphone|handy > device mobile|phone portrait|tablet",
    // What the pictures are called in other languages.
    "search|find > lupe|loupe|lupa|vergrootglas",
    "settings|preferences > zahnrad|engrenage|engranaje|ingranaggio|tandwiel",
    "notifications|alerts > glocke|cloche|campana|campanella",
    "edit > stift|bleistift|crayon|lapiz|matita|potlood|olowek",
    "delete|remove > papierkorb|muell|mull|mulleimer|corbeille|poubelle|papelera|cestino|prullenbak|kosz",
    "mail|email|message|letter|brief > brief|umschlag|enveloppe|sobre|busta|koperta",
    "home > haus|maison|casa|huis|dom",
    "lock > schloss|cadenas|candado|lucchetto|slot",
    "view|show > auge|oeil|ojo|occhio|oog|oko",
    "print > drucker|imprimante|impresora|stampante|drukarka",
    "close > kreuz|croix|cruz|croce|kruis",
    // People and talk.
    "profile|account > account circle|person circle|user circle|user",
    "people|members|users|team|contacts|participants|audience|subscribers > user group|user friends|groups|users|person 2",
    "invite|add person|add user|add member|add a friend|add friend > user plus|person add|person plus|group add|user add",
    "video call|call with video|meeting|meet|videoanruf|appel video|videollamada|videochiamata > video|videocam|video camera|camera video",
    "call|phone call|anrufen|appeler|llamar|chiama > phone|telephone|handset",
    "comment|add comment|annotate|kommentieren|commenter|comentar > comment plus|message plus|message circle|message square|chat dots|chat left|chat bubble",
    "emoji|emoticon|smiley > mood smile|face smile|mood|sentiment satisfied|insert emoticon|emoji smile|smile",
    "customer service|call center|call centre|support > headset|support agent|lifebuoy|life ring",
    "alert me|remind me|get alerts|notify me|get notified|save search > bell|alarm|bell plus|add alert",
    "notifications > notifications none|bell",
    "mute notifications|turn off notifications|notifications off > bell slash|bell off|notifications off",
    "email > mail outline|at sign|mail",
    // What things are.
    "hint|tip|idea|clue|tipp|indice|pista|suggerimento > lightbulb|bulb",
    "shortcut|shortcuts|quick reply|quick replies|macro|macros|automation|quick action|quick actions > bolt|zap|flash|lightning",
    "ai|assistant|magic|generate > sparkles|sparkle|wand|auto awesome|wand magic|stars",
    "password|credentials|access > key|vpn key",
    "security|protection > shield|shield check|shield lock",
    "warning|problem|error > exclamation triangle|triangle alert|triangle exclamation|exclamation circle|report problem",
    "payment|payment method|pay by card > wallet|payments",
    "category|label > tag|tags",
    "statistics|stats|analytics|chart|graph|insights|report|reports|results > bar chart|chart bar|graph up|chart line|trending up|pie chart|chart pie",
    "report a bug|bug > bug report|bug",
    "bot|chatbot > robot|smart toy",
    "listen|audio > headphones|headset|volume",
    "version history|earlier versions|older versions|versions|history > clock rewind|clock history|restore|clock counter clockwise",
    "spelling|spell check|check spelling|check the spelling|rechtschreibung|orthographe|ortografia > spellcheck|abc check",
    "map|where > map pin|geo alt|location on|pin drop|place",
    "store|shop > storefront|shop window",
    "delivery|shipping > truck|local shipping",
    "gift|present > card giftcard|gift",
    "saved|in the cloud|sync status > cloud done|cloud check|cloud upload",
    // Writing.
    "insert image|insert a picture|add a photo|picture|photo > insert photo|panorama|photo camera|card image",
    "insert link|add a link > link 45deg|link|chain",
    "insert table|table > table chart|grid on|border all",
    "font|typeface|schriftart|police|fuente > type|text fields|format size",
    "heading > type h1|format header",
    "quote|block quote > blockquote|format quote|chat quote",
    "columns > view column|layout columns",
    "layers|map layers > layer group|stack",
    "color|colour|paint > palette|color lens|paint bucket|droplet|format color fill",
    "code|source code|embed > code slash|terminal|braces",
];

/// Whether `word` is what an icon shows, so that whoever says nothing else means the icon.
pub(crate) fn is_drawn(word: &str) -> bool {
    is_picture_of(word)
        || matches!(
            word,
            "heart"
                | "magnifying"
                | "glass"
                | "loupe"
                | "trash"
                | "can"
                | "bin"
                | "dots"
                | "three"
                | "dot"
                | "burger"
                | "globe"
                | "envelope"
                | "speaker"
                | "microphone"
                | "thumb"
                | "thumbs"
                | "triangle"
                | "zahnrad"
                | "lupe"
                | "glocke"
                | "herz"
                | "papierkorb"
                | "stift"
                | "engrenage"
                | "cloche"
                | "coeur"
                | "corbeille"
                | "crayon"
                | "engranaje"
                | "lupa"
                | "campana"
                | "corazon"
                | "papelera"
                | "lapiz"
        )
}

/// Whether `word` after what a control does is the picture on it: `settings cog`.
pub(crate) fn is_picture_of(word: &str) -> bool {
    matches!(
        word,
        "gear"
            | "cog"
            | "cogwheel"
            | "bell"
            | "magnifier"
            | "pencil"
            | "trashcan"
            | "ellipsis"
            | "kebab"
            | "hamburger"
            | "chevron"
            | "caret"
            | "paperclip"
            | "funnel"
            | "padlock"
    )
}
