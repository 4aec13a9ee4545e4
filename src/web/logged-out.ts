/** Dispatched on the window when the session ended; a page with unsaved input cancels it, to keep its data. */
export const loggedOutEvent = 'sotto:logged-out';

/** On `window`, before a log-out; cancelling it keeps the session. */
export const logOutEvent = 'sotto:log-out';
