//! The functions of the expression language.

/// A function, as its reader and its documentation know it.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// How it is called.
    pub(crate) form: &'static str,
    pub(crate) about: &'static str,
}

const fn function(name: &'static str, form: &'static str, about: &'static str) -> Function {
    Function { name, form, about }
}

/// The functions.
pub(crate) const FUNCTIONS: &[Function] = &[
    function("len", "len(text)", "how many characters"),
    function("count", "count(list)", "how many entries"),
    function("sum", "sum(list, 'field')", "the sum of a field"),
    function(
        "contains",
        "contains(text, part)",
        "whether it holds the part, without regard to case",
    ),
    function("money", "money(number)", "with two decimals"),
    function("if", "if(condition, then, else)", "one value or another"),
];
