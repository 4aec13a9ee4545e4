import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { chunkBytes } from '#offline/chunks.ts';
import { clearAll } from '#offline/database.ts';
import { removeAllFiles } from '#offline/files.ts';
import { readLicence } from '#offline/licence.ts';
import { readPositions, type DownloadRecord, type DownloadTrack, readRecords, writeRecord } from '#offline/records.ts';
import { readKey } from '#offline/sealing.ts';
import { createTestPlayer } from '#test/support/player/fake-player.ts';
import { downloadedSound } from './downloaded-sound.ts';
import { openDownloads, tabDownloads } from './tab-downloads.ts';

const call = '/v1/api/user/offline-devices';

function trackOf(id: string): DownloadTrack {
  const voice = { id: 'v1', name: 'Nora', slug: 'nora' };
  const address = `/media/audios/${id}`;
  return {
    id,
    slug: id,
    title: id,
    imageUrl: null,
    audioFileUrl: address,
    numberDuration: 1,
    color: null,
    isFree: true,
    voice,
  };
}

/** As the site signs it, but without a signature, which only the service worker checks. */
function licenceOf(userId: string) {
  const part = btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }));
  return { deviceId: `device-of-${userId}`, userId, licence: `x.${part}.x`, serverTime: new Date().toISOString() };
}

const sound = (bytes: BodyInit = new Uint8Array(10)) =>
  new Response(bytes, { headers: { 'content-length': '10', etag: '"x"', 'content-type': 'audio/mpeg' } });

/** A site with two audios and the device of this user. */
function site(userId: string, more: Parameters<typeof answerCalls>[0] = {}): ReceivedCall[] {
  const device = `${call}/device-of-${userId}`;
  return answerCalls({
    [`POST ${call}`]: () => licenceOf(userId),
    [`GET ${call}`]: () => ({ items: [] }),
    [`POST ${device}/licence`]: () => ({ ...licenceOf(userId), gone: [] }),
    [`DELETE ${device}`]: () => undefined,
    ...Object.fromEntries(
      ['rain', 'sea'].flatMap((id) => [
        [`GET /media/audios/${id}`, () => sound()],
        [`GET /v1/api/audios/${id}/transcript`, () => refusal(404, 'request/not-found')],
        [`GET /v1/api/audios/${id}/chapters`, () => ({ chapters: [] })],
      ]),
    ),
    ...more,
  });
}

const states = () => tabDownloads.getSnapshot().items.map(({ track, state }) => `${track.id} ${state}`);
const asked = (calls: ReceivedCall[], path: string) => calls.filter((one) => one.path === path).length;

async function keep(...ids: string[]): Promise<void> {
  expect(await tabDownloads.add(ids.map(trackOf))).toMatchObject({ ok: true });
  await expect.poll(states).toEqual(ids.map((id) => `${id} kept`));
}

/** Downloading and what belongs to it has ended in this tab. */
const atRest = () => navigator.locks.request('kept-downloads', () => {});

async function files(): Promise<string[]> {
  const requests = (await caches.has('kept')) ? await (await caches.open('kept')).keys() : [];
  return requests.map(({ url }) => new URL(url).pathname);
}

const device = `${call}/device-of-u1`;
const keyOf = async () => (await readKey()) ?? expect.fail();
const isOnline = (is: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is);
const dayMs = 24 * 60 * 60 * 1000;

let later = 0;

/** As another tab writes it. @returns what that tab tells the others */
async function fallbackUrl(id: string, changed: Partial<DownloadRecord>): Promise<() => void> {
  const record = (await readRecords(await keyOf())).find(({ track }) => track.id === id);
  await writeRecord(await keyOf(), {
    id: `kept-${id}`,
    track: trackOf(id),
    state: 'waiting',
    addedAt: Date.now() + (later += 1000),
    ...record,
    ...changed,
  });
  return () => {
    const channel = new BroadcastChannel('kept');
    channel.postMessage('changed');
    channel.close();
  };
}

/** Counts this tab's messages to the others while `act` runs. */
async function told(act: () => Promise<unknown>): Promise<number> {
  const channel = new BroadcastChannel('kept');
  let count = 0;
  channel.addEventListener('message', () => (count += 1));
  await act();
  // Messages come in order.
  const last = new BroadcastChannel('kept');
  const before = count;
  last.postMessage('last');
  await expect.poll(() => count).toBeGreaterThan(before);
  channel.close();
  last.close();
  return count - 1;
}

