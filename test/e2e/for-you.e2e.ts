import { sql } from 'drizzle-orm';
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { listeningHistory } from '#domain/listening/tables.ts';
import { expectCleanForAxe, visitorOf } from '../support/accounts.ts';
import { hydrated, layouts, mobile, useBrowser } from '../support/browser/browser.ts';
import { createAudio, createUser } from '../support/factories.ts';
import { newMember, startLibrarySite } from '../support/library-site.ts';
import { tone, wavOf } from '../support/sound/sounds.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;
let quietOnes: Awaited<ReturnType<typeof createAudio>>[];
let loudOnes: typeof quietOnes;

const longAgo = new Date(Date.now() - 60 * 24 * 60 * 60 * 1000);

/** Two tastes that have nothing in common, of 120 audios each. */
beforeAll(async () => {
  site = await startLibrarySite();
  const make = async (taste: string) => {
    const made = [];
    for (let number = 1; number <= 120; number += 1)
      made.push(
        await createAudio(site.db, {
          title: `${taste} tale ${number}`,
          slug: `${taste.toLowerCase()}-tale-${number}`,
          voiceId: site.voice.id,
          isFree: true,
          publishedAt: longAgo,
          plays: number % 3 === 0 ? 1 : 50,
          tagLabels: [taste],
        }),
      );
    return made;
  };
  quietOnes = await make('Quiet');
  loudOnes = await make('Loud');
  for (const audios of [quietOnes, loudOnes])
    for (let person = 0; person < 12; person += 1) {
      const { id } = await createUser(site.db, { createdAt: longAgo });
      await hear(id, audios.slice(0, 60));
    }
  await site.site.listening.publishNeighbours();
}, 120_000);

async function hear(userId: string, audios: { id: string }[]): Promise<void> {
  await site.db
    .insert(listeningHistory)
    .values(audios.map(({ id: audioId }) => ({ userId, audioId, listens: 1, played30s: 1, listenedMs: 60_000 })));
}

async function memberWho(heard: { id: string }[]) {
  const member = await newMember(site);
  await hear(member.id, heard);
  return member;
}

const rail = (page: Page) => page.locator('[data-for-you]');
const cards = (page: Page) => rail(page).locator('li:not([aria-hidden]) .card__title');

async function titlesOf(page: Page): Promise<string[]> {
  await rail(page).scrollIntoViewIfNeeded();
  await expect.poll(() => cards(page).count()).toBe(10);
  return cards(page).allTextContents();
}

/** All that a page asks this site for, without the files of the build. */
function record(page: Page): Request[] {
  const asked: Request[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/assets/') && !pathname.startsWith('/look/')) asked.push(request);
  });
  return asked;
}

const addressOf = (request: Request) => {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
};

