/**
 * Dispatched on the window when newer data of the page failed to load; a page that shows the failure itself cancels the
 * notice.
 */
export const refreshFailedEvent = 'sotto:refresh-failed';
