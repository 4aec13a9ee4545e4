import { expect, test } from 'vitest';
import { withReloadedPage } from './reloaded-list.ts';

const page = (ids: string, nextCursor?: string) => ({ items: [...ids].map((id) => ({ id })), nextCursor });
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id).join('');

test('a reloaded first page keeps the loaded pages after it, and their cursor', () => {
  const list = withReloadedPage(page('abc', 'after c'), page('abcdefghi', 'after i'));
  expect([idsOf(list), list.nextCursor]).toEqual(['abcdefghi', 'after i']);
});

test('new items appear at the top, deleted ones disappear, and none is shown twice', () => {
  expect(idsOf(withReloadedPage(page('nab', 'after b'), page('abcdef')))).toBe('nabcdef');
  expect(idsOf(withReloadedPage(page('acd', 'after d'), page('abcdef')))).toBe('acdef');
  expect(idsOf(withReloadedPage(page('fab', 'after b'), page('abcdef')))).toBe('fabcde');
});

test('a different list, a shorter one, and one with only its first page loaded start with the new first page', () => {
  expect(idsOf(withReloadedPage(page('xyz', 'after z'), page('abcdef')))).toBe('xyz');
  expect(idsOf(withReloadedPage(page('abc'), page('abcdef')))).toBe('abc');
  expect(withReloadedPage(page('abc', 'new'), page('abc', 'old')).nextCursor).toBe('new');
  expect(idsOf(withReloadedPage(page(''), page('abc')))).toBe('');
});
