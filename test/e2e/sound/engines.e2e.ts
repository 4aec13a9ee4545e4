import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startSite } from '../../../bench/site-process.ts';
import type { SiteProcess } from '../../../bench/site-process.ts';
import { newPerson } from '../../support/accounts.ts';
import { openDatabaseProxy } from '../../support/database-proxy.ts';
import { enginePage } from '../../support/engine-page.ts';
import type { EnginePage } from '../../support/engine-page.ts';
import { keyCodes, openChromium, openFirefox, openWebKit } from '../../support/engines.ts';
import type { Engine } from '../../support/engines.ts';
import { findFreePort } from '../../support/free-port.ts';
import { slow } from '../../support/tags.ts';
import { timeZones } from '../../support/time-zones.ts';

const { firefox, webkit } = inject('otherBrowsers');
const chromium = { browser: inject('browserPath') };
const engines = {
  Chromium: (zone: string) => openChromium(chromium, zone),
  Firefox: firefox && ((zone: string) => openFirefox(firefox, zone)),
  WebKit: webkit && ((zone: string) => openWebKit(webkit, zone)),
};
/** Here `npm test` takes the walks that are `quick`; it has other tests for Chromium. */
const quickIn = ['Firefox in Asia/Kolkata', 'WebKit in Pacific/Apia'];
const quick = true;

