/** With fewer there is nothing to compare. */
export const enoughHeard = 5;
/** How many a visitor's device knows, up to those that are enough: Home reads it before anything is unsealed. */
export const heardCountKey = 'sotto_heard_count';
