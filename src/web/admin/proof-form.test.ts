import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ProofForm } from './proof-form.tsx';

test.each([
  [true, ['type="password"']],
  [false, ['log out and log in again']],
  [null, ['type="password"', 'Log out and log in again instead']],
])('without a second factor and with a password: %s, the form offers what can confirm the identity', (has, offered) => {
  const factors = { hasApp: false, hasPasskey: false, passkeyHost: 'sotto.example', hasPassword: has };
  const markup = renderToStaticMarkup(createElement(ProofForm, { factors, onProven: () => {} }));
  const ways = ['type="password"', 'log out and log in again', 'Log out and log in again instead'];
  expect(ways.filter((way) => markup.includes(way))).toEqual(offered);
});
