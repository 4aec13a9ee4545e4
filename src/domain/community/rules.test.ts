import { expect, test } from 'vitest';
import { visitor } from '../kernel/viewer.ts';
import { CommentForm, ReportForm } from './forms.ts';
import {
  canBlock,
  canDeleteComment,
  canModerateComments,
  canReportComment,
  canWriteComment,
  countCharacters,
  isBlankComment,
  normalizeComment,
} from './rules.ts';

const user = (id: string, isComplete = true) => ({ kind: 'user', id, isSubscribed: false, isComplete }) as const;

test.each([
  ['as it is', 'I had to stop walking.', 'I had to stop walking.'],
  ['markup, which is text', '<script>alert(1)</script> & <b>', '<script>alert(1)</script> & <b>'],
  ['emoji with their joiners and flags', '👩🏽‍❤️‍💋‍👩🏿 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️', '👩🏽‍❤️‍💋‍👩🏿 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️'],
  ['right-to-left words with their marks', 'שלום\u200F, good', 'שלום\u200F, good'],
  ['composed', 'e\u0301', 'é'],
  ['with no tower of marks', `a${'\u0316'.repeat(300)}b`, `a${'\u0316'.repeat(6)}b`],
  ['without overrides and isolates', 'a\u202Egnp.exe\u2066b\u2069\u202C', 'agnp.exeb'],
  ['without controls, but lines and tabs', 'a\0b\u001B[2Jc\td\u009F', 'ab[2Jc\td'],
  ['lines of all machines', 'a\r\nb\rc\u2028d\u2029e\u0085f', 'a\nb\nc\nd\ne\nf'],
  ['at most one empty line', 'a  \n\n \n\n\nb', 'a\n\nb'],
  ['trimmed', ' \n\t a \u3000\n', 'a'],
  ['without halves of characters', 'a\uD83Db\uDE00c', 'abc'],
  ['without what is no character', 'a\uFFFE\u{1FFFF}\uFEFFb', 'ab'],
])('a comment is kept %s', (_how, typed, kept) => {
  expect(normalizeComment(typed)).toBe(kept);
  expect(normalizeComment(kept)).toBe(kept);
});

test.each([
  ['', true],
  [' \n\t\u00A0\u2003', true],
  ['\u200B\u200D\uFE0F\u2060', true],
  ['\u202E\u2066', true],
  ['\u0301\u0301', true],
  ['\u3164\u115F\uFFA0\u2800', true],
  ['😀', false],
  ['❤️', false],
  ['.', false],
  ['ㅤa', false],
  ['ק', false],
])('%j says something only if it can be seen', (text, isBlank) => {
  expect(isBlankComment(text)).toBe(isBlank);
});

test.each([
  ['abc', 3],
  ['  abc  ', 3],
  ['😀😀', 2],
  ['e\u0301', 1],
  ['a\r\nb', 3],
  ['a\u202Eb', 2],
  ['👩‍❤️‍👩', 6],
])('%j counts as the database counts it', (text, characters) => {
  expect(countCharacters(text)).toBe(characters);
});

test('permissions on comments', () => {
  const open = { commenters: 'everyone', voiceId: 'v' } as const;
  expect(canWriteComment(user('a'), open)).toBe(true);
  const subscriber = { ...user('a'), isSubscribed: true };
  const editor = { ...user('a'), voiceRoles: { v: 'editor' } } as const;
  const admin = { ...user('a'), isAdmin: true } as const;
  for (const viewer of [subscriber, editor, admin]) {
    expect(canWriteComment(viewer, { ...open, commenters: 'subscribers' })).toBe(true);
    expect(canWriteComment(viewer, { ...open, commenters: 'nobody' })).toBe(false);
  }
  for (const viewer of [
    user('a'),
    { ...editor, voiceRoles: { w: 'owner' } } as const,
    { ...subscriber, isComplete: false },
  ])
    expect(canWriteComment(viewer, { ...open, commenters: 'subscribers' })).toBe(false);
  expect(canWriteComment(user('a', false), open)).toBe(false);
  expect(canWriteComment(visitor, open)).toBe(false);
  const ofA = { user: { id: 'a' } };
  expect([canDeleteComment(user('a'), ofA), canReportComment(user('a'), ofA)]).toEqual([true, false]);
  expect([canDeleteComment(user('b'), ofA), canReportComment(user('b'), ofA)]).toEqual([false, true]);
  expect([canDeleteComment(visitor, ofA), canReportComment(visitor, ofA)]).toEqual([false, false]);
  const ofNobody = { user: null };
  expect([canDeleteComment(user('a'), ofNobody), canReportComment(user('a'), ofNobody)]).toEqual([false, false]);
  expect([canModerateComments(user('a'), ['b', 'a']), canModerateComments(user('c'), ['b', 'a'])]).toEqual([
    true,
    false,
  ]);
  expect(canModerateComments(visitor, [])).toBe(false);
  expect([canBlock(user('a'), 'b'), canBlock(user('a'), 'a'), canBlock(visitor, 'b')]).toEqual([true, false, false]);
});

test('forms accept valid input only', () => {
  expect(CommentForm.safeParse({ text: 'a', parentId: 'x' }).success).toBe(false);
  for (const text of [undefined, null, 7, ['a'], { a: 1 }, 'x'.repeat(20_001)])
    expect(CommentForm.safeParse({ text }).success).toBe(false);
  expect(ReportForm.parse({ reason: 'spam', details: ' \u200B ' })).toEqual({ reason: 'spam' });
  expect(ReportForm.parse({ reason: 'spam', details: ' a\0 ' })).toEqual({ reason: 'spam', details: 'a' });
  for (const report of [{}, { reason: 'because' }, { reason: 'spam', details: 'x'.repeat(501) }])
    expect(ReportForm.safeParse(report).success).toBe(false);
});

test('the longest text that a form accepts is parsed fast, whatever it contains', () => {
  const start = performance.now();
  for (const unit of [' ', '\t', '\n', ' \n', '\u0301', '\r', '\u2028 '])
    expect(normalizeComment(`a${unit.repeat(19_998 / unit.length)}b`)).toMatch(/b$/);
  expect(performance.now() - start).toBeLessThan(150);
});
