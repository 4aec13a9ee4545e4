import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mountInSite } from '#test/support/components/mount.tsx';
import Account from './account.tsx';

const pages = {
  visitor: { kind: 'visitor' },
  incomplete: { kind: 'incomplete', hasPassword: false, loss: null, deletion: null },
} as const;
let show: ((kind: keyof typeof pages) => void) | undefined;

function Page() {
  const [kind, setKind] = useState<keyof typeof pages>('visitor');
  useEffect(() => {
    show = setKind;
  }, []);
  return (
    <>
      <button type="button">Elsewhere</button>
      <main id="main">
        <Account {...({ loaderData: pages[kind] } as Parameters<typeof Account>[0])} />
      </main>
    </>
  );
}

test('a log-in that replaces the page moves the focus to its heading, unless it is elsewhere', async () => {
  mountInSite(<Page />);
  await expect.poll(() => show).toBeDefined();
  ((await page.getByRole('button', { name: 'Log in' }).findElement()) as HTMLElement).focus();
  show?.('incomplete');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Choose a username' })).toHaveFocus();
  (page.getByRole('button', { name: 'Elsewhere' }).element() as HTMLElement).focus();
  show?.('visitor');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
});
