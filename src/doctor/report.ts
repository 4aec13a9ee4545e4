import { type Sentence, say } from '#domain/kernel/errors.ts';

export type Level = 'ok' | 'warn' | 'FAIL';

/** A finding with advice; a string is in English alone: only the command reports it, or another program wrote it. */
export type Message = string | Sentence | (() => string);

/** Receives one finding of a check. @param about the part of the site */
export type Report = (level: Level, about: string, message: Message) => void;

export function reportOn(about: string, report: Report) {
  const at = (level: Level) => (message: Message) => report(level, about, message);
  return { ok: at('ok'), warn: at('warn'), fail: at('FAIL') };
}

/** In the language of the request; commands have none, and are in English. */
export function textOf(message: Message): string {
  return typeof message === 'function' ? message() : say(message);
}