afterEach(() => vi.useRealTimers());

async function removeAll(): Promise<void> {
  site('u1');
  await tabDownloads.logOut();
  await atRest();
}
beforeEach(removeAll);
afterAll(removeAll);

test('the user’s own downloads stay, those of another user are deleted', async () => {
  await keep('rain');
  await tabDownloads.open('u1');
  expect(states()).toEqual(['rain kept']);
  for (const other of ['u2', null]) {
    await keep('rain');
    await tabDownloads.open(other);
    expect(tabDownloads.getSnapshot()).toMatchObject({ items: [], ended: 'logged-out', verdict: 'none' });
    expect([await files(), await readLicence()]).toEqual([[], undefined]);
  }
});

test('a sound that the site refuses is asked for once', async () => {
  const calls = site('u1', { 'GET /media/audios/rain': () => refusal(402, 'subscription/required') });
  await tabDownloads.add([trackOf('rain')]);
  await expect.poll(states).toEqual(['rain failed']);
  expect(tabDownloads.getSnapshot().items[0]?.failure).toBe('refused');
  expect(asked(calls, '/media/audios/rain')).toBe(1);
});

test('a sound that does not come is asked for again, and then kept', async () => {
  let answers = 0;
  site('u1', {
    'GET /media/audios/rain': () =>
      (answers += 1) === 1 ? new Response('<h1>Maintenance</h1>', { status: 503 }) : sound(),
  });
  await keep('rain');
  expect(answers).toBe(2);
});

