import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { storeExtras } from '#offline/download-file.ts';
import { readKey } from '#offline/sealing.ts';
import { browserLimits } from '#player/browser-limits.ts';
import { createWarmUp } from '#player/media/warm-up.ts';
import { createWholeFile } from '#player/media/whole-file.ts';
import { silent } from '#test/support/browser-calls.ts';
import { neverAnswer } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { answerOf, api, onManyAudios, preloadApi } from '#web/api.ts';
import { firebaseProvider } from '#web/identity/firebase-provider.ts';
import { useSession } from '#web/identity/session-provider.tsx';
import { createChunkCheck } from '#web/load-chunk.ts';
import { InvoiceDownload } from '#web/membership/invoices/invoice-download.tsx';
import { turnPushOn } from '#web/notifications/push-browser.ts';
import { FiguresDownload } from '#web/studio/figures/figures-download.tsx';
import { timedFetch } from '#player/timed-fetch.ts';
import { builtFilesOf } from '../../src/service-worker/built-files.ts';
import { forward } from '../../src/service-worker/forward.ts';
import { renewSubscription } from '../../src/service-worker/push.ts';
import { fetchUncached } from '../../src/service-worker/stored-page.ts';

/** Calls that need no site to be silent; test/e2e/silent-peers.e2e.ts has the others. */

let asked: string[];

