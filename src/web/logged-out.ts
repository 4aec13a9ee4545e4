/** Dispatched on the window when the session ended; a page with unsaved input cancels it, to keep its data. */
export const loggedOutEvent = 'sotto:logged-out';
