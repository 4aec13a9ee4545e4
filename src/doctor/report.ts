export type Level = 'ok' | 'warn' | 'FAIL';

/** Receives one finding of a check. @param about the part of the site; @param message finding and advice */
export type Report = (level: Level, about: string, message: string) => void;

export function reportOn(about: string, report: Report) {
  const at = (level: Level) => (message: string) => report(level, about, message);
  return { ok: at('ok'), warn: at('warn'), fail: at('FAIL') };
}
