import type { ByteRange } from '#domain/gateways.ts';
import { readEntityTags } from '#formats/entity-tags.ts';

/** `whole`: send everything and ignore the range. `unsatisfiable`: answer 416. */
export type RangeOutcome = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'unsatisfiable' };

/**
 * Compared with a client's preconditions. `etag` is opaque and without quotes; without `modifiedAt`, dates are ignored.
 */
export type Validators = { etag: string; modifiedAt?: Date };

const whole: RangeOutcome = { kind: 'whole' };
const unsatisfiable: RangeOutcome = { kind: 'unsatisfiable' };

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110 §14.1.2, §14.2). Ignores other units, wrong syntax and
 * multiple ranges: the RFC allows that, and no player sends them.
 */
export function parseRange(header: string | undefined, size: number): RangeOutcome {
  const set = /^bytes=(.*)$/i.exec(header?.trim() ?? '')?.[1];
  const specs = set
    ?.split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  if (specs?.length !== 1) return whole;
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(specs[0] ?? '') ?? [];
  if (first === '') return last === '' ? whole : suffixRange(Number(last), size);
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return whole;
  return start >= size ? unsatisfiable : { kind: 'part', range: { start, end: Math.min(end, size - 1) } };
}

function suffixRange(length: number, size: number): RangeOutcome {
  if (length === 0) return unsatisfiable;
  // RFC 9110 calls a suffix of an empty file satisfiable, but no Content-Range can express it.
  if (size === 0) return whole;
  return { kind: 'part', range: { start: Math.max(0, size - length), end: size - 1 } };
}

/** The outcome of the conditional headers of a GET or HEAD in the order of RFC 9110 §13.2.2; `proceed` goes on to the range. */
export function evaluatePreconditions(headers: Headers, current: Validators): 'proceed' | 'not-modified' | 'failed' {
  const modified = wholeSeconds(current.modifiedAt);
  const ifMatch = headers.get('if-match');
  const dateIn = (name: string) => (modified === undefined ? undefined : parseHttpDate(headers.get(name)));
  const unmodifiedSince = dateIn('if-unmodified-since');
  if (ifMatch !== null) {
    if (!matchesAny(ifMatch, current.etag, 'strong')) return 'failed';
  } else if (modified !== undefined && unmodifiedSince !== undefined && modified > unmodifiedSince) {
    return 'failed';
  }
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== null) return matchesAny(ifNoneMatch, current.etag, 'weak') ? 'not-modified' : 'proceed';
  const modifiedSince = dateIn('if-modified-since');
  return modified !== undefined && modifiedSince !== undefined && modified <= modifiedSince
    ? 'not-modified'
    : 'proceed';
}

/** Whether If-Range keeps the range valid (RFC 9110 §13.1.5): a strong tag, or exactly the date that was sent. */
export function rangeStillValid(ifRange: string | null, current: Validators): boolean {
  if (ifRange === null) return true;
  const value = ifRange.trim();
  if (value.startsWith('"')) return value === `"${current.etag}"`;
  const date = parseHttpDate(value);
  return date !== undefined && date === wholeSeconds(current.modifiedAt);
}

/** Strong comparison never matches a weak tag. */
function matchesAny(header: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  const tags = readEntityTags(header);
  return tags === '*' || tags.some(({ tag, isWeak }) => tag === etag && !(isWeak && comparison === 'strong'));
}

const httpDate = /^(?:[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d\d) \d\d:\d\d:\d\d GMT)$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Seconds since 1970 of the three formats of RFC 9110 §5.6.7; anything else is `undefined`, which means "ignore". */
export function parseHttpDate(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  const time = httpDate.test(text) ? Date.parse(text) : asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}

/** An HTTP date has no milliseconds, a file time does. */
function wholeSeconds(date: Date | undefined): number | undefined {
  return date && Math.floor(date.getTime() / 1000);
}
