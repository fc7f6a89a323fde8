//! The Chrome DevTools Protocol: one connection to a browser, the sessions of its targets, and the methods that are needed.