test('a part that is written while its download is removed does not stay', async () => {
  await keep('sea');
  const [disk, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const put = Cache.prototype.put;
  Cache.prototype.put = async function slowly(...args) {
    written.resolve();
    await disk.promise;
    return put.apply(this, args);
  };
  try {
    await tabDownloads.add([trackOf('rain')]);
    await written.promise;
    const { id = '' } = tabDownloads.find('rain') ?? {};
    await tabDownloads.remove(id);
    disk.resolve();
    await atRest();
    expect(states()).toEqual(['sea kept']);
    expect((await files()).filter((path) => path.includes(id))).toEqual([]);
    expect(await files()).toHaveLength(1);
  } finally {
    Cache.prototype.put = put;
  }
});

test('a renewal that is answered after a log-out gives no licence back', async () => {
  await keep('rain');
  const answer = Promise.withResolvers<object>();
  const begun = Promise.withResolvers<void>();
  const renewal = `POST ${call}/device-of-u1/licence`;
  const late = () => {
    begun.resolve();
    return answer.promise;
  };
  site('u1', { [renewal]: late });
  await tabDownloads.open('u1');
  await begun.promise;
  await tabDownloads.logOut();
  const calls = site('u2');
  await keep('sea');
  answer.resolve({ ...licenceOf('u1'), gone: [] });
  // Everything that the answer leads to is behind this.
  await expect.poll(() => asked(calls, '/media/audios/sea')).toBe(1);
  await atRest();
  expect(await readLicence()).toMatchObject({ userId: 'u2', deviceId: 'device-of-u2' });
});

test('a licence that the site ends for its subscription frees the device, other ends do not', async () => {
  for (const [status, code, ended, freed] of [
    [402, 'subscription/required', 'no-subscription', 1],
    [404, 'request/not-found', 'device-removed', 0],
    [401, 'auth/login-required', 'logged-out', 0],
  ] as const) {
    site('u1');
    await keep('rain');
    const calls = site('u1', { [`POST ${call}/device-of-u1/licence`]: () => refusal(status, code) });
    await tabDownloads.open('u1');
    await expect.poll(() => tabDownloads.getSnapshot().ended).toBe(ended);
    expect([code, await files(), calls.filter(({ method }) => method === 'DELETE').length]).toEqual([code, [], freed]);
  }
});

test('an audio that is gone loses its sound and says so, the others stay', async () => {
  await keep('rain', 'sea');
  const { id = '' } = tabDownloads.find('rain') ?? {};
  site('u1', { [`POST ${call}/device-of-u1/licence`]: () => ({ ...licenceOf('u1'), gone: ['rain'] }) });
  await tabDownloads.open('u1');
  await expect.poll(states).toEqual(['rain failed', 'sea kept']);
  await atRest();
  expect((await files()).filter((path) => path.includes(id))).toEqual([]);
  expect(tabDownloads.find('rain')).toMatchObject({ failure: 'refused' });
});

test('an audio whose performer refuses downloads afterwards loses its sound, with that reason', async () => {
  await keep('rain', 'sea');
  const answer = () => ({ ...licenceOf('u1'), gone: ['rain'], streamOnly: ['rain'] });
  site('u1', { [`POST ${call}/device-of-u1/licence`]: answer });
  await tabDownloads.open('u1');
  await expect.poll(states).toEqual(['rain failed', 'sea kept']);
  await atRest();
  const rain = tabDownloads.find('rain');
  expect((await files()).filter((path) => path.includes(rain?.id ?? '-'))).toEqual([]);
  expect(rain).toMatchObject({ failure: 'stream-only' });
});

test.each([0, 1])('a file whose part %i the browser deleted is downloaded again', async (part) => {
  const bytes = new Uint8Array(chunkBytes + 10);
  const headers = { 'content-length': String(bytes.length), etag: '"x"', 'content-type': 'audio/mpeg' };
  const calls = site('u1', {
    'GET /media/audios/rain': () => new Response(bytes, { headers }),
    'GET /images/rain': () => new Response('a picture', { headers: { 'content-type': 'image/webp' } }),
  });
  expect(await tabDownloads.add([{ ...trackOf('rain'), imageUrl: '/images/rain' }])).toMatchObject({ ok: true });
  const own = () => `/kept/${tabDownloads.find('rain')?.id}`;
  const whole = () => ['0', '1', 'cover'].map((one) => `${own()}/${one}`);
  await expect.poll(async () => (await files()).toSorted()).toEqual(whole());
  await atRest();
  await (await caches.open('kept')).delete(`${own()}/${part}`);
  await tabDownloads.open('u1');
  await expect.poll(() => asked(calls, '/media/audios/rain')).toBe(2);
  await expect.poll(async () => (await files()).toSorted()).toEqual(whole());
  expect(states()).toEqual(['rain kept']);
  await tabDownloads.open('u1');
  await atRest();
  expect(asked(calls, '/media/audios/rain')).toBe(2);
});

test('the device is freed with its last download, not before', async () => {
  await keep('rain', 'sea');
  const calls = site('u1');
  const freed = () => calls.filter(({ method }) => method === 'DELETE').length;
  await tabDownloads.remove(tabDownloads.find('rain')?.id ?? '');
  expect([states(), freed()]).toEqual([['sea kept'], 0]);
  await tabDownloads.remove(tabDownloads.find('sea')?.id ?? '');
  expect([states(), freed(), await readLicence(), await files()]).toEqual([[], 1, undefined, []]);
});

test('what failed for its network is downloaded again when the app opens, what was refused or paused is not', async () => {
  await keep('sea');
  await fallbackUrl('rain', { state: 'failed', failure: 'network' });
  for (const id of ['gone', 'held'])
    await fallbackUrl(
      id,
      id === 'gone' ? { state: 'failed', failure: 'refused' } : { state: 'paused', failure: 'network' },
    );
  await tabDownloads.open('u1');
  await expect.poll(states).toEqual(['sea kept', 'rain kept', 'gone failed', 'held paused']);
});

test('what failed for its network is tried again after an answer of the site, once a minute', async () => {
  await keep('sea');
  vi.useFakeTimers({ toFake: ['Date'] });
  const calls = site('u1');
  async function failAgain(): Promise<void> {
    await atRest();
    const tell = await fallbackUrl('rain', { state: 'failed', failure: 'network' });
    tell();
    await expect.poll(states).toEqual(['sea kept', 'rain failed']);
  }
  await failAgain();
  vi.setSystemTime(Date.now() + 61_000);
  expect(await told(() => tabDownloads.siteAnswered())).toBeGreaterThan(0);
  await expect.poll(states).toEqual(['sea kept', 'rain kept']);
  const [first] = [asked(calls, '/media/audios/rain')];
  await failAgain();
  vi.setSystemTime(Date.now() + 59_000);
  await tabDownloads.siteAnswered();
  expect(states()).toEqual(['sea kept', 'rain failed']);
  vi.setSystemTime(Date.now() + 2000);
  await tabDownloads.siteAnswered();
  await expect.poll(states).toEqual(['sea kept', 'rain kept']);
  expect(first).toBe(1);
});

test('a renewal without an answer is asked for again, and the downloads stay', async () => {
  await keep('rain');
  let answers = 0;
  const calls = site('u1', {
    [`POST ${device}/licence`]: () =>
      (answers += 1) === 1 ? new Response(null, { status: 502 }) : { ...licenceOf('u1'), gone: [] },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await tabDownloads.open('u1');
  await expect.poll(() => asked(calls, `${device}/licence`)).toBe(1);
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(1000);
      return asked(calls, `${device}/licence`);
    })
    .toBe(2);
  await atRest();
  await vi.advanceTimersByTimeAsync(dayMs);
  expect(asked(calls, `${device}/licence`)).toBe(2);
  expect(states()).toEqual(['rain kept']);
});

test('a tab that stays open renews the licence a day later, when it is shown, online and has downloads', async () => {
  await keep('rain');
  const calls = site('u1');
  vi.useFakeTimers({ toFake: ['Date'] });
  await tabDownloads.open('u1');
  const renewals = () => asked(calls, `${device}/licence`);
  const show = () => document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(renewals).toBe(1);
  await atRest();
  show();
  vi.setSystemTime(Date.now() + dayMs + 1);
  const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  show();
  visible.mockReturnValue('visible');
  const online = isOnline(false);
  show();
  await atRest();
  expect(renewals()).toBe(1);
  online.mockReturnValue(true);
  show();
  await expect.poll(renewals).toBe(2);
  await atRest();
  show();
  await atRest();
  expect(renewals()).toBe(2);
});

/** A sound that begins and goes on only by `go`. @returns whether its request was aborted */
function slowSound() {
  const [begun, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isCanceled = false;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(5)),
    async pull(controller) {
      begun.resolve();
      await rest.promise;
      if (isCanceled) return;
      controller.enqueue(new Uint8Array(5));
      controller.close();
    },
    cancel: () => void (isCanceled = true),
  });
  return { answer: () => sound(body as BodyInit), begun: begun.promise, go: rest.resolve };
}

