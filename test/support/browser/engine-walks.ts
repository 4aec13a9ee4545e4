import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type SiteProcess, startSite } from '../../../bench/site-process.ts';
import { openDatabaseProxy } from '../servers/database-proxy.ts';
import { type EnginePage, enginePage } from './engine-page.ts';
import { type Engine, openChromium, openFirefox, openWebKit } from './engines.ts';
import { findFreePort } from '../servers/free-port.ts';
import { slow } from '../tags.ts';
import { timeZones } from '../time-zones.ts';

/** Here `npm test` takes the walks that are `quick`. */
const quickIn = 'WebKit in Pacific/Apia';
/** `npm run test:all` takes each walk once in each browser, each time in another zone; WALKS=all takes all nine. */
const isWhole = process.env['WALKS'] === 'all';

type Walk = (what: string, steps: (page: EnginePage) => Promise<void>, options?: { quick: boolean }) => void;
type Place = {
  walk: Walk;
  zone: string;
  /** The site's connections. */
  network: () => Awaited<ReturnType<typeof openDatabaseProxy>>;
};

/** Walks through a site of this file with the demo, in each browser that is installed and in the time zones. */
export function inEveryEngine(declare: (place: Place) => void): void {
  const { firefox, webkit } = inject('otherBrowsers');
  const chromium = { browser: inject('browserPath') };
  const engines = {
    Chromium: (zone: string) => openChromium(chromium, zone),
    Firefox: firefox && ((zone: string) => openFirefox(firefox, zone)),
    WebKit: webkit && ((zone: string) => openWebKit(webkit, zone)),
  };
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

  const places = Object.entries(engines).flatMap(([name, open], index) =>
    timeZones.map((zone, zoneIndex) => ({ name, zone, open, turn: index + zoneIndex })),
  );
  describe.each(places)('$name in $zone', ({ name, zone, open, turn }) => {
    let engine: Engine | undefined;
    let walks = 0;

    beforeAll(async () => {
      engine = await open?.(zone);
    });
    afterAll(() => engine?.close());

    const walk: Walk = (what, steps, { quick } = { quick: false }) => {
      const isQuick = quick && quickIn === `${name} in ${zone}`;
      walks += 1;
      if (!isWhole && !isQuick && (walks + turn) % timeZones.length !== 0) return;
      test(what, { timeout: 120_000, ...(isQuick ? {} : slow) }, async (run) => {
        run.skip(engine === undefined, 'It is not installed here.');
        const tab = await (engine ?? expect.fail()).newTab();
        onTestFinished(() => tab.close());
        await steps(enginePage(tab, network.url));
        expect(tab.errors ?? []).toEqual([]);
      });
    };

    declare({ walk, zone, network: () => network });
  });
}

/** Logs in with the calls of the log-in window, which one walk uses itself. */
export async function signIn(page: EnginePage, email: string, password: string): Promise<void> {
  await page.goTo('/about');
  await page.settled(`(async () => {
    const post = (path, body) =>
      fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    await post('/identity/sign-in/email', ${JSON.stringify({ email, password })});
    const { token: firebaseIdtoken } = await (await fetch('/identity/token')).json();
    await post('/identity/sign-out', {});
    const { token, user } = await (await post('/v1/api/auth/login', { firebaseIdtoken })).json();
    localStorage.setItem('sotto.session', JSON.stringify({ token, lastUpdated: Date.now(), userId: user.id }));
    return null;
  })()`);
}
