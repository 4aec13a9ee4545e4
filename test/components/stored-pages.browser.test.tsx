import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ReceivedCall, answerCalls } from '#test/support/components/calls.ts';
import { licenceFor } from '#test/support/components/signed-licence.ts';
import { read, clearAll, write } from '#offline/database.ts';
import { removeAllFiles } from '#offline/files.ts';
import { type DownloadRecord, removeRecord, writeRecord } from '#offline/records.ts';
import { readKey } from '#offline/sealing.ts';
import { readAudioPage, storeAudioPages } from '../../src/service-worker/stored-audio-pages.ts';
import { hasFreshPage, readPage, storePage } from '../../src/service-worker/stored-page.ts';

const build = 'b1';
let key: CryptoKey;
let calls: ReceivedCall[];

beforeEach(async () => {
  await clearAll('');
  await removeAllFiles();
  key = (await readKey({ create: true })) ?? expect.fail();
  await licenceFor(60);
  calls = answerCalls(
    Object.fromEntries(
      ['/audio/rain', '/audio/sea', '/library/downloads'].flatMap((path) => [
        [`GET ${path}`, () => html(`<html><h1>${path} of b1</h1></html>`)],
        [`GET ${path}.data`, () => new Response(`data of ${path}`, { headers: { 'content-type': 'text/x-script' } })],
      ]),
    ),
  );
});

afterEach(() => vi.useRealTimers());

function html(text: string, status = 200): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'text/html', 'content-security-policy': "script-src 'self'", 'x-other': 'not kept' },
  });
}

async function keep(slug: string, state: DownloadRecord['state'] = 'kept'): Promise<void> {
  const track = { id: slug, slug, title: slug, imageUrl: null, audioFileUrl: '/x', numberDuration: 1, color: null };
  const voice = { id: 'v1', name: 'Nora', slug: 'nora' };
  await writeRecord(key, { id: `kept-${slug}`, track: { ...track, isFree: true, voice }, state, addedAt: 1 });
}

const everyPage = () => true;
const textOf = async (slug: string, { isData = false, of = build } = {}) =>
  (await readAudioPage(of, { slug, isData }))?.text();