test.each(['here', 'in another tab'])(
  'a download that is paused %s stops, stays paused, and continues when asked',
  async (where) => {
    await keep('sea');
    const slow = slowSound();
    site('u1', { 'GET /media/audios/rain': slow.answer });
    await tabDownloads.add([trackOf('rain')]);
    await slow.begun;
    const { id = '' } = tabDownloads.find('rain') ?? {};
    if (where === 'here') expect(await told(() => tabDownloads.pause(id))).toBeGreaterThan(0);
    else (await fallbackUrl('rain', { state: 'paused' }))();
    await expect.poll(states).toEqual(['sea kept', 'rain paused']);
    slow.go();
    await atRest();
    expect(states()).toEqual(['sea kept', 'rain paused']);
    site('u1');
    await tabDownloads.resume(id);
    await expect.poll(states).toEqual(['sea kept', 'rain kept']);
    await tabDownloads.pause(id);
    await tabDownloads.resume(id);
    expect(states()).toEqual(['sea kept', 'rain kept']);
  },
);

test('an audio that the site takes away while it loads stops loading', async () => {
  await keep('sea');
  const slow = slowSound();
  site('u1', {
    'GET /media/audios/rain': slow.answer,
    [`POST ${device}/licence`]: () => ({ ...licenceOf('u1'), gone: ['rain'] }),
  });
  await tabDownloads.add([trackOf('rain')]);
  await slow.begun;
  window.dispatchEvent(new Event('online'));
  await expect.poll(states).toEqual(['sea kept', 'rain failed']);
  slow.go();
  await atRest();
  expect(states()).toEqual(['sea kept', 'rain failed']);
  expect(await files()).toHaveLength(1);
});

test('on a full disk what loads and what waits is paused with the reason, and stored parts stay', async () => {
  await keep('sea');
  vi.spyOn(Cache.prototype, 'put').mockRejectedValue(new DOMException('Full', 'QuotaExceededError'));
  await tabDownloads.add(['rain', 'wind'].map(trackOf));
  await expect.poll(states).toEqual(['sea kept', 'rain paused', 'wind paused']);
  expect(tabDownloads.getSnapshot().items.map(({ failure }) => failure)).toEqual([undefined, 'no-space', 'no-space']);
  expect(await files()).toHaveLength(1);
});

