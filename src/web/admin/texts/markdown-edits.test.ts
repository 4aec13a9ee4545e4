import { expect, test } from 'vitest';
import { type TextEdit, toggleMark, toLink, togglePrefix } from './markdown-edits.ts';

/** `|` marks where the selection begins and ends. */
function at(marked: string) {
  const [before = '', inner = '', after = ''] = marked.split('|');
  return { text: before + inner + after, start: before.length, end: before.length + inner.length };
}

function applied(marked: string, edit: (of: ReturnType<typeof at>) => TextEdit): string {
  const selected = at(marked);
  const { from, to, insert, start, end } = edit(selected);
  const text = selected.text.slice(0, from) + insert + selected.text.slice(to);
  return `${text.slice(0, start)}|${text.slice(start, end)}|${text.slice(end)}`;
}

test.each([
  ['a |word| b', '**', 'a **|word|** b'],
  ['a **|word|** b', '**', 'a |word| b'],
  ['a **|word|** b', '*', 'a ***|word|*** b'],
  ['a *|word|* b', '*', 'a |word| b'],
  ['||', '**', '**||**'],
])('%s with %s is %s', (marked, mark, expected) => {
  expect(applied(marked, (selected) => toggleMark(selected, mark))).toBe(expected);
});

test.each([
  ['see |this|', 'see [this](|https://|)'],
  ['see |https://a.example/b|', 'see [||](https://a.example/b)'],
  ['||', '[||](https://)'],
])('%s becomes the link %s', (marked, expected) => {
  expect(applied(marked, toLink)).toBe(expected);
});

test('lines get a prefix, and lose it again', () => {
  expect(applied('one\nt|wo\nth|ree\nfour', (selected) => togglePrefix(selected, '> '))).toBe(
    'one\n|> two\n> three|\nfour',
  );
  expect(applied('> t|wo\n> th|ree', (selected) => togglePrefix(selected, '> '))).toBe('|two\nthree|');
  expect(applied('|one\ntwo|', (selected) => togglePrefix(selected, (line) => `${line + 1}. `))).toBe(
    '|1. one\n2. two|',
  );
});
