/** Event of the window: lists are different from when they were loaded, as after hiding something. */
export const listsChange = 'lists-change';
