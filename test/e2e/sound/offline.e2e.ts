/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectCleanForAxe, logOut } from '../../support/accounts.ts';
import { hydrated, mobile, sound, useBrowser } from '../../support/browser/browser.ts';
import {
  chooseDownload,
  keep,
  menuOf,
  openList,
  rowOf,
  seekTo,
  storedState,
  writtenTexts,
} from '../../support/browser/downloads.ts';
import { bar, call, nowPlaying, openAs, playing } from '../../support/listener.ts';

const browser = useBrowser();
const admin = { email: 'admin@sotto.example', password: 'adminadmin' };
/** A busy machine plays in real time, but does everything else slowly. */
const patience = 180_000;
const [first, second, later] = ['How Do I Love Thee? Let Me Count the Ways', 'Bright Star', 'Wild Nights'];

async function devicesOf(page: Page): Promise<{ id: string; isCurrent: boolean }[]> {
  const { status, data } = await call(page, 'GET', '/user/offline-devices');
  if (status !== 200) throw new Error(`The devices were answered with ${status}`);
  return (data as { items: { id: string; isCurrent: boolean }[] }).items;
}

const ownDevices = async (page: Page) => (await devicesOf(page)).filter(({ isCurrent }) => isCurrent);

/** Waits until this many audios have their sound, cover and page on the device. */
async function rowStored(page: Page, count: number): Promise<void> {
  const files = () => page.evaluate(async () => (await (await caches.open('kept')).keys()).length);
  await expect.poll(files, { timeout: 20_000 }).toBe(3 * count);
}

const kept = (page: Page) => page.evaluate(() => caches.has('kept'));

test(
  'offline the app starts, plays, seeks, continues and finishes; back online everything is counted once',
  async () => {
    const { page } = await openList(browser);
    await keep(page, [first, second]);
    await expectCleanForAxe(page, 'main');
    const texts = await writtenTexts(page);
    for (const word of ['How Do I', 'Bright', 'Maren', 'Saoirse', '"title"']) expect(texts).not.toContain(word);

    await page.addInitScript(() => {
      const send = window.fetch.bind(window);
      window.fetch = async (input, init) => {
        // Chromium's emulation lets calls of a page that is being left through, and they are counted.
        if (sessionStorage.getItem('network') === 'off') throw new TypeError('Failed to fetch');
        const answer = await send(input, init);
        if (!String(input).endsWith('/increase-counter')) return answer;
        const { counted } = (await answer.clone().json()) as { counted: number };
        const before = JSON.parse(sessionStorage.getItem('reported') ?? '[]') as object[];
        const report = { ...(JSON.parse(String(init?.body)) as object), counted };
        sessionStorage.setItem('reported', JSON.stringify([...before, report]));
        return answer;
      };
    });
    const offlineSince = Date.now();
    await page.evaluate(() => sessionStorage.setItem('network', 'off'));
    await page.context().setOffline(true);
    await page.goto('/');
    await hydrated(page);
    expect(new URL(page.url()).pathname).toBe('/library/downloads');
    const fromNetwork: string[] = [];
    page.on('response', (response) => {
      // The browser's HTTP cache answers from earlier responses.
      const isFresh = Date.parse(response.headers()['date'] ?? '') > offlineSince;
      if (isFresh && !response.fromServiceWorker()) fromNetwork.push(response.url());
    });
    const button = rowOf(page, first).getByRole('button', { name: `Play ${first}` });
    await button.waitFor();
    await button.click();
    await playing(page, 2);
    await seekTo(page, 0.5);
    // Seconds are reported from thirty on.
    await expect.poll(async () => (await sound(page)).time, { timeout: 60_000 }).toBeGreaterThan(95);
    await seekTo(page, 0.99);
    await expect.poll(() => nowPlaying(page), { timeout: 20_000 }).toBe(second);
    await playing(page, 4);
    // The queue has the site's cover, which outlives the download; the stored one is shown.
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('/kept/');
    await expect
      .poll(() =>
        bar(page)
          .locator('img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);
    const cover = page.locator('.download__row img').first();
    expect(await cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await bar(page).getByRole('button', { name: 'Pause' }).click();
    expect(fromNetwork).toEqual([]);

    // An offline restart keeps the position and the reports.
    await page.goto('/library/downloads');
    await hydrated(page);
    await rowOf(page, second)
      .getByRole('button', { name: `Play ${second}` })
      .click();
    await playing(page, 3.5);
    await bar(page).getByRole('button', { name: 'Pause' }).click();

    await page.evaluate(() => sessionStorage.removeItem('network'));
    await page.context().setOffline(false);
    const waiting = () => page.evaluate(() => localStorage.getItem('sotto_history'));
    await expect.poll(waiting, { timeout: 20_000 }).toBeNull();
    const history = (await call(page, 'GET', '/history/me')).data as {
      currentlyListening: Record<string, number>;
      listenCounter: Record<string, number>;
      completed: string[];
    };
    expect(Object.values(history.currentlyListening)).toEqual([expect.closeTo((await sound(page)).time, 0)]);
    expect(history.completed).toHaveLength(1);
    expect(Object.values(history.listenCounter)).toEqual([1, 1]);
    const reported = (await page.evaluate(() => JSON.parse(sessionStorage.getItem('reported') ?? '[]') as unknown)) as {
      reportId: string;
      type: string;
      value: number;
      counted: number;
    }[];
    expect(new Set(reported.map(({ reportId }) => reportId)).size).toBe(reported.length);
    const seconds = reported.filter(({ type }) => type === 'audioListenedSeconds');
    const heard = seconds.reduce((sum, { value }) => sum + value, 0);
    expect(heard).toBeGreaterThan(30);
    expect(heard).toBeLessThan(45);
    expect(seconds.map(({ counted }) => counted)).toEqual(seconds.map(({ value }) => expect.closeTo(value, 0)));

    // Here, a log-out deletes everything.
    await logOut(page);
    await expect.poll(() => kept(page)).toBe(false);
    // A key without data: its values were in the cleared storage.
    expect(await storedState(page)).toEqual(['values-key']);
  },
  patience,
);

/** Moves the latest time that the device has seen. */
function moveLatestTime(page: Page, byMs: number): Promise<void> {
  return page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('kept');
        opening.onsuccess = () => {
          const store = opening.result.transaction('state', 'readwrite').objectStore('state');
          const reading = store.get('licence');
          reading.onsuccess = () => {
            const licence = reading.result as { latest: number };
            store.put({ ...licence, latest: licence.latest + ms }, 'licence').onsuccess = () => {
              opening.result.close();
              resolve();
            };
          };
        };
      }),
    byMs,
  );
}

