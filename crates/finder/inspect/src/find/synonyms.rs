//! Which words stand for the same thing on a control.
//!
//! The table is part of what an answer depends on: whoever changes it raises [`VERSION`].

use std::{collections::HashMap, sync::OnceLock};

use super::{everyday, pictures, software, vocabulary};

/// The version of the table.
pub const VERSION: u32 = 7;

/// How much a word counts that is found through its group, against the word itself.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Closeness {
    /// The words are used for each other.
    Same,
    /// A picture, or a neighbouring thing, that stands for it.
    Stands,
    /// Something that as often stands for another thing.
    Hints,
}

impl Closeness {
    const fn strength(self) -> f32 {
        match self {
            Self::Same => 0.86,
            Self::Stands => 0.7,
            Self::Hints => 0.5,
        }
    }
}

/// Groups of phrases, parted by bars, in the words that controls use in several languages. Before the arrow stand those
/// that mean the same, after it pictures and neighbours, after a second one what only hints at it.
const GROUPS: &[&str] = &[
    "log in|login|sign in|signin|log on|logon|anmelden|einloggen|se connecter|connexion|iniciar sesion|acceder|accedi|entrar|inloggen|logga in|zaloguj|войти|вход|登录|登錄|ログイン|로그인|iniciar sessao|entre|aanmelden|zaloguj sie|logowanie",
    "log out|logout|sign out|signout|log off|abmelden|ausloggen|se deconnecter|deconnexion|cerrar sesion|esci|sair|uitloggen|logga ut|wyloguj|выйти|выход|退出|ログアウト|로그아웃|terminar sessao|afmelden|wyloguj sie",
    "sign up|signup|register|registration|create account|create an account|join|registrieren|konto erstellen|s inscrire|inscription|registrarse|registrati|cadastrar|cadastre se|registreren|registrera|зарегистрироваться|регистрация|注册|新規登録|회원가입|criar conta|account aanmaken|zaloz konto|zarejestruj|zarejestruj sie|skapa konto|registar > get started|new user",
    "settings|setting|preferences|preference|options|configuration|configure|config|einstellungen|parametres|reglages|ajustes|configuracion|impostazioni|configuracoes|instellingen|installningar|ustawienia|настройки|设置|設定|설정|definicoes|opcoes|opcje > gear|cog|cogs|cogwheel|sliders|wrench|⚙",
    "delete|remove|erase|loschen|entfernen|supprimer|eliminar|borrar|elimina|rimuovi|excluir|remover|verwijderen|ta bort|usun|удалить|删除|刪除|削除|삭제|apagar|apaga|wissen|wis|radera|skasuj > trash|bin|trashcan|garbage|discard|🗑|poubelle|papierkorb|basura|cestino|lixeira > clear|x|×|✕",
    "search|find|lookup|suche|suchen|rechercher|recherche|buscar|cerca|pesquisar|zoeken|sok|szukaj|поиск|найти|搜索|搜尋|検索|검색|zoek|zoekopdracht|busqueda|ricerca|procurar|pesquisa|wyszukaj|wyszukiwanie > magnifier|magnifying glass|loupe|lens|query|q|🔍|🔎",
    "menu|navigation menu|hauptmenu|menue|меню|菜单|選單|メニュー|메뉴 > hamburger|burger|bars|three lines|navicon|☰|≡|sandwich",
    "more|more options|overflow|mehr|plus d options|mas opciones|altro|mais|meer|еще|更多|その他|더보기|wiecej|mais opcoes|mer > ellipsis|three dots|dots|kebab|meatballs|more vert|more horiz|⋮|…|⋯|•",
    "close|dismiss|schliessen|fermer|cerrar|chiudi|fechar|sluiten|stang|zamknij|закрыть|关闭|關閉|閉じる|닫기|fecha|sluit|zamknac > x|cross|times|×|✕|✖|✗|⨯|╳|xmark",
    "cancel|abort|call off|abbrechen|annuler|cancelar|annulla|annuleren|avbryt|anuluj|отмена|отменить|取消|キャンセル|취소|cancela|annuleer > dismiss|never mind",
    "cart|basket|shopping cart|shopping bag|shopping basket|trolley|warenkorb|einkaufswagen|panier|carrito|carrello|carrinho|winkelwagen|koszyk|корзина|购物车|購物車|カート|장바구니|winkelmand|winkelmandje|cesto|cesta|varukorg|kundvagn|koszyka > 🛒|bag",
    "checkout|check out|proceed to checkout|pay|zur kasse|kasse|bezahlen|paiement|payer|pagar|tramitar pedido|cassa|afrekenen|оформить заказ|结算|結帳|購入手続き > payment|place order|buy",
    "buy|purchase|order|order now|buy now|kaufen|acheter|comprar|acquista|kopen|kop|купить|购买|購買|購入|구매|compra|bestellen|kup teraz|zamow > add to cart|get|book|reserve|book now",
    "save|speichern|sichern|enregistrer|sauvegarder|guardar|salva|salvar|opslaan|spara|zapisz|сохранить|保存|儲存|저장|gravar|bewaren|zapisac > floppy|disk|diskette|💾|apply|update",
    "submit|send|absenden|senden|envoyer|soumettre|enviar|invia|verzenden|skicka|wyslij|отправить|提交|送信|发送|보내기|제출|envia|verstuur|stuur|wyslac > paper plane|paperplane|go|post|done|apply",
    "ok|okay|confirm|bestatigen|confirmer|confirmar|conferma|bevestigen|подтвердить|确定|確定|확인 > yes|accept|agree|check|tick|done|got it",
    "accept|agree|allow|akzeptieren|zustimmen|accepter|autoriser|aceptar|permitir|accetta|consenti|aceitar|accepteren|toestaan|принять|разрешить|接受|同意|允许|許可|동의|허용|aceito|akzeptuj|akceptuj|zaakceptuj|zgadzam sie|accepteer|acceptera|godkann > i agree|ok|got it|consent",
    "reject|decline|deny|refuse|ablehnen|refuser|rechazar|rifiuta|recusar|weigeren|отклонить|запретить|拒绝|拒絕|拒否|거부|rejeitar|odrzuc|avvisa|weiger > no|disallow|block|only necessary|necessary only|only essential|essential only|necessary cookies only|essential cookies only",
    "edit|modify|change|bearbeiten|andern|modifier|editar|modificar|modifica|bewerken|redigera|edytuj|изменить|редактировать|编辑|編輯|編集|수정|편집|alterar|wijzig|wijzigen|edycja|andra|zmien > pencil|pen|✎|✏",
    "add|new|create|insert|put|hinzufugen|neu|erstellen|ajouter|nouveau|creer|anadir|agregar|nuevo|crear|aggiungi|nuovo|crea|adicionar|novo|toevoegen|nieuw|lagg till|dodaj|добавить|создать|添加|新增|新建|追加|추가|adiciona|nova|voeg toe|nieuwe|nowy|nowa|ny|nytt|utworz|stworz > plus|+|＋|➕",
    "home|homepage|home page|start page|main page|startseite|accueil|inicio|pagina principale|pagina inicial|startpagina|главная|首页|首頁|ホーム|홈 > house|logo",
    "back|go back|navigate up|previous|prev|zuruck|retour|precedent|atras|volver|anterior|indietro|precedente|voltar|terug|vorige|tillbaka|wstecz|назад|返回|上一页|上一頁|戻る|뒤로|이전|volta|ga terug|powrot|wroc|poprzednia|poprzedni|poprzednia strona|vorige pagina|pagina anterior|foregaende > left arrow|arrow left|chevron left|angle left|left|‹|«|←|◀|❮|⟨",
    "next|forward|continue|keep|proceed|weiter|nachste|suivant|continuer|siguiente|continuar|avanti|successivo|seguente|proximo|volgende|verder|nasta|dalej|вперед|далее|следующая|продолжить|下一页|下一頁|下一步|继续|次へ|다음|계속|seguinte|proxima|avancar|volgende pagina|proxima pagina|nastepna|nastepny|nastepna strona|nasta sida > right arrow|arrow right|chevron right|angle right|right|›|»|→|▶|❯|⟩",
    "expand|show more|see more|view more|read more|load more|aufklappen|mehr anzeigen|afficher plus|voir plus|mostrar mas|ver mas|mostra altro|ver mais|toon meer|показать еще|展开|もっと見る|더 보기 > chevron|caret|chevron down|arrow down|angle down|caret down|dropdown|▼|▾|⌄|down arrow|triangle",
    "collapse|show less|see less|hide|einklappen|weniger|masquer|ocultar|nascondi|скрыть|收起|閉じる > chevron up|caret up|angle up|arrow up|up|▲|▴|⌃|minus",
    "chevron|caret|angle|arrow > expand|toggle|dropdown|▼|▾|›|‹|⌄|down|up|next|previous",
    "profile|account|my account|user|user account|my profile|konto|mein konto|benutzerkonto|profil|compte|mon compte|cuenta|mi cuenta|perfil|account personale|conta|mijn account|профиль|аккаунт|личный кабинет|账户|帳戶|個人資料|アカウント|マイページ|계정|내 계정|user menu|account menu|profile menu|user profile|minha conta|a minha conta|moje konto|mitt konto|profiel|mojego konta > avatar|person|user circle|member|👤|initials|me",
    "notifications|notification|alerts|alert|benachrichtigungen|notificaciones|notifiche|notificacoes|meldingen|уведомления|通知|알림|powiadomienia|aviseringar|avisos > bell|🔔|bell icon",
    "messages|message|inbox|chat|nachrichten|posteingang|mensajes|messaggi|mensagens|berichten|сообщения|消息|メッセージ|메시지|wiadomosci|meddelanden > envelope|comment|speech bubble|bubble|dm|💬",
    "email|e mail|mail|email address|e mail address|mail address|email adresse|e mail adresse|adresse e mail|courriel|correo|correo electronico|indirizzo email|электронная почта|почта|邮箱|电子邮件|電子郵件|メール|メールアドレス|이메일 > envelope|✉|@",
    "password|passwort|kennwort|mot de passe|contrasena|senha|wachtwoord|losenord|haslo|пароль|密码|密碼|パスワード|비밀번호 > passcode|pin|pwd|pass|passphrase",
    "username|user name|login name|user id|userid|benutzername|nom d utilisateur|identifiant|nombre de usuario|usuario|nome utente|gebruikersnaam|имя пользователя|логин|用户名|ユーザー名|사용자 이름 > login|account name|handle|screen name",
    "first name|given name|forename|vorname|prenom|nombre de pila|voornaam|имя|名字 > fname|firstname",
    "last name|surname|family name|nachname|familienname|apellido|apellidos|cognome|sobrenome|achternaam|фамилия|姓氏 > lname|lastname",
    "phone|telephone|phone number|mobile|mobile number|cell|telefon|telefonnummer|handynummer|telefono|numero di telefono|telefone|telefoonnummer|телефон|电话|手机号|電話|電話番号|전화번호|telemovel|celular|numer telefonu|mobilnummer|mobiel > tel|call|📞|handset",
    "zip|zip code|zipcode|postal code|postcode|post code|postleitzahl|plz|code postal|codigo postal|cap|cep|индекс|邮编|郵便番号|우편번호|kod pocztowy|postnummer",
    "address|street address|street|adresse|anschrift|direccion|indirizzo|endereco|adres|адрес|地址|住所|주소 > address line 1|address1",
    "city|town|stadt|ort|ville|ciudad|citta|cidade|stad|город|城市|市区町村|도시",
    "country|land|pays|pais|paese|страна|国家|國家|国|국가 > country region|region",
    "date|datum|fecha|data|дата|日期|日付|날짜|dzien > calendar|day|📅|datepicker|when",
    "share|teilen|partager|partagez|compartir|comparte|condividi|compartilhar|delen|dela|udostepnij|поделиться|分享|共有|シェア|공유|partilhar|udostepnic|podziel sie > share alt|share nodes|social",
    "like|gefallt mir|j aime|me gusta|mi piace|curtir|нравится|赞|いいね|좋아요 > heart|thumbs up|thumb up|upvote|❤|♥|♡|👍|love",
    "favorite|favourite|favorites|favourites|wishlist|wish list|favorit|merkliste|merkzettel|favoris|favoritos|preferiti|lista de deseos|favorieten|избранное|收藏|お気に入り|찜|favorito|favoriet|ulubione|ulubionych|ulubiony|favoriter|hartje|lieblings > star|heart|★|☆|bookmark|♥|♡|❤|save for later|fav > save|keep",
    "bookmark|lesezeichen|marque page|marcador|segnalibro|закладка|书签 > star|ribbon|save|☆",
    "download|herunterladen|telecharger|descargar|scarica|baixar|downloaden|ladda ner|pobierz|скачать|загрузить|下载|下載|ダウンロード|다운로드|transferir|descarregar|pobrac > arrow down|down arrow|get|⬇|↓|cloud download|save file",
    "upload|hochladen|televerser|importer|subir|cargar|carica|enviar arquivo|uploaden|ladda upp|загрузить файл|上传|上傳|アップロード|업로드|carregar ficheiro|przeslij|wgraj > arrow up|up arrow|attach|browse|choose file|select file|cloud upload|⬆|↑",
    "attach|attachment|attach file|add attachment|anhang|anhangen|joindre|adjuntar|allega|anexar|bijlage|прикрепить|附件|添付 > paperclip|clip|📎",
    "print|drucken|imprimer|imprimir|stampa|afdrukken|печать|打印|列印|印刷|인쇄|drukuj|wydrukuj|skriv ut > printer|🖨",
    "copy|kopieren|copier|copiar|copia|kopieren|kopiera|kopiuj|копировать|复制|複製|コピー|복사 > clipboard|duplicate|copy to clipboard",
    "duplicate|clone|duplizieren|dupliquer|duplicar > copy",
    "paste|einfugen|coller|pegar|incolla|colar|plakken|вставить|粘贴|貼り付け",
    "undo|ruckgangig|annuler la saisie|deshacer|ripristina|desfazer|отменить действие|撤销|元に戻す > revert|arrow rotate left|rotate left|↶|↩",
    "redo|wiederholen|retablir|rehacer|ripeti|refazer|повторить|重做|やり直し > arrow rotate right|rotate right|↷|↪",
    "refresh|reload|sync|aktualisieren|neu laden|actualiser|rafraichir|actualizar|recargar|aggiorna|ricarica|atualizar|vernieuwen|обновить|刷新|重新整理|更新|새로고침 > arrows rotate|rotate|circular arrow|↻|⟳|🔄|retry",
    "filter|filters|refine|filtern|filtre|filtrer|filtrar|filtri|filtros|фильтр|筛选|篩選|絞り込み|필터|filtruj|filtry > funnel|sliders|facets|narrow",
    "sort|sort by|order by|sortieren|trier|ordenar|ordina|sorteren|сортировать|сортировка|排序|並べ替え|정렬|ordenar por|sorteer|sortuj|sortera > arrow up down|sort icon|sorting|arrange",
    "help|support|hilfe|aide|ayuda|aiuto|ajuda|hulp|hjalp|pomoc|помощь|справка|帮助|說明|ヘルプ|도움말|klantenservice|apoio ao cliente|atendimento|obsluga klienta|kundtjanst|kundenservice|kundendienst|service client|atencion al cliente|assistenza clienti > question mark|question|?|question circle|life ring|faq|customer service|contact us",
    "info|information|about|details|uber|a propos|acerca de|informacion|informazioni|informacoes|о нас|关于|情報|정보 > i|ℹ|info circle|circle i",
    "language|languages|sprache|sprachen|langue|langues|idioma|idiomas|lingua|lingue|taal|sprak|jezyk|язык|语言|語言|言語|언어|wersja jezykowa > globe|🌐|locale|translate|translation|lang|flag",
    "dark mode|night mode|dark theme|theme|dark design|dark appearance|dunkler modus|dunkles design|dunkles thema|dunkelmodus|nachtmodus|mode sombre|theme sombre|mode nuit|modo oscuro|tema oscuro|tema scuro|modalita scura|modo noturno|tema|темная тема|深色模式|ダークモード > moon|sun|☾|🌙|☀|appearance|color scheme|light mode",
    "play|abspielen|lire|lecture|reproducir|riproduci|reproduzir|afspelen|воспроизвести|播放|再生|재생 > ▶|►|triangle|start|watch|resume",
    "pause|anhalten|пауза|暂停|暫停|一時停止|일시정지 > ⏸|stop",
    "mute|unmute|volume|sound|stumm|stummschalten|muet|silenciar|silencio|disattiva audio|dempen|ton aus|lautstarke|sonido|volumen|звук|静音|靜音|ミュート|音量|음소거 > speaker|🔇|🔊|volume off|volume up|vol|audio",
    "fullscreen|full screen|maximize|vollbild|plein ecran|pantalla completa|schermo intero|tela cheia|volledig scherm|полный экран|全屏|全画面|전체 화면 > expand|enlarge|⛶",
    "minimize|minimise|shrink|minimieren|reduire|minimizar > minus|−|–|_",
    "zoom in|magnify|enlarge|vergrossern|agrandir|ampliar|ingrandisci|увеличить|放大|拡大 > plus|+|magnifier plus",
    "zoom out|verkleinern|alejar|rimpicciolisci|уменьшить|缩小|縮小 > minus|-|−|magnifier minus",
    "increase|increment|raise|one more|erhohen|augmenter|aumentar|aumenta|meer|mais|wiecej|mer|plus > plus|+|up|▲|arrow up|add > more",
    "decrease|decrement|reduce|lower|fewer|less|verringern|diminuer|disminuir|reducir|diminuisci|minder|menos|mniej|mindre|moins|weniger|meno > minus|-|−|–|down|▼|arrow down|subtract > fewer|less",
    "location|map|place|standort|karte|lieu|carte|ubicacion|mapa|posizione|mappa|localizacao|locatie|kaart|местоположение|карта|位置|地图|地圖|場所|地図|위치|지도 > geo|pin|marker|map marker|compass|📍|where|store locator",
    "calendar|kalender|calendrier|calendario|календарь|日历|日曆|カレンダー|달력 > date|📅|schedule|agenda|datepicker",
    "camera|kamera|appareil photo|camara|fotocamera|камера|相机|相機|カメラ|카메라 > photo|take photo|📷|picture",
    "microphone|mic|voice|mikrofon|microfono|микрофон|麦克风|マイク|마이크 > voice search|🎤|speak|dictate",
    "lock|locked|sperren|verrouiller|bloquear|blocca|заблокировать|锁定|ロック > padlock|🔒|secure|private",
    "show password|reveal password|hide password|toggle password visibility|toggle password > eye|👁|visibility|eye slash|view",
    "view|show|preview|ansehen|anzeigen|voir|afficher|ver|mostrar|visualizza|mostra|visualizar|bekijken|tonen|посмотреть|показать|просмотр|查看|檢視|表示|보기 > eye|👁|open|visibility",
    "open|offnen|ouvrir|abrir|apri|openen|oppna|otworz|открыть|打开|開く|열기 > launch|external link|view",
    "subscribe|follow|abonnieren|folgen|s abonner|abonner|suivre|suscribirse|seguir|iscriviti|segui|inscrever se|assinar|abonneren|volgen|prenumerera|подписаться|订阅|訂閱|登録|フォロー|구독|팔로우|subskrybuj|zapisz sie|subscrever|folja > join|rss|sign up|newsletter|nieuwsbrief",
    "unsubscribe|unfollow|abbestellen|entfolgen|se desabonner|desuscribirse|отписаться|取消订阅",
    "reply|respond|answer|antworten|repondre|responder|rispondi|beantwoorden|svara|ответить|回复|回覆|返信|답장|responda|reageer|reageren|odpowiedz > comment|↩|arrow left|respond|arrow back up|arrow return left|corner up left|corner down left|arrow bend",
    "comment|comments|kommentar|kommentare|commentaire|comentario|comentarios|commento|reactie|комментарий|комментарии|评论|評論|コメント|댓글|komentarz|komentarze|skomentuj|comentar|opmerking|kommentera > speech bubble|💬|discuss|discussion|respond|responses",
    "report|flag|melden|signaler|denunciar|reportar|segnala|пожаловаться|举报|報告|신고|zglos|rapportera|meld > ⚑|🚩|abuse",
    "privacy|privacy policy|privacy statement|privacy notice|datenschutz|datenschutzerklarung|confidentialite|politique de confidentialite|privacidad|politica de privacidad|privacidade|privacybeleid|конфиденциальность|隐私|隱私權|プライバシー|개인정보",
    "terms|terms of service|terms of use|terms conditions|user agreement|terms and conditions|tos|conditions|agb|nutzungsbedingungen|conditions d utilisation|conditions generales|terminos|terminos y condiciones|termini|termos|voorwaarden|условия|条款|利用規約|이용약관|regulamin|termos e condicoes|algemene voorwaarden|villkor > legal|user agreement",
    "contact|contact us|get in touch|kontakt|contactez nous|contacto|contactanos|contatti|contattaci|contato|fale conosco|контакты|связаться|联系我们|聯絡我們|お問い合わせ|문의 > support|email us",
    "careers|jobs|karriere|stellenangebote|carrieres|emplois|empleo|trabaja con nosotros|lavora con noi|carreiras|vacatures|вакансии|карьера|招聘|採用情報|채용 > hiring|vacancies|work with us",
    "quantity|qty|amount|menge|anzahl|quantite|cantidad|quantita|quantidade|aantal|количество|数量|수량|ilosc|antal > count|number",
    "price|cost|preis|prix|precio|prezzo|preco|prijs|цена|价格|價格|価格|가격|cena|pris",
    "coupon|promo code|promotion code|discount code|voucher|coupon code|gutschein|gutscheincode|code promo|codigo promocional|cupon|codice sconto|cupom|kortingscode|промокод|优惠券|クーポン|쿠폰 > promo|gift code|discount",
    "forgot password|forgot your password|reset password|forgotten password|lost password|passwort vergessen|mot de passe oublie|olvidaste tu contrasena|password dimenticata|esqueceu a senha|wachtwoord vergeten|забыли пароль|忘记密码|パスワードを忘れた > recover|recovery|trouble signing in",
    "remember me|stay signed in|keep me logged in|keep me signed in|angemeldet bleiben|se souvenir de moi|recordarme|ricordami|lembrar de mim|запомнить меня|记住我|ログイン状態を保持",
    "select all|check all|alle auswahlen|tout selectionner|seleccionar todo|seleziona tutto|全选|すべて選択",
    "facebook|fb > meta",
    "twitter|x|tweet > bird",
    "instagram|insta|ig",
    "youtube|yt",
    "linkedin|linked in > in",
    "whatsapp|wa",
    "github|git hub|octocat",
    "rss|feed|atom",
    "maths|math|mathematics|mathematik|mathematiques|matematicas|matematica|wiskunde|数学",
    "logo|brand|site logo > navbar brand|home|homepage",
    "reset|clear|zurucksetzen|reinitialiser|restablecer|reimposta|redefinir|сбросить|重置|リセット|초기화|wissen|wis|limpar|wyczysc|rensa|filters wissen > start over|undo",
    "enable|turn on|switch on|activate|aktivieren|einschalten|activer|activar|attiva|ativar|inschakelen|включить|启用|オン|켜기 > on",
    "disable|turn off|switch off|deactivate|deaktivieren|ausschalten|desactiver|desactivar|disattiva|desativar|uitschakelen|выключить|停用|オフ|끄기 > off",
    "wifi|wi fi|wlan|wireless",
    "tv|television",
    "picture|image|photo|pic|bild|foto|imagen|immagine|imagem|afbeelding|изображение|фото|图片|画像|사진",
    "top|scroll to top|back to top|to top|nach oben|haut de page|arriba|torna su|наверх|返回顶部|トップへ > up|arrow up|↑",
    "skip|jump|uberspringen|passer|omitir|saltar|salta|pular|overslaan|пропустить|跳过|スキップ|건너뛰기 > later|not now",
    "sponsored|advertisement|ad|ads|anzeige|publicite|anuncio|реклама|广告|広告|광고",
    "bold|fett|gras|negrita|grassetto|жирный|粗体|太字 > b",
    "italic|kursiv|italique|cursiva|corsivo|курсив|斜体 > i",
    "underline|unterstrichen|souligne|subrayado|подчеркнутый > u",
    "link|hyperlink|insert link|url > chain|🔗",
    "heart > ♥|♡|❤|like|love|favorite|favourite|wishlist",
    "star > ★|☆|favorite|favourite|rate|rating|bookmark",
    "house > home",
    "person|avatar > user|profile|account",
    "bell > notifications|notification|alerts",
    "envelope > mail|email|message|messages|contact",
    "moon|sun > theme|dark mode|appearance|night mode",
    "globe > language|world|internet|country|region|web",
    "eye > view|show|preview|visibility|watch",
    "trash > delete|remove|discard",
    "pencil|pen > edit|compose|write|modify",
    "gear|cog > settings|preferences|options|configuration",
    "magnifier|magnifying glass > search|find > zoom",
    "hamburger > menu|navigation|nav|toggle navigation|sidebar",
    "plus|+|＋|➕ > add|new|create|expand|increase",
    "minus|−|-|–|➖ > remove|decrease|collapse|subtract|less",
    "three dots|kebab|ellipsis|more horiz|more vert|dots vertical|dots horizontal > more|more options|menu|actions|overflow|options",
    "arrow > next|previous|back|forward|go",
    "paperclip > attach|attachment|file",
    "compose|new message|write|neue nachricht|nouveau message|redactar|scrivi|escrever|opstellen|написать|写邮件|作成|napisz > pencil|new email|new mail",
    "archive|archivieren|archiver|archivar|archivia|arquivar|архивировать|归档|アーカイブ > box",
    "thumbs up > like|upvote|helpful",
    "thumbs down > dislike|downvote|unhelpful",
    "question mark > help|support|faq",
    "flag > report|country|language",
    "clock|time|zeit|heure|hora|ora|tijd|время|时间|時間|시간 > history|recent|hour",
    "history|recent|verlauf|historique|historial|cronologia|historico|geschiedenis|история|历史|履歴|기록 > clock",
    "dashboard|overview|ubersicht|tableau de bord|panel|panoramica|painel|дашборд|обзор|仪表板|ダッシュボード|대시보드",
    "today|heute|aujourd hui|hoy|oggi|hoje|vandaag|сегодня|今天|今日|오늘",
    "all|every|everything|alle|tous|tout|todos|todo|tutti|alles|все|全部|すべて|모두",
    "german|deutsch|deutschland|germany",
    "french|francais|france",
    "spanish|espanol|spain|espana",
    "italian|italiano|italy|italia",
    "portuguese|portugues|brasil|brazil|portugal",
    "chinese|中文|简体中文|繁體中文|china|zh",
    "simplified chinese|简体中文|简体",
    "traditional chinese|繁體中文|繁體",
    "japanese|日本語|日本版|日本|japan",
    "korean|한국어|korea",
    "russian|русский|russia",
    "english|en|inglese|ingles|anglais",
    "dutch|nederlands|netherlands",
    "polish|polski|poland",
    "turkish|turkce|turkey",
    "arabic|العربية",
    "plus|+|＋|➕",
    "minus|-|−|–|➖",
    "x|×|✕|✖|✗|⨯|╳|cross|xmark",
    "check mark|checkmark|tick|✓|✔|check",
    "right arrow|arrow right|→|›|»|▶|❯|⟩|>|chevron right|angle right|caret right",
    "left arrow|arrow left|←|‹|«|◀|❮|⟨|<|chevron left|angle left|caret left",
    "up arrow|arrow up|↑|▲|▴|⌃|chevron up|angle up|caret up",
    "down arrow|arrow down|↓|▼|▾|⌄|chevron down|angle down|caret down",
    "three dots|dots|ellipsis|kebab|meatballs|⋮|…|⋯|more vert|more horiz",
    "hamburger|burger|☰|≡|navicon|three lines|bars",
    "heart|♥|♡|❤",
    "star|★|☆|starred",
    "thumbs up|thumb up|👍",
    "thumbs down|thumb down|👎",
    "question mark|?|question",
    "swap|switch|exchange|reverse|swop",
    "post|publish|send|submit",
    "captions|caption|subtitles|subtitle|cc|closed captions|subs caps|untertitel|sous titres|subtitulos|sottotitoli|legendas|字幕",
    "currency|wahrung|devise|moneda|valuta|moeda|валюта|货币|通貨 > usd|eur|gbp|$|€|£|jpy|chf",
    "from|origin|departure|leaving from|where from|from where|flying from|travelling from|traveling from|coming from|starting point|start location|departing from|departure city|von|desde",
    "to|destination|arrival|going to|flying to|travelling to|traveling to|where to|arrival city|nach|hacia",
    "departure date|depart|departure|departing|outbound|check in|start date|hinflug",
    "return date|return|returning|inbound|check out|end date|ruckflug|come back|coming back",
    "seek|progress bar|scrubber|timeline|seek bar|seekbar|progress|fortschritt|progression|progreso|barra de progreso|avanzamento|position",
    "repost|retweet|reblog|boost",
    "two factor authentication|zwei faktor authentifizierung|zwei faktor|double authentification|verificacion en dos pasos|autenticacion de dos factores|verifica in due passaggi|autenticazione a due fattori|2段階認証|2fa|two factor|two step verification|mfa|multi factor authentication|two step",
    "current|old|existing|aktuell|altes|actuel|actual|attuale",
    "confirm|repeat|retype|re enter|verify|again|confirmation|bestatigen|wiederholen",
    "next|upcoming|following",
    "folder|label|mailbox",
    "filter|search|find",
    "author|by|writer|reporter|journalist|columnist|byline|who wrote|who made|who created|who posted|who uploaded|who is the author|wrote|written by|posted by|creator|created by|made by|autor|autorin|auteur|autrice|autore|verfasser|von wem|作者|著者|筆者",
    "channel|creator|uploader",
    "image|photo|picture|media|img",
    "video|clip|film|movie",
    "sign in with|login with|log in with|continue with|connect with",
    "organization|organisation|company|workspace|firm|org",
    "theme|appearance|skin|color scheme",
    "post a job|advertise a position|advertise a job|list a job|stelle ausschreiben|publier une offre|publicar empleo",
    "upgrade|go premium|go pro|premium|subscribe",
    "feedback|rate|review|reviews|rating|ratings",
    "invite|add member|add user|invite user|invitation",
    "assign|assignee",
    "due date|deadline|due",
    "task|todo|to do|item",
    "project|board|workspace",
    "description|details|summary|about",
    "name|full name|your name|title",
    "message|comment|note|text|body",
    "birthday|date of birth|dob|birth date|birthdate|geburtsdatum",
    "gender|sex",
    "state|province|region|county",
    "card number|credit card number|card no|kartennummer|numero de carte|numero de tarjeta",
    "cvv|cvc|security code|card code",
    "expiry|expiration|expiration date|expiry date|exp|expires|expire|valid until|valid thru|gultig bis|ablaufdatum|date d expiration|fecha de caducidad|caducidad|scadenza|mm yy|mm aa|mm jj|mm yyyy|有効期限",
    "export|download|save as",
    "import|upload",
    "scan|qr code",
    "redo|repeat",
    "store|shop|location|branch",
    "stock|inventory|availability",
    "article|story|post|news",
    "customer|client",
    "employee|staff|worker",
    "error|warning|alert|problem",
    "photo|avatar|picture|profile picture",
    "acct|account|a c",
    "nav|navigation",
    "txt|text",
    "num|number",
    "addr|address",
    "pref|preference",
    "btn|button",
    "img|image",
    "msg|message",
    "desc|description",
    "qty|quantity",
    "dob|birthday",
    "pwd|password",
    "usr|user",
    "cat|category",
    "prod|product",
    "mgr|manager",
    "admin|administrator|administration",
    "info|information",
    "tel|phone",
    "org|organization",
    "dept|department",
    "lang|language",
    "fav|favorite",
    "temp|temperature",
    "max|maximum",
    "min|minimum",
    "ref|reference",
    "std|standard",
    "intl|international",
    "direct|nonstop|non stop|without stops|direkt|sans escale",
    "minimum|min|lowest|at least|smallest > from|low",
    "maximum|max|highest|at most|largest > up to|to|high",
    "recipient|recipients|addressee > to",
    "takeaway|take away|pickup|pick up|to go|collection|a emporter|zum mitnehmen|para llevar|da asporto",
    "delivery|livraison|lieferung|entrega|consegna|bezorging > shipping",
    "deselect all|unselect all|select none|uncheck all|deselect|clear selection|clear the selection|cancel selection > clear all|none|close|x|×|✕|xmark",
    "opening hours|hours|business hours|offnungszeiten|horaires|horaires d ouverture|horario|orari",
    "donate|donation|spenden|faire un don|donar|dona|doneren > support us|give",
    "discussion|talk|diskussion|discuss",
    "reaction|react > emoji|smile|smiley",
    "star|stars|stern|sterne|ster|sterren|etoile|etoiles|estrella|estrellas|estrela|estrelas|stella|stelle|gwiazdka|gwiazdki|gwiazda|stjarna > ★|☆",
    "heart|herz|hart|hartje|coeur|corazon|coracao|cuore|serce|serduszko|hjarta > ♥|♡|❤|favorite",
    "happy|happy face|smile|smiley|smiling face|good mood|😀|😃|😄|😊|🙂|☺",
    "sad|sad face|unhappy|frown|frowning face|bad mood|😞|☹|🙁|😢|😟|😠",
    "neutral|neutral face|indifferent|meh|so so|😐|😑",
    "emoji|emoticon|smiley > smile|face|mood|🙂|😀|😊|☺",
    "mention > at|at sign|@",
    "traveller|travellers|traveler|travelers|passenger|passengers|guest|guests|adults|people > pax|occupancy",
    "apply|appliquer|anwenden|aplicar|applica|toepassen|aplica|zastosuj|tillampa",
    "validate|valider|place order|complete order|place the order|commander|valider la commande > checkout|pay",
    "newest|latest|most recent|present|bottom|neueste|plus recents|mas recientes|piu recenti|新着 > recent|jump to present|date",
    "voice message|record > microphone|mic",
    "origin|where from > from",
    "destination > to|where to|where are you going|going",
    "preferences|manage|choices > settings|options",
    "discard|throw away|abandon > cancel|delete",
    "my location|current location|my position|where i am|near me|locate me|mein standort|ma position|mi ubicacion|la mia posizione > locate|crosshair|crosshairs|gps|geolocation|location arrow|location crosshairs|target|navigation arrow",
    "update|check for updates|newer|new version|newer version|newest version|latest version|upgrade",
    "what does mean|mean|means|meaning|explain|explanation|definition|erklarung|explication|explicacion|spiegazione > info|information|i|ℹ|help|question|?|tooltip|details",
    "dont show|do not show|stop showing|not interested|hide|ausblenden|masquer|ocultar > eye slash|visibility off|eye off",
    "stop receiving|dont send|stop sending|stop getting|no more mails|no more emails|opt out|unsubscribe|abbestellen|se desabonner|darse de baja|disiscriviti|abmelden",
    "add to favorites|add to favourites|add to wishlist|add to my favorites|add to my favourites|zu favoriten hinzufugen|ajouter aux favoris|anadir a favoritos|aggiungi ai preferiti > heart|star|bookmark|♥|♡|❤|★|☆",
    "strikethrough|strike through|cross out|strike|durchgestrichen|barre|tachado|barrato > s",
    "highlight|highlighter|text highlight|hilite|textmarker|surligner|resaltar|evidenzia > marker",
    "text color|text colour|font color|font colour|fore color|textfarbe|schriftfarbe|couleur du texte|color de texto",
    "align left|left align|left aligned|justify left|linksbundig|aligner a gauche|alinear a la izquierda",
    "align right|right align|right aligned|justify right|rechtsbundig|aligner a droite|alinear a la derecha",
    "align center|align centre|center|centre|centered|centred|justify center|align middle|zentrieren|zentriert|centrer|centrar|centrato",
    "bulleted list|bullet list|bullets|bullet points|unordered list|list ul|list bullets|aufzahlung|liste a puces",
    "numbered list|number list|ordered list|list ol|list numbers|numbering|nummerierte liste|liste numerotee",
    "indent|increase indent|einzug|retrait|sangria",
    "number plate|license plate|licence plate|registration number|plate number",
    "edit|bearbeiten|modifier|editar|modifica",
    "printable|print version|druckversion > print",
    "image|bild|photo|datei",
    "cookie|cookies",
    "hamburger|main menu|hauptmenu",
    "faq|frequently asked questions|questions",
];

