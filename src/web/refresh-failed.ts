/** On the window, when newer data of the page failed to load; a page that says so itself prevents the notice. */
export const refreshFailedEvent = 'sotto:refresh-failed';