test(
  'two tabs download an audio once; a full disk, a clock set back and a log-out elsewhere are reported',
  { timeout: patience },
  async () => {
    const { page, subscriber } = await openList(browser, mobile);
    // The browser's own error for a full disk, from the second file on.
    await page.context().addInitScript(() => {
      const put = Cache.prototype.put;
      Cache.prototype.put = async function (...args) {
        if (sessionStorage.getItem('disk') === 'full' && (await this.keys()).length >= 2)
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        return put.apply(this, args);
      };
    });
    await page.reload();
    await hydrated(page);
    const other = await page.context().newPage();
    await other.goto('/playlists/start-here');
    await hydrated(other);
    await chooseDownload(page, second);
    await rowStored(page, 1);
    for (const tab of [page, other]) await tab.evaluate(() => sessionStorage.setItem('disk', 'full'));
    for (const tab of [page, other]) await menuOf(tab, first).click();
    const items = [page, other].map((tab) => tab.getByRole('menuitem', { name: 'Download', exact: true }));
    const elements = await Promise.all(items.map((item) => item.elementHandle()));
    await Promise.all(elements.map((element) => element?.evaluate((item) => (item as HTMLElement).click())));
    await other.goto('/library/downloads');
    await rowOf(other, first).getByText('No space left on this device').waitFor();
    await rowOf(other, second)
      .getByRole('button', { name: `Play ${second}` })
      .waitFor();
    expect(await other.locator('.download__row').count()).toBe(2);

    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/library/downloads');
    await rowOf(page, first)
      .getByRole('button', { name: `Continue download of ${first}` })
      .click();
    await rowOf(page, first)
      .getByRole('button', { name: `Play ${first}` })
      .waitFor();
    await expectCleanForAxe(page, 'main');
    await other.close();

    // Like after days of use, with the clock set back now.
    await moveLatestTime(page, 3 * 24 * 60 * 60 * 1000);
    await page.context().setOffline(true);
    await page.goto('/library/downloads');
    await page.getByText('The clock of this device was set back.').waitFor();
    const address = await page.evaluate(async () => {
      const [request] = await (await caches.open('kept')).keys();
      return request?.url.replace(/[^/]+$/, 'sound') ?? '';
    });
    // The service worker refuses by itself, independent of the page.
    expect(await page.evaluate(async (url) => (await fetch(url)).status, address)).toBe(402);
    await page.context().setOffline(false);
    await rowOf(page, first)
      .getByRole('button', { name: `Play ${first}` })
      .waitFor();
    const range = { headers: { range: 'bytes=100-199' } };
    const slice = await page.evaluate(
      async ([url, init]) => {
        const answer = await fetch(url, init);
        return [answer.status, answer.headers.get('content-range'), (await answer.arrayBuffer()).byteLength];
      },
      [address, range] as const,
    );
    expect(slice).toEqual([206, expect.stringMatching(/^bytes 100-199\/\d+$/), 100]);

    const elsewhere = await openAs(browser, subscriber, '/account/sessions');
    await elsewhere.page.getByRole('heading', { name: 'Devices with downloads' }).waitFor();
    const buttons = elsewhere.page.getByRole('button', { name: /^Remove downloads of/ });
    for (let left = await buttons.count(); left > 0; left -= 1) {
      await buttons.first().click();
      await expect.poll(() => buttons.count()).toBe(left - 1);
    }
    await expect.poll(() => devicesOf(elsewhere.page), { interval: 1000 }).toEqual([]);
    await page.reload();
    await page.getByText('This device was removed from your account').waitFor();
    expect(await kept(page)).toBe(false);
  },
);

