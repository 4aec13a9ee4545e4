/** On the window, when the session ended; a page with something typed prevents that its data is read again. */
export const loggedOutEvent = 'sotto:logged-out';
