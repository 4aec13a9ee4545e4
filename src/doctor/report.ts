export type Level = 'ok' | 'warn' | 'FAIL';

/** Receives one finding of a check. @param about the part of the site; @param message finding and advice */
export type Report = (level: Level, about: string, message: string) => void;
