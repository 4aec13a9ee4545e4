export type Level = 'ok' | 'warn' | 'FAIL';

/** Takes one finding of a check. @param about the part of the site; @param message what is so, and what to do */
export type Report = (level: Level, about: string, message: string) => void;