test('a browser without any space says so', { timeout: patience }, async () => {
  const { page, quiet } = await openList(browser);
  await chooseDownload(page, second);
  await rowStored(page, 1);
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  });
  await menuOf(page, first).click();
  await page.getByRole('menuitem', { name: 'Download', exact: true }).click();
  await page.getByText('No space left on this device. Nothing was downloaded.').first().waitFor();
  await quiet();
});

test('on a full disk, downloads play, and an ended one stays ended', { timeout: patience }, async () => {
  const { page, quiet } = await openList(browser);
  await keep(page, [second]);
  const play = rowOf(page, second).getByRole('button', { name: `Play ${second}` });
  await play.click();
  await playing(page, 1);
  await page.evaluate(() => {
    const counter = { loads: 0 };
    document.querySelector('audio')?.addEventListener('emptied', () => (counter.loads += 1));
    Object.assign(window, { counter });
  });
  await seekTo(page, 0.99);
  const ended = () => page.evaluate(() => document.querySelector('audio')?.ended);
  await expect.poll(ended, { timeout: 20_000 }).toBe(true);
  await page.evaluate(() =>
    (
      window as unknown as { __reactRouterDataRouter: { revalidate(): Promise<void> } }
    ).__reactRouterDataRouter.revalidate(),
  );
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => (window as unknown as { counter: { loads: number } }).counter.loads)).toBe(0);
  expect(await ended()).toBe(true);

  // The stored time is old enough to be written again.
  await moveLatestTime(page, -2 * 60 * 1000);
  // The renewal writes the time too.
  const played = Promise.withResolvers<void>();
  await page.route('**/licence', (route) => played.promise.then(() => route.fallback()));
  // A route stops the worker; a request starts it again.
  await page.evaluate(() => fetch('/about').then((answer) => answer.text()));
  const worker = page.context().serviceWorkers().at(-1);
  await worker?.evaluate(() => {
    const tried = { puts: 0 };
    const store = (globalThis as unknown as { IDBObjectStore: { prototype: { put(): void } } }).IDBObjectStore;
    store.prototype.put = () => {
      tried.puts += 1;
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    Object.assign(globalThis, { tried });
  });
  await page.goto('/library/downloads');
  await play.click();
  await playing(page, 1);
  played.resolve();
  expect(await page.locator('audio').getAttribute('src')).toMatch(/\/kept\/[\w-]+\/sound$/);
  expect(
    await worker?.evaluate(() => (globalThis as unknown as { tried: { puts: number } }).tried.puts),
  ).toBeGreaterThan(0);
  await quiet();
});