describe('the page of a downloaded audio', () => {
  test('is its own, as a document with its policy and as data', async () => {
    await keep('rain');
    await keep('sea');
    await storeAudioPages(build, everyPage);
    expect(await textOf('rain')).toBe('<html data-kept><h1>/audio/rain of b1</h1></html>');
    expect(await textOf('sea')).toBe('<html data-kept><h1>/audio/sea of b1</h1></html>');
    expect(await textOf('sea', { isData: true })).toBe('data of /audio/sea');
    const answer = await readAudioPage(build, { slug: 'rain', isData: false });
    expect([...(answer?.headers ?? [])]).toEqual([
      ['content-security-policy', "script-src 'self'"],
      ['content-type', 'text/html'],
    ]);
  });

  test('is given for no other audio', async () => {
    await keep('rain');
    await keep('sea', 'loading');
    await storeAudioPages(build, everyPage);
    expect(await textOf('sea')).toBeUndefined();
    expect(await textOf('wind')).toBeUndefined();
    expect(calls.map(({ path }) => path)).toEqual(['/audio/rain', '/audio/rain.data']);
  });

  test('is given to no other build, whose files it would lack', async () => {
    await keep('rain');
    await storeAudioPages(build, everyPage);
    expect(await textOf('rain', { of: 'b2' })).toBeUndefined();
    await storeAudioPages('b2', everyPage);
    expect(await textOf('rain', { of: 'b2' })).toContain('/audio/rain');
    expect(await textOf('rain')).toBeUndefined();
  });

  test('is not stored when the site already answers with another build', async () => {
    await keep('rain');
    await storeAudioPages(build, (page) => page.includes('of b2'));
    expect(await textOf('rain')).toBeUndefined();
  });

  test('is asked for once, while it is fresh', async () => {
    await keep('rain');
    await storeAudioPages(build, everyPage);
    await storeAudioPages(build, everyPage);
    expect(calls).toHaveLength(2);
  });

  test('is asked for again after a week', async () => {
    await keep('rain');
    vi.useFakeTimers({ toFake: ['Date'] });
    await storeAudioPages(build, everyPage);
    const week = 7 * 24 * 60 * 60 * 1000;
    vi.setSystemTime(Date.now() + week - 1000);
    await storeAudioPages(build, everyPage);
    expect(calls).toHaveLength(2);
    vi.setSystemTime(Date.now() + 1000);
    await storeAudioPages(build, everyPage);
    expect(calls).toHaveLength(4);
  });

  test.each(['/audio/rain', '/audio/rain.data'])('is not stored when the site fails with %s', async (failing) => {
    await keep('rain');
    answerCalls({
      'GET /audio/rain': () => html('<html>of b1</html>'),
      'GET /audio/rain.data': () => new Response('data'),
      [`GET ${failing}`]: () => html('<html>of b1, an error</html>', 503),
    });
    await storeAudioPages(build, everyPage);
    expect(await textOf('rain')).toBeUndefined();
  });

  test('is not given while its sound is downloaded again', async () => {
    await keep('rain');
    await storeAudioPages(build, everyPage);
    await keep('rain', 'waiting');
    expect(await textOf('rain')).toBeUndefined();
  });

  test('needs a licence of this site that has not ended', async () => {
    await keep('rain');
    await storeAudioPages(build, everyPage);
    await licenceFor(-1);
    expect(await textOf('rain')).toBeUndefined();
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
    await licenceFor(60, await crypto.subtle.exportKey('jwk', privateKey));
    expect(await textOf('rain')).toBeUndefined();
    await licenceFor(60);
    expect(await textOf('rain')).toContain('/audio/rain');
  });

  test('is not stored when its download is removed meanwhile, or all of them at a log-out', async () => {
    for (const remove of [() => removeRecord('kept-rain'), () => clearAll('')]) {
      await keep('rain');
      answerCalls({
        'GET /audio/rain': async () => {
          await remove();
          return html('<html>Of the former user</html>');
        },
        'GET /audio/rain.data': () => new Response('data'),
      });
      await storeAudioPages(build, everyPage);
      expect(await (await caches.open('kept')).keys()).toEqual([]);
    }
  });

  test('goes with the download', async () => {
    await keep('rain');
    await storeAudioPages(build, everyPage);
    await removeRecord('kept-rain');
    expect(await textOf('rain')).toBeUndefined();
  });
});

describe('the page with which the app starts', () => {
  test('is the list of downloads, and fresh for its build', async () => {
    await storePage(build, everyPage);
    expect(await (await readPage())?.text()).toBe('<html><h1>/library/downloads of b1</h1></html>');
    expect(await hasFreshPage(build)).toBe(true);
    expect(await hasFreshPage('b2')).toBe(false);
  });

  test('stays when the site answers with an error or another build', async () => {
    await storePage(build, everyPage);
    const answers = [
      ['an error', () => html('<html>Maintenance</html>', 503), everyPage],
      ['another build', () => html('<html>of b2</html>'), (page: string) => page.includes('of b1')],
    ] as const;
    for (const [name, answer, isUsable] of answers) {
      answerCalls({ 'GET /library/downloads': answer });
      await storePage(build, isUsable);
      expect(await (await readPage())?.text(), name).toContain('/library/downloads of b1');
    }
  });

  test('is not stored after a log-out, which took the key', async () => {
    answerCalls({
      'GET /library/downloads': async () => {
        await clearAll('');
        return html('<html>Of the former user</html>');
      },
    });
    await storePage(build, everyPage);
    expect(await read('state', 'page')).toBeUndefined();
    expect(await readPage()).toBeUndefined();
  });

  test('is no longer fresh after ten minutes', async () => {
    await storePage(build, everyPage);
    const page = await read<object>('state', 'page');
    await write('state', 'page', { ...page, storedAt: Date.now() - 10 * 60 * 1000 - 1 });
    expect(await hasFreshPage(build)).toBe(false);
  });
});