/// Finds the groups whose phrases stand in a text.
pub(crate) struct Synonyms {
    /// For each first word the phrases that begin with it.
    phrases: HashMap<String, Vec<Phrase>>,
}

struct Phrase {
    rest: Vec<String>,
    group: u16,
    closeness: Closeness,
}

/// A phrase of a group that stands in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// The group.
    pub(crate) group: u16,
    /// The first word of the phrase.
    pub(crate) from: usize,
    /// One past its last word.
    pub(crate) to: usize,
    /// How close the phrase is to what the group means.
    closeness: Closeness,
}

impl Meaning {
    /// How much two phrases of one group count for each other. Two pictures of one group say nothing of each other.
    pub(crate) const fn strength(self, other: Meaning) -> f32 {
        match (self.closeness, other.closeness) {
            (Closeness::Same, close) | (close, Closeness::Same) => close.strength(),
            _ => 0.0,
        }
    }

    /// Whether the phrase is one of those that mean the same.
    pub(crate) const fn is_strict(self) -> bool {
        matches!(self.closeness, Closeness::Same)
    }
}

/// The table, made ready once.
pub(crate) fn table() -> &'static Synonyms {
    static TABLE: OnceLock<Synonyms> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
        let mut add = |phrase: &str, group: usize, closeness: Closeness| {
            let mut words = super::words::plain_words(phrase)
                .into_iter()
                .map(|word| super::words::stem(&word));
            if let Some(first) = words.next() {
                phrases.entry(first).or_default().push(Phrase {
                    rest: words.collect(),
                    group: group as u16,
                    closeness,
                });
            }
        };
        let levels = [Closeness::Same, Closeness::Stands, Closeness::Hints];
        // For what a group is about, its first phrase, the groups of it.
        let mut groups_of: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut count = 0;
        for line in GROUPS
            .iter()
            .chain(vocabulary::GROUPS)
            .chain(software::GROUPS)
            .chain(everyday::GROUPS)
        {
            for (phrases, level) in line.split(" > ").zip(levels) {
                for phrase in phrases.split('|') {
                    add(phrase, count, level);
                }
            }
            let subject = line.split(['|', '>']).next().unwrap_or_default().trim();
            groups_of.entry(subject).or_default().push(count);
            count += 1;
        }
        // Pictures stand for what their group is about in every language.
        for line in pictures::GROUPS {
            let (said, drawn) = line.split_once(" > ").unwrap_or((line, ""));
            for phrase in said.split('|') {
                add(phrase, count, Closeness::Same);
            }
            let subject = said.split('|').next().unwrap_or_default();
            let others = groups_of
                .get(subject)
                .map(Vec::as_slice)
                .unwrap_or_default();
            for group in others.iter().chain([&count]) {
                for phrase in drawn.split('|') {
                    add(phrase, *group, Closeness::Stands);
                }
            }
            count += 1;
        }
        Synonyms { phrases }
    })
}

