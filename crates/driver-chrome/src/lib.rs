//! Web pages in Chrome: browsers started or found, pages as trees, real input, navigation.

pub mod browser;
pub mod page;
