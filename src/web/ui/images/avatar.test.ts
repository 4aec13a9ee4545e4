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

test('an avatar is painted in its colour, and without one in the default pink of the style sheet', () => {
  expect(renderToStaticMarkup(createElement(Avatar, { name: 'ada', color: '#E3CB7F' }))).toContain(
    'style="background-color:#E3CB7F"',
  );
  expect(renderToStaticMarkup(createElement(Avatar, { name: 'ada' }))).toContain('class="avatar">');
});