impl Synonyms {
    /// Every phrase of the table that stands in `words`, which are without endings.
    pub(crate) fn meanings<W: AsRef<str>>(&self, words: &[W], to: &mut Vec<Meaning>) {
        for (at, word) in words.iter().enumerate() {
            // A single letter means a sign only where little else is said.
            if word.as_ref().len() == 1 && words.len() > 2 {
                continue;
            }
            let Some(phrases) = self.phrases.get(word.as_ref()) else {
                continue;
            };
            for phrase in phrases {
                let end = at + 1 + phrase.rest.len();
                let stands = words.get(at + 1..end).is_some_and(|there| {
                    there
                        .iter()
                        .map(AsRef::as_ref)
                        .eq(phrase.rest.iter().map(String::as_str))
                });
                if stands {
                    to.push(Meaning {
                        group: phrase.group,
                        from: at,
                        to: end,
                        closeness: phrase.closeness,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_of_one_group_mean_the_same() {
        let of = |text: &str| {
            let mut meanings = Vec::new();
            let words = super::super::words::plain_words(text);
            let stems: Vec<String> = words
                .iter()
                .map(|word| super::super::words::stem(word))
                .collect();
            table().meanings(&stems, &mut meanings);
            meanings
        };
        let shared = |a: &str, b: &str| {
            of(a)
                .iter()
                .flat_map(|one| of(b).into_iter().map(move |other| (*one, other)))
                .filter(|(one, other)| one.group == other.group)
                .map(|(one, other)| one.strength(other))
                .fold(0.0, f32::max)
        };
        assert_eq!(shared("Sign in", "login"), Closeness::Same.strength());
        assert_eq!(
            shared("gear", "Einstellungen"),
            Closeness::Stands.strength()
        );
        assert_eq!(shared("×", "close"), Closeness::Stands.strength());
        assert_eq!(shared("keyboard", "login"), 0.0);
        assert_eq!(shared("recycle bin", "Trash"), Closeness::Same.strength());
        assert_eq!(
            shared("spreadsheet", "Plan.xlsx"),
            Closeness::Stands.strength()
        );
        assert_eq!(shared("phone number", "no arrow"), 0.0);
    }
}