let dataDir: string;
let site: SiteProcess;
let network: Awaited<ReturnType<typeof openDatabaseProxy>>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sotto-engines-'));
  const port = await findFreePort();
  network = await openDatabaseProxy(`http://127.0.0.1:${port}`);
  // Three and a half hours behind UTC: a time written in the site's own zone is wrong in each browser.
  const settings = { DATA_DIR: dataDir, PORT: String(port), SITE_URL: network.url, TZ: 'America/St_Johns' };
  site = await startSite(settings);
});
afterAll(async () => {
  await network.close();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Keys of the device's own database. */
const storedState = `new Promise((resolve) => {
  const opening = indexedDB.open('kept');
  opening.onsuccess = () => {
    const keys = opening.result.transaction('state').objectStore('state').getAllKeys();
    keys.onsuccess = () => resolve(keys.result);
  };
})`;

const listener = { email: 'listener@sotto.example', password: 'listener' };
const subscriber = { email: 'subscriber@sotto.example', password: 'subscriber' };
const creator = { email: 'creator@sotto.example', password: 'creator' };
const admin = { email: 'admin@sotto.example', password: 'adminadmin' };

async function logIn(page: EnginePage, { email, password }: typeof listener): Promise<void> {
  await page.goTo('/about');
  await page.press('header a', 'Log in');
  await page.fill(['.modal input', 'Email'], email);
  await page.fill(['.modal input', 'Password'], password);
  await page.press('.modal button', 'Log in');
  await page.see('header button', 'Account menu');
  await page.gone('.modal');
}

async function plays(page: EnginePage, beyond = 0.3): Promise<void> {
  await expect.poll(async () => (await page.sound()).time).toBeGreaterThan(beyond);
  expect((await page.sound()).paused).toBe(false);
}

describe.each(Object.entries(engines).flatMap(([name, open]) => timeZones.map((zone) => ({ name, zone, open }))))(
  '$name in $zone',
  ({ name, zone, open }) => {
    let engine: Engine | undefined;

    beforeAll(async () => {
      engine = await open?.(zone);
    });
    afterAll(() => engine?.close());

    const walk = (what: string, steps: (page: EnginePage) => Promise<void>, isQuick = false) =>
      test(
        what,
        { timeout: 120_000, ...(isQuick && quickIn.includes(`${name} in ${zone}`) ? {} : slow) },
        async ({ skip }) => {
          skip(engine === undefined, 'It is not installed here.');
          const tab = await (engine ?? expect.fail()).newTab();
          onTestFinished(() => tab.close());
          await steps(enginePage(tab, network.url));
          expect(tab.errors ?? []).toEqual([]);
        },
      );

    walk(
      'plays, seeks, continues while pages change, and plays the next',
      async (page) => {
        const onSlider = async (key: string) => {
          await page.read(`document.querySelector('input[aria-label="Position"]').focus() ?? null`);
          await page.type(keyCodes[key] ?? key);
        };
        await page.goTo('/playlists/start-here');
        await page.press('main button', 'Play');
        await plays(page);
        await page.read(`document.querySelector('audio').dataset.same = ''`);
        const before = (await page.sound()).time;
        await onSlider('PageUp');
        await plays(page, before + 14);

        await page.press('footer a[href="/blog"]');
        // The focus moves there once the page is complete.
        await expect.poll(() => page.read('document.activeElement.matches("h1") && location.pathname')).toBe('/blog');
        const { time, src, same } = await page.sound();
        expect(same).toBe(true);
        await plays(page, time);
        await onSlider('End');
        await expect.poll(async () => (await page.sound()).src).not.toBe(src);
        await plays(page, 0);
        expect((await page.sound()).same).toBe(true);
      },
      quick,
    );

    walk('logs in, plays a list, and takes an audio out of the queue and back', async (page) => {
      await logIn(page, listener);
      await page.goTo('/playlists/start-here');
      await page.press('main .row button', 'Play ');
      await plays(page);
      await page.press('button', 'Go to Queue');
      await page.see('h1', 'Your Queue');
      const upNext = () => page.read<number>(`document.querySelectorAll('[aria-label="Up Next"] .row__t').length`);
      await expect.poll(upNext).toBeGreaterThan(0);
      const count = await upNext();
      await page.press('[aria-label="Up Next"] button', 'More for ');
      await page.press('[role=menuitem]', 'Remove from queue');
      await expect.poll(upNext).toBe(count - 1);
      await page.press('.toast button', 'Undo');
      await expect.poll(upNext).toBe(count);
      const next = await page.text('[aria-label="Up Next"] .row__t');
      await page.press('[aria-label="Up Next"] .row__x + button');
      await expect.poll(() => page.text('.pl__t')).toBe(next);
      await plays(page);
    });

    walk('signs up, subscribes with a card of the sandbox, and the account says until when', async (page) => {
      const { username, email, password } = newPerson();
      await page.goTo('/');
      await page.press('main a', 'Start free trial');
      await page.press('.modal button', 'Continue');
      await page.fill(['.modal input', 'Email'], email);
      await page.fill(['.modal input', 'Username'], username);
      await page.see('.modal *', 'Available');
      await page.fill(['.modal input', 'Password'], password);
      for (const box of [1, 2]) {
        await page.press('.modal .chk:has(input:not(:checked)) i');
        const checked = `document.querySelectorAll('.modal input[type=checkbox]:checked').length`;
        await expect.poll(() => page.read(checked)).toBe(box);
      }
      await page.press('.modal button[type=submit]');
      await page.fill(['.modal input', 'Credit or debit card number'], '4242424242424242');
      await page.fill(['.modal input', 'Credit or debit card expiration date'], '1240');
      await page.fill(['.modal input', 'Credit or debit card CVC/CVV'], '123');
      await page.press('.modal button', 'Subscribe');
      // A card has one trial, and another walk may have paid with this one.
      const noTrial = ['.modal button', 'Subscribe without a trial'] as const;
      const isAnswered = async () => (await page.isShown('.modal h2', 'Welcome')) || (await page.isShown(...noTrial));
      await expect.poll(isAnswered).toBe(true);
      if (await page.isShown(...noTrial)) await page.press(...noTrial);
      await page.see('.modal h2', `Welcome, ${username}`);
      await page.goTo('/account/subscription');
      await page.see('#subscription *', 'Visa ending 4242, 12/40');
    });

    walk(
      'downloads an audio, and plays it without a connection',
      async (page) => {
        const title = 'Bright Star';
        await logIn(page, subscriber);
        const { items } = await page.call<{ items: { id: string }[] }>('GET', '/user/offline-devices');
        for (const { id } of items) await page.call('DELETE', `/user/offline-devices/${id}`);
        await page.goTo('/playlists/start-here');
        await page.press('main button', `More for ${title}`);
        await page.press('[role=menuitem]', 'Download');
        // A page that is left before the answer adds nothing.
        await page.see('.toast', `Downloading “${title}”`);
        await page.goTo('/library/downloads');
        await page.see('.dls__r button', `Play ${title}`);
        // The page for starting without a connection is stored last.
        await expect.poll(() => page.settled(storedState)).toContain('page');
        await network.set('refuse');
        onTestFinished(() => network.set('pass'));
        await page.goTo('/');
        await expect.poll(() => page.read('location.pathname')).toBe('/library/downloads');
        await page.press('.dls__r button', `Play ${title}`);
        await plays(page, 1);
        expect((await page.sound()).src).toMatch(/\/kept\/[\w-]+\/sound$/);
      },
      quick,
    );

    walk('edits an audio in the Studio and schedules it for a time of the creator’s own zone', async (page) => {
      await logIn(page, creator);
      await page.goTo('/studio/maren-holt/audios?state=draft');
      const path = await page.read<string>(`document.querySelector('main td a[href*="/audios/"]').pathname`);
      const id = path.split('/').at(-1) ?? '';
      onTestFinished(() => page.call('PUT', `/studio/audios/${id}/publication`, { state: 'unpublished' }));
      await page.goTo(path);
      const title = `Low tide ${zone}`;
      await page.fill(['main input', 'Title'], title);
      await page.see('[aria-label="Changes"] *', 'Saved at');
      await page.press('main label.opt', 'Schedule');
      const [day, clock] = ['2036-01-02', '22:00'];
      await page.choose(['main input', 'Day'], day);
      await page.choose(['main input', 'Time'], clock);
      await page.press('main button', 'Schedule');
      await page.see('.toast', 'Scheduled');
      await page.goTo(path);
      expect([await page.value('main input', 'Day'), await page.value('main input', 'Time')]).toEqual([day, clock]);
      expect(await page.value('main input', 'Title')).toBe(title);
    });

    walk(
      'writes an article in Admin, schedules it for a time of the operator’s own zone, and finds it',
      async (page) => {
        await logIn(page, admin);
        const title = `On rain ${crypto.randomUUID()}`;
        await page.goTo('/admin/articles');
        await page.press('main button', 'New article');
        await page.fill(['[role=dialog] input', 'Title'], title);
        await page.press('[role=dialog] button', 'Create article');
        await page.see('h1', title);
        await page.fill(['main textarea', 'Text'], 'It rains.');
        await page.choose(['main input', 'Publish at'], '2036-01-02T22:00');
        await page.press('main button', 'Schedule');
        await page.see('.toast', 'Scheduled');
        const scheduled = 'Scheduled for 2 Jan 2036, 22:00.';
        await page.see('main p', scheduled);
        await page.goTo(await page.read('location.pathname'));
        await page.see('main p', scheduled);
        expect(await page.value('main textarea', 'Text')).toBe('It rains.');
        await page.goTo('/admin/articles');
        await page.fill(['main input[type=search]'], title);
        await page.see('main a', title);
      },
    );
  },
);
