import { UsageError } from './command.ts';

/** Requires an offset: without one, the time would depend on the machine. @throws UsageError */
export function readTime(text: string): Date {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? new Date(text)
    : undefined;
  // JavaScript turns 31 February into 3 March.
  const day = Number(text.slice(8, 10));
  const exists = day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  if (time === undefined || Number.isNaN(time.getTime()) || !exists)
    throw new UsageError(`"${text}" is not a time such as 2026-02-14T20:00:00Z`);
  return time;
}
