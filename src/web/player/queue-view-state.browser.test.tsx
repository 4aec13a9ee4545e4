import { Link } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { QueueViewProvider, queueButtonId, queueHeadingId, useQueueView } from './queue-view-state.tsx';

function Page() {
  const { isOpen, open, close, expand, collapse } = useQueueView();
  return (
    <>
      {isOpen ? (
        <h1 id={queueHeadingId} tabIndex={-1}>
          Your Queue
        </h1>
      ) : (
        <main style={{ height: 3000, paddingTop: 1000 }}>
          <button type="button" onClick={open}>
            Open here
          </button>
          <Link to="?tab=second" preventScrollReset>
            Second tab
          </Link>
        </main>
      )}
      <div style={{ position: 'fixed', bottom: 0 }}>
        <button type="button" id={queueButtonId} onClick={isOpen ? close : open}>
          Queue
        </button>
        <button type="button" onClick={expand}>
          Expand
        </button>
        <button type="button" onClick={collapse}>
          Collapse
        </button>
      </div>
    </>
  );
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = () => page.getByRole('link', { name: 'Second tab' });
const heading = () => page.getByRole('heading', { name: 'Your Queue' });

beforeEach(async () => {
  // As the router sets it on every page.
  window.history.scrollRestoration = 'manual';
  mountInSite(
    <QueueViewProvider>
      <Page />
    </QueueViewProvider>,
    { user: listener },
  );
  await expect.element(button('Queue')).toBeVisible();
});

afterEach(() => void (window.history.scrollRestoration = 'auto'));

test('the queue has the focus, and a page that it gives back is where it was, with its focus', async () => {
  window.scrollTo({ top: 700, behavior: 'instant' });
  (button('Queue').element() as HTMLElement).focus();
  await button('Queue').click();
  await expect.element(heading()).toHaveFocus();
  await expect.poll(() => window.scrollY).toBe(0);
  await button('Queue').click();
  await expect.element(button('Queue')).toHaveFocus();
  await expect.poll(() => window.scrollY).toBe(700);
});

test('the focus goes to the queue’s button when what opened it is gone', async () => {
  window.scrollTo({ top: 700, behavior: 'instant' });
  await button('Open here').click();
  await expect.element(heading()).toHaveFocus();
  await button('Queue').click();
  await expect.poll(() => heading().query()).toBeNull();
  await expect.element(button('Queue')).toHaveFocus();
});

test('a page that follows keeps its own place and focus, although the player was opened on the former one', async () => {
  await button('Expand').click();
  await button('Collapse').click();
  window.scrollTo({ top: 700, behavior: 'instant' });
  await link().click();
  await expect.poll(() => new URL((link().element() as HTMLAnchorElement).href).search).toBe('?tab=second');
  await expect.element(link()).toHaveFocus();
  await expect.poll(() => window.scrollY).toBe(700);
});
