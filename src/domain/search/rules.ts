/** Limit of paging. */
export const deepestHit = 1000;
