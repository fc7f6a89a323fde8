//! The functions of the expression language.

#[derive(Debug)]
pub(crate) struct FunctionRow {
    pub(crate) name: &'static str,
    pub(crate) function: Function,
    /// The minimum and maximum number of arguments.
    pub(crate) takes: (usize, usize),
    pub(crate) form: &'static str,
    pub(crate) about: &'static str,
    /// A call and its result, which a test checks.
    pub(crate) example: (&'static str, &'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Len,
    Contains,
    StartsWith,
    EndsWith,
    Matches,
    Upper,
    Trim,
    Number,
    Round,
    Min,
    Max,
    Money,
    If,
    Case,
    Count,
    Sum,
    Any,
    First,
    Last,
    Join,
    Granted,
}

macro_rules! functions {
    ($($function:ident $least:literal..$most:literal $form:literal, $about:literal, $call:literal => $gives:literal;)+) => {
        pub(crate) const FUNCTIONS: &[FunctionRow] = &[$(FunctionRow {
            name: match $form.as_bytes() {
                form => name_of($form, form),
            },
            function: Function::$function,
            takes: ($least, $most),
            form: $form,
            about: $about,
            example: ($call, $gives),
        },)+];
    };
}

/// Returns the name before the bracket.
const fn name_of(form: &'static str, bytes: &[u8]) -> &'static str {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'(' {
            return form.split_at(at).0;
        }
        at += 1;
    }
    form
}

functions! {
    Len 1..1 "len(text)", "how many characters", "len('äöü')" => "3";
    Contains 2..2 "contains(text, part)", "whether it holds the part, without regard to case; everything contains the empty text", "contains('Anna', 'NN')" => "true";
    StartsWith 2..2 "starts_with(text, part)", "whether it begins so, without regard to case", "starts_with('Anna', 'an')" => "true";
    EndsWith 2..2 "ends_with(text, part)", "whether it ends so, without regard to case", "ends_with('Anna', 'na')" => "true";
    Matches 2..2 "matches(text, 'pattern')", "whether all of it is `digits` or an `email`", "matches('ann@example.com', 'email')" => "true";
    Upper 1..1 "upper(text)", "in capitals", "upper('Anna')" => "ANNA";
    Trim 1..1 "trim(text)", "without blanks at both ends", "trim(' a b ')" => "a b";
    Number 1..1 "number(text)", "the number that it is written as, or 0", "number('4.50') + 1" => "5.5";
    Round 1..2 "round(number, places)", "rounded, to whole numbers without `places`", "round(2.345, 1)" => "2.3";
    Min 1..9 "min(a, b)", "the least of some numbers; `min(list, 'price')` of all entries", "min(3, 2)" => "2";
    Max 1..9 "max(a, b)", "the largest of some numbers; `max(list, 'price')` of all entries", "max(cart, 'price')" => "2";
    Money 1..1 "money(number)", "with two decimals", "money(3)" => "3.00";
    If 3..3 "if(condition, then, else)", "one value or another", "if(1 < 2, 'yes', 'no')" => "yes";
    Case 3..99 "case(value, 'a', first, 'b', second, else)", "the value beside the first that is the same", "case(2, 1, 'one', 2, 'two', 'many')" => "two";
    Count 1..2 "count(list, 'condition')", "how many entries, or for how many of them something holds", "count(cart, 'price > 1.6')" => "1";
    Sum 2..2 "sum(list, 'price * quantity')", "the sum over all entries", "sum(cart, 'price * quantity')" => "8";
    Any 2..2 "any(list, 'condition')", "whether it holds for an entry", "any(cart, 'price == 2')" => "true";
    First 2..2 "first(list, 'name')", "of the first entry", "first(cart, 'price')" => "1.5";
    Last 2..2 "last(list, 'name')", "of the last entry", "last(cart, 'price')" => "2";
    Join 2..3 "join(list, 'name', ', ')", "of all entries, one behind the other", "join(cart, 'price', ' and ')" => "1.5 and 2";
    Granted 1..1 "granted('camera')", "whether the app has a permission", "granted('camera')" => "";
}