test('neither a lost cookie nor the error pages of a proxy delete the downloads', { timeout: patience }, async () => {
  const { page } = await openList(browser);
  await keep(page, [second]);
  const play = rowOf(page, second).getByRole('button', { name: `Play ${second}` });
  // The token restores it.
  await page.context().clearCookies();
  await page.goto('/library/downloads');
  await play.waitFor();
  expect(await storedState(page)).toContain('licence');

  for (const status of [401, 402, 403, 404]) {
    const answered = Promise.withResolvers<void>();
    await page.context().route('**/v1/api/**', async (route) => {
      await route.fulfill({ status, contentType: 'text/html', body: '<h1>Maintenance</h1>' });
      if (route.request().url().endsWith('/licence')) answered.resolve();
    });
    await page.reload();
    await answered.promise;
    await page.waitForLoadState('networkidle');
    await play.waitFor();
    await page.context().unroute('**/v1/api/**');
  }
  expect(await storedState(page)).toContain('licence');

  // A refused token is a log-out.
  await page.context().clearCookies();
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('sotto.session') ?? '{}') as object;
    localStorage.setItem('sotto.session', JSON.stringify({ ...session, token: 'A'.repeat(43) }));
  });
  await page.goto('/library/downloads');
  await expect.poll(() => kept(page)).toBe(false);
  expect(await storedState(page)).toEqual([]);
});

/** Plays the list of `later` from its first audio, several before the downloaded one. */
async function playBefore(page: Page): Promise<void> {
  await keep(page, [later]);
  await page.goto('/playlists/start-here');
  await hydrated(page);
  await page
    .getByRole('main')
    .getByRole('button', { name: `Play ${first}` })
    .click();
  await playing(page, 1);
  expect(await nowPlaying(page)).toBe(first);
}

test('without a connection the queue goes on with what is on the device', { timeout: patience }, async () => {
  const { page } = await openList(browser);
  await playBefore(page);
  await page.context().setOffline(true);
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(() => nowPlaying(page)).toBe(later);
  await playing(page, 1);
});

test('when the site stops answering, the queue goes on with what is on the device', { timeout: patience }, async () => {
  const { page } = await openList(browser);
  await playBefore(page);
  // Otherwise it would wait for the rest of this audio first.
  const isWhole = () =>
    page.evaluate(() => {
      const { buffered, duration } = document.querySelector('audio') ?? new Audio();
      return buffered.length === 1 && buffered.end(0) >= duration - 0.1;
    });
  await expect.poll(isWhole, { timeout: 30_000 }).toBe(true);
  // Interception goes around the browser's cache, from which a jump reads the file.
  const playingFile = await page.evaluate(() => document.querySelector('audio')?.src);
  await page.context().route(
    (url) => url.href !== playingFile,
    (route) => route.abort('internetdisconnected'),
  );
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await seekTo(page, 0.999);
  await expect.poll(() => nowPlaying(page), { timeout: 30_000 }).toBe(later);
  await playing(page, 1);
});

test(
  'a download of a deleted audio is deleted and says so; of a restored one, it can be repeated',
  { timeout: patience },
  async () => {
    const title = 'Since There’s No Help';
    const { page } = await openList(browser);
    await page.goto('/creators/ansel-rook');
    await hydrated(page);
    await keep(page, [title]);
    const { data } = await call(page, 'GET', '/audios/since-theres-no-help');
    const { page: operator } = await openAs(browser, admin, '/about');
    const act = (verb: 'delete' | 'restore') =>
      call(operator, 'POST', '/admin/audios/acts', { verb, ids: [(data as { id: string }).id] });
    const row = rowOf(page, title);
    const play = row.getByRole('button', { name: `Play ${title}` });
    try {
      expect((await act('delete')).status).toBe(200);
      await page.reload();
      await row.getByText('This audio is not available to you any more.').waitFor();
      expect(await play.count()).toBe(0);
      await rowStored(page, 0);
    } finally {
      expect((await act('restore')).status).toBe(200);
    }
    await row.getByRole('button', { name: `Continue download of ${title}` }).click();
    await play.waitFor({ timeout: 30_000 });
  },
);

