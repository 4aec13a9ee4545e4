import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { SessionProvider } from '../../identity/session-provider.tsx';
import { ToastProvider } from '../../ui/layers/toast.tsx';
import { ProofForm } from './proof-form.tsx';

test.each([
  [true, ['type="password"']],
  [false, ['log out and log in again']],
  [null, ['type="password"', 'Log out and log in again instead']],
])('without a second factor and with a password: %s, the form offers what can confirm the identity', (has, offered) => {
  const factors = { hasApp: false, hasPasskey: false, passkeyHost: 'sotto.example', hasPassword: has };
  const session = {
    user: null,
    identity: { provider: 'built-in', social: [], isLocal: false },
    transportKey: null,
    siteName: 'Sotto',
    appLinks: {},
    loadModals: () => import('../../shell/account-modals.tsx'),
    children: createElement(ProofForm, { factors, onProven: () => {} }),
  } as const;
  const Component = () => createElement(ToastProvider, null, createElement(SessionProvider, session));
  const markup = renderToStaticMarkup(createElement(createRoutesStub([{ path: '/', Component }])));
  const ways = ['type="password"', 'log out and log in again', 'Log out and log in again instead'];
  expect(ways.filter((way) => markup.includes(way))).toEqual(offered);
});
