import { beforeEach, expect, test } from 'vitest';
import { answerCalls, refusal } from '#test/support/components/calls.ts';
import type { ReceivedCall } from '#test/support/components/calls.ts';
import { chunkBytes } from '#offline/chunks.ts';
import { readLicence } from '#offline/licence.ts';
import type { KeptTrack } from '#offline/records.ts';
import { tabDownloads } from './tab-downloads.ts';

const call = '/v1/api/user/offline-devices';

function trackOf(id: string): KeptTrack {
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

beforeEach(async () => {
  site('u1');
  await tabDownloads.leave();
  await atRest();
});

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
  await tabDownloads.leave();
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
