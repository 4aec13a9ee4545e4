/** Characters (code points) of a name. */
export const mixNameLength = 60;
export const maxMixes = 50;