test('a list that the disk has no room for is refused with the reason; another failure is none of the disk', async () => {
  await keep('sea');
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  put.mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  expect(await tabDownloads.add([trackOf('rain')])).toEqual({
    ok: false,
    message: 'No space left on this device. Nothing was downloaded.',
  });
  put.mockImplementation(() => {
    throw new DOMException('Closed', 'InvalidStateError');
  });
  await expect(tabDownloads.add([trackOf('rain')])).rejects.toThrow('Closed');
});

test('a cover that did not come is asked for again, and downloads are in the order of their list', async () => {
  const imageUrl = '/images/rain';
  let answers = 0;
  const picture = () =>
    (answers += 1) === 1
      ? new Response(null, { status: 503 })
      : new Response('a picture', { headers: { 'content-type': 'image/webp' } });
  const calls = site('u1', { [`GET ${imageUrl}`]: picture });
  await tabDownloads.add([{ ...trackOf('rain'), imageUrl }, trackOf('sea')]);
  await expect.poll(states).toEqual(['rain kept', 'sea kept']);
  await expect.poll(() => tabDownloads.find('rain')?.cover).toBe('image/webp');
  await tabDownloads.open('u1');
  await atRest();
  expect(asked(calls, imageUrl)).toBe(2);
});

test('a cover and a transcript that are not there are asked for once', async () => {
  const imageUrl = '/images/rain';
  const calls = site('u1', { [`GET ${imageUrl}`]: () => new Response(null, { status: 404 }) });
  await tabDownloads.add([{ ...trackOf('rain'), imageUrl }]);
  await expect.poll(states).toEqual(['rain kept']);
  await atRest();
  await tabDownloads.resume(tabDownloads.find('rain')?.id ?? expect.fail());
  await atRest();
  expect([asked(calls, imageUrl), asked(calls, '/v1/api/audios/rain/transcript')]).toEqual([1, 1]);
  expect(tabDownloads.find('rain')?.cover).toBeUndefined();
});

test('a transcript comes with its translations, and an older download has what it has', async () => {
  const languages = ['en', 'de'].map((code) => ({ code, name: code }));
  const answer = ({ query }: ReceivedCall) => ({ language: query.get('language') ?? 'en', cues: [], languages });
  site('u1', { 'GET /v1/api/audios/rain/transcript': answer });
  await keep('rain');
  const languageOf = (wanted: string) => downloadedSound.transcriptOf?.('rain', wanted)?.language;
  await expect.poll(() => ['de-AT', 'en', 'fr'].map(languageOf)).toEqual(['de', 'en', 'en']);
  const tell = await fallbackUrl('rain', { transcript: { language: 'en', cues: [] } });
  tell();
  await expect.poll(() => languageOf('de')).toBe('en');
  expect(downloadedSound.transcriptOf?.('rain', 'de')?.languages).toEqual([]);
});

test('chapters are stored with the sound, and asked for once', async () => {
  const chapters = [{ start: 0, title: 'At the door' }];
  const calls = site('u1', { 'GET /v1/api/audios/rain/chapters': () => ({ chapters }) });
  await keep('rain', 'sea');
  await atRest();
  expect(downloadedSound.chaptersOf?.('rain')).toEqual(chapters);
  expect(downloadedSound.chaptersOf?.('sea')).toEqual([]);
  expect(downloadedSound.chaptersOf?.('wind')).toBeUndefined();
  await tabDownloads.resume(tabDownloads.find('rain')?.id ?? expect.fail());
  await atRest();
  expect(asked(calls, '/v1/api/audios/rain/chapters')).toBe(1);
});

