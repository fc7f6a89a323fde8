//! Web pages in Chrome: a browser that is started or found, its pages as trees, input as a user gives it.
