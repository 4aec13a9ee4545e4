import { isDeepStrictEqual } from 'node:util';

/** Outcome of an edit whose form says what its author saw. */
export type EditOutcome = { ok: true } | { ok: false; reason: 'not-found' };

/** @param seen the fields that change, as their author saw them. @returns whether one of them is another by now */
export function isChangedSince<Fields extends object>(seen: Partial<Fields> | undefined, now: Fields): boolean {
  return Object.entries(seen ?? {}).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, now[name as keyof Fields]),
  );
}
