import { describe, expect, test } from 'vitest';
import { evaluatePreconditions, parseHttpDate, parseRange, rangeStillValid } from './ranges.ts';

const whole = { kind: 'whole' };
const unsatisfiable = { kind: 'unsatisfiable' };
const part = (start: number, end: number) => ({ kind: 'part', range: { start, end } });

describe('parseRange', () => {
  test.each([
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-99', part(0, 99)],
    ['bytes=10-', part(10, 99)],
    ['bytes=10-500', part(10, 99)],
    ['bytes=-10', part(90, 99)],
    ['bytes=-500', part(0, 99)],
    ['BYTES=5-6', part(5, 6)],
    ['bytes= 5-6 , ', part(5, 6)],
    ['bytes=0-99999999999999999999999', part(0, 99)],
    ['bytes=99-99', part(99, 99)],
  ])('%s names these bytes of 100', (header, expected) => {
    expect(parseRange(header, 100)).toEqual(expected);
  });

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999999-'])(
    '%s is beyond 100 bytes',
    (header) => {
      expect(parseRange(header, 100)).toEqual(unsatisfiable);
    },
  );

  test.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=1.5-2',
    'bytes=--5',
    'bytes=0x1-2',
    'items=0-5',
    'bytes 0-5',
    'bytes=0-5,10-15',
    'bytes=0-5,x',
  ])('%s is ignored', (header) => {
    expect(parseRange(header, 100)).toEqual(whole);
  });

  test('an empty file has no satisfiable start, and is sent in full for a suffix', () => {
    expect(parseRange('bytes=0-', 0)).toEqual(unsatisfiable);
    expect(parseRange('bytes=-5', 0)).toEqual(whole);
  });
});

describe('evaluatePreconditions', () => {
  const current = { etag: 'now', modifiedAt: new Date('2026-03-01T12:00:00.900Z') };
  const sameSecond = 'Sun, 01 Mar 2026 12:00:00 GMT';
  const before = 'Sun, 01 Mar 2026 11:59:59 GMT';
  const outcome = (headers: Record<string, string>) => evaluatePreconditions(new Headers(headers), current);

  test('without conditions it proceeds', () => {
    expect(outcome({})).toBe('proceed');
  });

  test('If-Match needs one strong tag, or `*`', () => {
    expect(outcome({ 'if-match': '"old", "now"' })).toBe('proceed');
    expect(outcome({ 'if-match': '*' })).toBe('proceed');
    expect(outcome({ 'if-match': '"old"' })).toBe('failed');
    expect(outcome({ 'if-match': 'W/"now"' })).toBe('failed');
  });

  test('If-Unmodified-Since counts only without If-Match', () => {
    expect(outcome({ 'if-unmodified-since': before })).toBe('failed');
    expect(outcome({ 'if-unmodified-since': sameSecond })).toBe('proceed');
    expect(outcome({ 'if-unmodified-since': before, 'if-match': '"now"' })).toBe('proceed');
  });

  test('If-None-Match compares weakly', () => {
    expect(outcome({ 'if-none-match': 'W/"now"' })).toBe('not-modified');
    expect(outcome({ 'if-none-match': '"a,b", "now"' })).toBe('not-modified');
    expect(outcome({ 'if-none-match': '*' })).toBe('not-modified');
    expect(outcome({ 'if-none-match': '"old"' })).toBe('proceed');
  });

  test('If-Modified-Since counts only without If-None-Match, and a bad date does not count', () => {
    expect(outcome({ 'if-modified-since': sameSecond })).toBe('not-modified');
    expect(outcome({ 'if-modified-since': before })).toBe('proceed');
    expect(outcome({ 'if-modified-since': sameSecond, 'if-none-match': '"old"' })).toBe('proceed');
    expect(outcome({ 'if-modified-since': 'yesterday' })).toBe('proceed');
  });

  test('a failed If-Match comes before a matching If-None-Match', () => {
    expect(outcome({ 'if-match': '"old"', 'if-none-match': '"now"' })).toBe('failed');
  });

  test('without a date of the content, dates are ignored', () => {
    expect(evaluatePreconditions(new Headers({ 'if-modified-since': sameSecond }), { etag: 'now' })).toBe('proceed');
  });

  test('If-Range takes a strong tag or exactly the date that was sent', () => {
    expect(rangeStillValid(null, current)).toBe(true);
    expect(rangeStillValid('"now"', current)).toBe(true);
    expect(rangeStillValid(sameSecond, current)).toBe(true);
    expect(rangeStillValid('W/"now"', current)).toBe(false);
    expect(rangeStillValid('"old"', current)).toBe(false);
    expect(rangeStillValid(before, current)).toBe(false);
    expect(rangeStillValid('Mon, 02 Mar 2026 12:00:00 GMT', current)).toBe(false);
    expect(rangeStillValid('now', current)).toBe(false);
  });
});

test('HTTP dates are read in their three formats, as UTC', () => {
  const expected = Date.UTC(1994, 10, 6, 8, 49, 37) / 1000;
  expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(expected);
  expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(expected);
  expect(parseHttpDate('Sun Nov  6 08:49:37 1994')).toBe(expected);
  for (const wrong of ['', '1', '2026-03-01', 'Sun, 99 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:37 CET'])
    expect(parseHttpDate(wrong)).toBeUndefined();
});