beforeEach(async () => {
  await preloadApi();
  asked = neverAnswer();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => vi.useRealTimers());

/** Its outcome, which it has at its limit and not before. */
async function atLimit<Outcome>(act: () => Promise<Outcome>, limitMs: number): Promise<Outcome | Error> {
  let outcome: Outcome | Error | undefined;
  void act().then(
    (value) => (outcome = value),
    (error: Error) => (outcome = error),
  );
  // Its limit begins once the browser’s storage has answered, which no fake clock hurries.
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(limitMs - 1000);
  expect(outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2000);
  await expect.poll(() => outcome).toBeDefined();
  return outcome ?? expect.fail();
}

/** Presses the button, and sees the notice at the limit and not before. */
async function seeNotice(name: string, path: string, text: string, limitMs: number): Promise<void> {
  await page.getByRole('button', { name }).click();
  await expect.poll(() => asked).toContain(path);
  const notice = page.getByText(text).first();
  await vi.advanceTimersByTimeAsync(limitMs - 1000);
  expect(notice.query()).toBeNull();
  await vi.advanceTimersByTimeAsync(2000);
  await expect.element(notice).toBeVisible();
  await expect.element(page.getByRole('button', { name })).toBeEnabled();
}

test(`${silent('an invoice')} ends with a notice`, async () => {
  mountInSite(<InvoiceDownload invoice={{ id: 'i1', number: '7' }} />, { user: listener });
  await seeNotice('Download PDF', '/v1/api/user/invoices/i1/pdf', 'No internet connection', browserLimits.file);
});

test(`${silent('figures')} ends with a notice`, async () => {
  mountInSite(<FiguresDownload voice="v1" search="?days=7" label="Plays as CSV" />, { user: listener });
  await seeNotice('Plays as CSV', '/v1/api/voices/v1/figures.csv', 'No internet connection', browserLimits.file);
});

test(`${silent('changes of all audios of a creator, category or tag')} ends as no connection`, async () => {
  const remove = () => answerOf(api.admin.tags[':id'].$delete({ param: { id: 't1' } }, onManyAudios));
  expect(await atLimit(remove, browserLimits.file)).toMatchObject({ ok: false, code: 'network' });
});

function LogOut() {
  const { logOut } = useSession();
  return (
    <button type="button" onClick={() => void logOut()}>
      Log out
    </button>
  );
}

test(`${silent('a log-out')} logs this device out, and its next page ends the session`, async () => {
  mountInSite(<LogOut />, { user: listener });
  const notice = 'The site could not be reached. You are logged out on this device.';
  await seeNotice('Log out', '/v1/api/auth/logout', notice, browserLimits.logOut);
  expect(localStorage.getItem('sotto.session')).toBeNull();
  expect(document.cookie).toContain('sotto_left=1');
  document.cookie = 'sotto_left=; max-age=0; path=/';
});

const firebase = firebaseProvider({
  provider: 'firebase',
  apiKey: 'key',
  authDomain: 'demo-sotto.firebaseapp.com',
  projectId: 'demo-sotto',
  emulatorUrl: null,
  social: ['google', 'facebook'],
});
const lost = { ok: false, code: 'auth/network-request-failed' };

test.each([
  ['a log-in', () => firebase.signInWithPassword('a@b.example', 'x')],
  ['a reset of the password', () => firebase.sendPasswordReset('a@b.example')],
] as const)(`${silent('a call of Firebase')} ends as no connection: %s`, async (_name, act) => {
  expect(await atLimit(act, browserLimits.call)).toEqual(lost);
});

test.each(['google', 'facebook'] as const)(
  `${silent('what Firebase loads before its window')} ends as no connection: %s`,
  async (provider) => {
    // The script's server accepts the connection.
    const scripts = vi.spyOn(document.head, 'appendChild').mockImplementation((script) => script);
    expect(await atLimit(() => firebase.signInWith(provider), browserLimits.call)).toEqual(lost);
    for (const [script] of scripts.mock.calls) expect(script).toMatchObject({ src: /^https:\/\/apis\.google\.com\// });
  },
);

test(`${silent('turning push on')} ends with a message, and changes nothing`, async () => {
  // This page has no worker, so none is ever ready.
  vi.spyOn(Notification, 'requestPermission').mockResolvedValue('granted');
  expect(await atLimit(() => turnPushOn('key'), browserLimits.asset)).toEqual({
    state: 'off',
    problem: 'This browser could not turn on push notifications. Nothing was changed.',
  });
});

test(`${silent('a new endpoint of the push service')} is given up, and the next page registers it`, async () => {
  const pushManager = { subscribe: () => expect.fail('nobody is known to be logged in') };
  expect(await atLimit(() => renewSubscription(pushManager, {}), browserLimits.call)).toBeInstanceOf(Error);
});

test(`${silent('code that loads late')} fails, and is asked for again by the next press`, async () => {
  const check = createChunkCheck(timedFetch);
  for (let press = 1; press <= 2; press += 1) {
    expect(await atLimit(() => check(['/assets/late.js']), browserLimits.call)).toBeInstanceOf(Error);
    expect(asked.filter((path) => path === '/assets/late.js')).toHaveLength(press);
  }
});

test(`${silent('a page without a stored one')} fails after half a minute, when the offline page takes its place`, async () => {
  const request = new Request('/blog');
  expect(await atLimit(() => forward(request, async () => false), browserLimits.document)).toBeInstanceOf(Error);
  // Or when the storage fails.
  const broken = () => forward(request, () => Promise.reject(new Error('No storage')));
  expect(await atLimit(broken, browserLimits.document)).toBeInstanceOf(Error);
});

test(`${silent('a page that is being stored')} fails, and the stored one stays`, async () => {
  expect(await atLimit(() => fetchUncached('/library/downloads'), browserLimits.document)).toBeInstanceOf(Error);
});

test(`${silent('built files')} are stored the next time`, async () => {
  const files = builtFilesOf('silent');
  expect(await atLimit(() => files.addMissing(['/assets/a.js']), browserLimits.asset)).toBe(false);
  const request = new Request('/assets/a.js');
  expect(await atLimit(() => files.answer(request), browserLimits.asset)).toBeInstanceOf(Error);
  await caches.delete('sotto-shell-silent');
});

test(`${silent('a cover')} is asked for again later, and its audio is there`, async () => {
  const key = (await readKey({ create: true })) ?? expect.fail();
  const track = { id: 'a1', slug: 'rain', title: 'Rain', imageUrl: '/images/rain', audioFileUrl: '/x', color: null };
  const voice = { id: 'v1', name: 'Nora', slug: 'nora' };
  const audio = { id: 'k1', track: { ...track, numberDuration: 1, isFree: true, voice } };
  const keep = () =>
    storeExtras(key, audio, { findTranscript: async () => undefined, findChapters: async () => undefined });
  expect(await atLimit(keep, browserLimits.asset)).toEqual({ hasExtras: false });
});

test(`${silent('the beginning of a sound')} is given up`, async () => {
  const ends = Promise.withResolvers<string>();
  const warmUp = createWarmUp({
    fetch: (url, init) => timedFetch(url, init).finally(() => ends.resolve('ended')),
  });
  warmUp.warm('/media/audios/a1', false);
  expect(await atLimit(() => ends.promise, browserLimits.asset)).toBe('ended');
});

test(`${silent('silence within a file that is loaded whole')} counts as a lost connection`, async () => {
  const load = () =>
    new Promise((failed) => {
      const parts = { file: () => '/media/audios/a1', setUrl: expect.fail, reload: expect.fail };
      createWholeFile({ ...parts, failed: () => failed('failed') }).load();
    });
  expect(await atLimit(load, browserLimits.call)).toBe('failed');
  // It has begun, and goes no further.
  window.fetch = async () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(8)) }));
  expect(await atLimit(load, browserLimits.silence)).toBe('failed');
});
