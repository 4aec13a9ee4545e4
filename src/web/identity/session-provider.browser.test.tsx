import { useEffect } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Me } from '#domain/identity/accounts.ts';
import { answerCalls } from '#test/support/components/calls.ts';
import { dataFor, keepToken, listener, mountInSite } from '#test/support/components/mount.tsx';
import { loggedOutEvent } from '../logged-out.ts';
import { type Session, useSession } from './session-provider.tsx';

/** As the site knows it. */
let user: Me | null;
let loads: number;
let session: Session;
let isReady: boolean;
const other = { ...listener, id: 'u2', username: 'mira' };

beforeEach(() => {
  user = null;
  loads = 0;
  answerCalls({ 'POST /v1/api/auth/logout': () => undefined });
});

function Page() {
  const current = useSession();
  useEffect(() => {
    session = current;
    isReady = true;
  });
  return <p data-testid="user">{current.user?.username ?? 'visitor'}</p>;
}

async function open(first: Me | null = null): Promise<void> {
  user = first;
  isReady = false;
  mountInSite(<Page />, {
    user: first,
    load() {
      loads += 1;
      return dataFor(user);
    },
  });
  // It listens once its effects have run.
  await expect.poll(() => isReady).toBe(true);
  await expect.element(shown()).toHaveTextContent(first?.username ?? 'visitor');
  loads = 0;
}

const shown = () => page.getByTestId('user');

test('a log-in reloads the page’s data, so that the page is the user’s', async () => {
  await open();
  user = listener;
  session.adopt({ token: 'token-of-u1', user: listener });
  await expect.element(shown()).toHaveTextContent('nora');
  expect(loads).toBe(1);
});

test('another user’s log-in in another tab reloads it too', async () => {
  await open(listener);
  user = other;
  keepToken(other.id);
  window.dispatchEvent(new StorageEvent('storage', { key: 'sotto.session' }));
  await expect.element(shown()).toHaveTextContent('mira');
});

test('a log-out reloads it, and forgets the token', async () => {
  await open(listener);
  user = null;
  await session.logOut();
  await expect.element(shown()).toHaveTextContent('visitor');
  expect(localStorage.getItem('sotto.session') ?? '').not.toContain('token-of-u1');
});

test('a page that keeps its data at a log-out is not reloaded, but at a log-in it is', async () => {
  const keep = (event: Event) => event.preventDefault();
  window.addEventListener(loggedOutEvent, keep);
  await open(listener);
  session.ended();
  session.adopt({ token: 'token-of-u2', user: (user = other) });
  await expect.element(shown()).toHaveTextContent('mira');
  window.removeEventListener(loggedOutEvent, keep);
  expect(loads).toBe(1);
});