test('a tab that opens Downloads leaves a device alone that another tab registers', { timeout: patience }, async () => {
  const { page } = await openList(browser);
  const other = await page.context().newPage();
  await other.goto('/playlists/start-here');
  await hydrated(other);
  await page.evaluate(() => {
    const send = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const answer = await send(input, init);
      if (init?.method === 'POST' && String(input).endsWith('/offline-devices'))
        await new Promise((resolve) => Object.assign(window, { answerNow: resolve }));
      return answer;
    };
  });
  await menuOf(page, second).click();
  await page.getByRole('menuitem', { name: 'Download', exact: true }).click();
  await expect.poll(() => ownDevices(other)).toHaveLength(1);
  await other.goto('/library/downloads');
  await other.getByRole('heading', { name: 'No downloads yet' }).waitFor();
  await other.waitForLoadState('networkidle');
  expect(await ownDevices(other)).toHaveLength(1);
  await page.evaluate(() => (window as unknown as { answerNow(): void }).answerNow());
  await rowOf(other, second)
    .getByRole('button', { name: `Play ${second}` })
    .waitFor({ timeout: 20_000 });
});

test(
  'a new service worker in the middle of playing leaves the sound and the downloads alone',
  { timeout: patience },
  async () => {
    const { page } = await openList(browser);
    const files = () =>
      page.evaluate(async () => (await (await caches.open('kept')).keys()).map(({ url }) => url.replace(/.*\//, '')));
    await page.route(/width=640/, (route) => route.abort());
    await keep(page, [second]);
    expect(await files()).not.toContain('cover');
    await page.unroute(/width=640/);
    await page.reload();
    await expect.poll(files, { timeout: 20_000 }).toContain('cover');
    // A new document, because the previous one may have preloaded the head of the queue from the network.
    await page.goto('/library/downloads');
    await rowOf(page, second)
      .getByRole('button', { name: `Play ${second}` })
      .click();
    await playing(page, 1);
    expect(await page.locator('audio').getAttribute('src')).toMatch(/\/kept\/[\w-]+\/sound$/);
    const state = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.register('/service-worker.js?next');
      const next = registration.installing ?? registration.waiting;
      await new Promise<void>((resolve) => {
        const check = () => next?.state !== 'installing' && resolve();
        next?.addEventListener('statechange', check);
        check();
      });
      return next?.state;
    });
    expect(state).toBe('installed');
    await page.context().setOffline(true);
    await seekTo(page, 0.6);
    await playing(page, 33);
    const renewals: string[] = [];
    // The first call after coming online often fails, and is repeated.
    page.on('response', (response) => response.url().endsWith('/licence') && renewals.push(response.url()));
    await page.context().setOffline(false);
    await expect.poll(() => renewals.length).toBe(1);
    // A tab that stays open and online renews the licence once a day.
    const show = (days: number) =>
      page.evaluate((ms) => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + ms;
        document.dispatchEvent(new Event('visibilitychange'));
      }, days * 86_400_000);
    await show(0.9);
    await show(0.2);
    await expect.poll(() => renewals.length).toBe(2);

    // The browser deletes a file, and then everything.
    await page.evaluate(() => caches.delete('kept'));
    await page.goto('/library/downloads');
    // Shown only until it is downloaded again, which may take no time.
    await rowOf(page, second)
      .getByRole('button', { name: `Play ${second}` })
      .waitFor({ timeout: 20_000 });
    const deleteAll = async () => {
      // No page, which would still be writing.
      await page.goto('/healthz');
      await page.evaluate(async () => {
        await caches.delete('kept');
        await new Promise((resolve) => (indexedDB.deleteDatabase('kept').onsuccess = resolve));
      });
    };
    await deleteAll();
    await page.goto('/library/downloads');
    await page.getByText('to make room. They are downloaded again.').waitFor();
    await rowOf(page, second)
      .getByRole('button', { name: `Play ${second}` })
      .waitFor({ timeout: 20_000 });
    expect(await ownDevices(page)).toHaveLength(1);
    // Some browsers delete local storage too, with the ids of the audios.
    await deleteAll();
    await page.evaluate(() => localStorage.removeItem('kept'));
    await page.goto('/library/downloads');
    await page.getByText('to make room. Download them again to keep them.').waitFor();
    await expect.poll(() => ownDevices(page), { interval: 1000 }).toEqual([]);

    await page.goto('/playlists/start-here');
    await keep(page, [second]);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('heading', { name: 'No downloads yet' }).waitFor();
    expect(await kept(page)).toBe(false);
    await expect.poll(() => ownDevices(page), { interval: 1000 }).toEqual([]);
  },
);