/** Contents of the whole database, without when sessions were used, and which pages were opened. */
async function dump(): Promise<string> {
  const { rows } = await site.db.execute<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`);
  const parts = [];
  for (const { name } of rows.filter((table) => !/sessions|known_devices|analytics_events/.test(table.name))) {
    const found = await site.db.execute<{ text: string | null }>(
      sql`select string_agg(t::text, e'\n' order by t::text) as text from ${sql.raw(name)} t`,
    );
    parts.push(`${name}\n${found.rows[0]?.text ?? ''}`);
  }
  return parts.join('\n\n');
}

test('two listeners of opposite tastes ask for the same, but for numbers of files; neither log nor database know more', async () => {
  const [quiet, loud] = [await memberWho(quietOnes.slice(0, 8)), await memberWho(loudOnes.slice(0, 8))];
  // The first visit of each makes what every visit makes.
  for (const member of [quiet, loud]) await (await site.openAs(browser, member, '/about')).quiet();
  const [before, logged] = [await dump(), site.logged.length];
  const shown: string[][] = [];
  const asked: Request[][] = [];
  for (const member of [quiet, loud]) {
    const opened = await site.openAs(browser, member, '/about');
    // The player asks for its own at any time after a page.
    await opened.page.waitForLoadState('networkidle');
    const requests = record(opened.page);
    await opened.page.goto('/');
    shown.push(await titlesOf(opened.page));
    await opened.page.waitForLoadState('networkidle');
    asked.push(requests);
    await opened.quiet();
  }
  expect(shown[0]?.slice(0, 3).every((title) => title.startsWith('Quiet'))).toBe(true);
  expect(shown[1]?.slice(0, 3).every((title) => title.startsWith('Loud'))).toBe(true);
  const files = asked.map((requests) => requests.map(addressOf).filter((address) => address.includes('/suggestions/')));
  expect(files[0]).not.toEqual(files[1]);
  const without = (addresses: string[] = []) => addresses.map((address) => address.replace(/\d+$/, '*'));
  expect(without(files[0])).toEqual(without(files[1]));
  expect(files[0]?.filter((address) => address.includes('/audios/'))).toHaveLength(16);
  const others = asked.map((requests) =>
    requests.map(addressOf).filter((address) => !address.includes('/suggestions/') && !address.includes('/images/')),
  );
  expect(others[0]?.toSorted()).toEqual(others[1]?.toSorted());
  // Nothing names what was suggested, in an address or in a body; files are asked for by address alone.
  const all = [...quietOnes, ...loudOnes];
  for (const [index, requests] of asked.entries()) {
    const suggested = all.filter(({ title }) => shown[index]?.includes(title));
    expect(suggested).toHaveLength(10);
    const sent = requests.map((request) => `${request.url()} ${request.postData() ?? ''}`).join('\n');
    for (const { id, slug } of suggested) expect([sent.includes(id), sent.includes(slug)]).toEqual([false, false]);
    for (const request of requests.filter((request) => request.url().includes('/suggestions/')))
      expect(request.headers()['authorization']).toBeUndefined();
  }
  expect(await dump()).toBe(before);
  const lines = JSON.stringify(site.logged.slice(logged));
  for (const { id, slug } of all) expect([lines.includes(id), lines.includes(slug)]).toEqual([false, false]);
  expect(lines).not.toMatch(/audios\/\d/);
});

test.each(layouts)('nothing moves while suggestions come, %s', async (_name, layout) => {
  const member = await memberWho(quietOnes.slice(0, 8));
  const { page, quiet } = await site.openAs(browser, member, '/about', layout);
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { sources: { node: Node | null }[] };
    Object.assign(window, { moved: [] });
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[])
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          if (element?.closest('main'))
            (window as unknown as { moved: string[] }).moved.push(element.outerHTML.slice(0, 200));
        }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  const height = (await rail(page).boundingBox())?.height;
  await titlesOf(page);
  expect((await rail(page).boundingBox())?.height).toBe(height);
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
  await expectCleanForAxe(page);
  await quiet();
});

test('a card says why, starts its audio alone, and tells the site of it only then', async () => {
  const member = await memberWho(quietOnes.slice(0, 8));
  for (const { fileKey } of quietOnes) await site.blobs.write(fileKey, wavOf(tone(220), { seconds: 60, rate: 8000 }));
  const { page, quiet } = await site.openAs(browser, member, '/');
  const [first = ''] = await titlesOf(page);
  const asked = record(page);
  await rail(page).getByText('Because you played').first().waitFor();
  const card = rail(page).locator('li').first();
  await card.hover();
  await card.getByRole('button', { name: `Play ${first}` }).hover();
  await card.getByRole('button', { name: `More for ${first}` }).click();
  await page.getByRole('menuitem', { name: 'Why this?' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: `Why “${first}”?` }).waitFor();
  await dialog.getByText(/^You played it on /).waitFor();
  await expectCleanForAxe(page);
  const { id, slug } = quietOnes.find(({ title }) => title === first) ?? { id: '', slug: '' };
  const names = () => asked.filter((request) => `${request.url()} ${request.postData()}`.match(`${id}|${slug}`)).length;
  expect([id === '', names()]).toEqual([false, 0]);
  await dialog.getByRole('button', { name: 'Play it' }).click();
  await expect.poll(names).toBeGreaterThan(0);
  const put = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/user/queue'));
  const { list } = ((await put).postDataJSON() as { list: unknown[] }) ?? { list: [] };
  expect(list).toHaveLength(1);
  await quiet();
});

test.each(layouts)(
  '“Not for me” keeps the place of a card, from its menu and from “Why this?”, %s',
  async (_name, layout) => {
    const member = await memberWho(quietOnes.slice(0, 8));
    const { page, quiet } = await site.openAs(browser, member, '/', layout);
    const [first = '', second = ''] = await titlesOf(page);
    const menuOf = (title: string) => rail(page).getByRole('button', { name: `More for ${title}` });
    const placeOf = (title: string) =>
      rail(page)
        .locator('li')
        .filter({ has: page.getByText(title, { exact: true }) });
    const before = await placeOf(first).boundingBox();
    await menuOf(first).click();
    await page.getByRole('menuitem', { name: 'Not for me' }).click();
    const undo = rail(page).getByRole('button', { name: 'Undo' });
    await rail(page).getByRole('status').getByText(`“${first}” is hidden`).waitFor();
    const hasFocus = (at: number) => undo.nth(at).evaluate((button) => button === document.activeElement);
    await expect.poll(() => hasFocus(0)).toBe(true);
    expect(await placeOf(first).boundingBox()).toEqual(before);
    await expectCleanForAxe(page);
    await menuOf(second).click();
    await page.getByRole('menuitem', { name: 'Why this?' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Not for me' }).click();
    await rail(page).getByText(`“${second}” is hidden`).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => hasFocus(1)).toBe(true);
    await undo.nth(1).press('Enter');
    await expect.poll(() => undo.count()).toBe(1);
    await page.goto('/about');
    await page.goto('/');
    const shown = await titlesOf(page);
    expect([shown.includes(first), shown.includes(second)]).toEqual([false, true]);
    await quiet();
  },
);

test('an empty Library has suggestions, once enough was heard', async () => {
  const { page, quiet } = await site.openAs(browser, await memberWho(quietOnes.slice(0, 8)), '/library');
  expect((await titlesOf(page)).slice(0, 3).every((title) => title.startsWith('Quiet'))).toBe(true);
  await expectCleanForAxe(page);
  await quiet();
  const few = await site.openAs(browser, await memberWho(quietOnes.slice(0, 4)), '/library');
  await few.page.getByRole('heading', { name: 'A place to start' }).waitFor();
  expect(await rail(few.page).count()).toBe(0);
  await few.quiet();
});

test('the switch turns it off and on again, and discreet mode hides reasons', async () => {
  const member = await memberWho(loudOnes.slice(0, 8));
  const { page, quiet } = await site.openAs(browser, member, '/');
  await titlesOf(page);
  await rail(page).getByRole('button', { name: 'How it works' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off suggestions' }).click();
  await rail(page).getByText('Suggestions from your history are off.').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  const turnOn = rail(page).getByRole('button', { name: 'Turn on' });
  await expect.poll(() => turnOn.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await cards(page).count()).toBe(0);
  const asked = record(page);
  await page.reload();
  await hydrated(page);
  await rail(page).scrollIntoViewIfNeeded();
  await rail(page).getByRole('button', { name: 'Turn on' }).click();
  await titlesOf(page);
  expect(asked.map(addressOf).findIndex((address) => address.includes('/suggestions/'))).toBeGreaterThan(
    asked.map(addressOf).findIndex((address) => address.endsWith('/user/me')),
  );
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Discreet mode' }).click();
  await page.goto('/');
  await titlesOf(page);
  expect(await rail(page).getByText('Because you').count()).toBe(0);
  await quiet();
});

test('hidden tags are never suggested, and few audios are not enough', async () => {
  const member = await memberWho(quietOnes.slice(0, 8));
  await hear(member.id, loudOnes.slice(0, 6));
  await site.site.library.setTagHidden(member.id, 'quiet', true);
  const hiding = await site.openAs(browser, member, '/');
  expect((await titlesOf(hiding.page)).filter((title) => title.startsWith('Quiet'))).toEqual([]);
  await hiding.quiet();
  const { page, quiet } = await site.openAs(browser, await memberWho(quietOnes.slice(0, 4)), '/');
  await rail(page).getByText('For you starts with a few plays').waitFor();
  await quiet();
});

test('a visitor is shown suggestions from what this device heard, which it never sends', async () => {
  const heard = quietOnes.slice(0, 8);
  const { rows } = await site.db.execute<{ number: number; audio_id: string }>(sql`select * from audio_numbers`);
  const numbers = new Map(rows.map(({ audio_id: id, number }) => [id, number]));
  const { page, quiet } = await browser.open('/about', visitorOf(site, mobile));
  await page.evaluate(
    sealHeard,
    heard.map(({ id, title }) => ({
      number: numbers.get(id),
      id,
      title,
      language: 'en',
      tags: ['quiet'],
      at: new Date().toISOString(),
      listens: 1,
      isFinished: true,
      isFavorite: false,
    })),
  );
  const asked = record(page);
  await page.goto('/');
  await hydrated(page);
  const shown = await titlesOf(page);
  expect(shown.slice(0, 3).every((title) => title.startsWith('Quiet'))).toBe(true);
  await rail(page).getByText('Because you finished').first().waitFor();
  const sent = asked.map((request) => `${request.url()} ${request.postData() ?? ''}`).join('\n');
  for (const { id, slug } of heard) expect([sent.includes(id), sent.includes(slug)]).toEqual([false, false]);
  await rail(page).getByRole('button', { name: 'How it works' }).click();
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => /heard|for_you/.test(key)));
  const texts = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  for (const { id, title } of heard) expect([texts.includes(id), texts.includes(title)]).toEqual([false, false]);
  expect((await kept()).toSorted()).toEqual(['sotto_for_you', 'sotto_heard', 'sotto_heard_count']);
  await page.getByRole('dialog').getByRole('button', { name: 'Forget what was played here' }).click();
  await rail(page).getByText('For you starts with a few plays').waitFor();
  expect([await cards(page).count(), await kept()]).toEqual([0, []]);
  await rail(page).getByRole('button', { name: 'How it works' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off suggestions' }).click();
  const turnOn = rail(page).getByRole('button', { name: 'Turn on' });
  await turnOn.waitFor();
  await expect.poll(() => turnOn.evaluate((button) => button === document.activeElement)).toBe(true);
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await quiet();
});

/** As this browser seals its own values. */
async function sealHeard(heard: unknown[]): Promise<void> {
  const opened = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const opening = indexedDB.open('kept', 1);
  opening.onupgradeneeded = () => {
    for (const store of ['state', 'items']) opening.result.createObjectStore(store);
  };
  const database = await opened(opening);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  await opened(database.transaction('state', 'readwrite').objectStore('state').put(key, 'values-key'));
  database.close();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const bytes = (text: string) => new TextEncoder().encode(text);
  const additionalData = bytes('sotto_heard');
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    bytes(JSON.stringify(heard)),
  );
  const whole = String.fromCharCode(...iv, ...new Uint8Array(sealed));
  localStorage.setItem('sotto_heard', btoa(whole));
  localStorage.setItem('sotto_heard_count', '5');
}
