import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

test.each([
  ['ada.m', 'A'],
  ['élise', 'É'],
  ['  theo', 'T'],
  ['ß', 'S'],
  ['', 'A'],
  [null, 'A'],
])('the avatar of %j shows %s', (name, letter) => {
  expect(renderToStaticMarkup(createElement(Avatar, { name }))).toMatch(new RegExp(`>${letter}</span>$`));
});

test('a colour outside the palette is the default pink', () => {
  expect(renderToStaticMarkup(createElement(Avatar, { name: 'ada', color: 5 }))).toContain('av--5');
  expect(renderToStaticMarkup(createElement(Avatar, { name: 'ada', color: 9 }))).toContain('class="av"');
});
