//! From a description to the element that is meant, and to selectors that name it and will live.