test('a browser that deleted everything downloads it again, or frees the device', async () => {
  await keep('rain', 'sea');
  for (const [answer, shown, freed] of [
    [undefined, ['rain kept', 'sea kept'], 0],
    [() => refusal(404, 'request/not-found'), [], 1],
  ] as const) {
    const found = (id: string) => ({ ...trackOf(id), contentTypeId: 'audio' });
    const calls = site('u1', {
      [`GET ${call}`]: () => ({
        items: [
          { id: 'other', isCurrent: false },
          { id: 'device-of-u1', isCurrent: true },
        ],
      }),
      ...Object.fromEntries(['rain', 'sea'].map((id) => [`GET /v1/api/audios/${id}`, answer ?? (() => found(id))])),
    });
    await clearAll('');
    await removeAllFiles();
    await tabDownloads.open('u1');
    await expect.poll(states).toEqual(shown);
    expect(tabDownloads.getSnapshot().ended).toBe('evicted');
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(freed);
    await atRest();
  }
  // It knows nothing of them any more.
  const calls = site('u1', { [`GET ${call}`]: () => ({ items: [{ id: 'device-of-u1', isCurrent: true }] }) });
  await tabDownloads.open('u1');
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${call}`, `DELETE ${device}`]);
});

test('what the browser deleted waits for the next visit while the site does not say what it was', async () => {
  await keep('rain', 'sea');
  const listed = { items: [{ id: 'device-of-u1', isCurrent: true }] };
  const found = (id: string) => ({ ...trackOf(id), contentTypeId: 'audio' });
  const calls = site('u1', {
    [`GET ${call}`]: () => listed,
    'GET /v1/api/audios/rain': () => refusal(503, 'server/unavailable'),
    'GET /v1/api/audios/sea': () => found('sea'),
  });
  await clearAll('');
  await removeAllFiles();
  await tabDownloads.open('u1');
  await atRest();
  expect([states(), calls.filter(({ method }) => method !== 'GET')]).toEqual([[], []]);
  site('u1', {
    [`GET ${call}`]: () => listed,
    ...Object.fromEntries(['rain', 'sea'].map((id) => [`GET /v1/api/audios/${id}`, () => found(id)])),
  });
  await tabDownloads.open('u1');
  await expect.poll(states).toEqual(['rain kept', 'sea kept']);
  await atRest();
});

test('the place of a download is kept for a start without a connection, that of another audio is not', async () => {
  await keep('rain');
  await tabDownloads.savePosition('rain', 12);
  await tabDownloads.savePosition('sea', 34);
  expect(tabDownloads.positions()).toEqual({ rain: 12 });
  expect(await readPositions()).toEqual({ rain: 12 });
  await tabDownloads.savePosition('rain', 0);
  expect(await readPositions()).toEqual({ rain: 0 });
  await tabDownloads.logOut();
  expect(tabDownloads.positions()).toEqual({});
});

test('offline nothing is loaded, and what waits begins when online', async () => {
  await keep('sea');
  const online = isOnline(false);
  const calls = site('u1');
  await tabDownloads.add([trackOf('rain')]);
  await atRest();
  expect(states()).toEqual(['sea kept', 'rain waiting']);
  expect(asked(calls, '/media/audios/rain')).toBe(0);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await expect.poll(states).toEqual(['sea kept', 'rain kept']);
});

test('a log-out tells the other tabs, and what is said about it ends with the next download', async () => {
  await keep('rain');
  expect(await told(() => tabDownloads.logOut())).toBeGreaterThan(0);
  expect(tabDownloads.getSnapshot().ended).toBe('logged-out');
  await keep('sea');
  expect(tabDownloads.getSnapshot().ended).toBeUndefined();
});

test('a device that the site refuses downloads nothing, and gives the reason', async () => {
  site('u1', { [`POST ${call}`]: () => refusal(409, 'offline/too-many-devices', 'You have five devices.') });
  expect(await tabDownloads.add([trackOf('rain')])).toEqual({ ok: false, message: 'You have five devices.' });
  expect([states(), await readKey()]).toEqual([[], undefined]);
});

test('opening the downloads loads the stored copy of a sound that does not play, and leaves one that plays alone', async () => {
  await keep('rain');
  vi.spyOn(navigator.serviceWorker, 'controller', 'get').mockReturnValue({} as ServiceWorker);
  const { media, engine, player } = createTestPlayer();
  const resumePositions = { seed: () => {} };
  const open = () => openDownloads('u1', { engine, player, resumePositions, loadedFile: () => '/media/audios/rain' });
  engine.load('/media/audios/rain', { startAt: 20, autoplay: true });
  media.receiveFile(60);
  await open();
  expect(media.files).toEqual(['/media/audios/rain']);
  engine.pause();
  await open();
  expect(media.files).toEqual(['/media/audios/rain', `/kept/${tabDownloads.find('rain')?.id}/sound`]);
  media.receiveFile(60);
  expect([engine.getPosition(), engine.getSnapshot().status]).toEqual([20, 'paused']);
  await atRest();
});
