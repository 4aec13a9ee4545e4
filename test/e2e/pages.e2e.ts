import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { expectCleanForAxe, sessionCookie } from '../support/accounts.ts';
import {
  desktop,
  hydrated,
  inBothSizes,
  mobile,
  nextFrame,
  overflowOf,
  useBrowser,
} from '../support/browser/browser.ts';
import { newListener, openAs } from '../support/listener.ts';
import { slow } from '../support/tags.ts';

const browser = useBrowser();

type Listed = { items: { id: string; slug: string }[] };

async function firstUserPlaylist(): Promise<string> {
  const response = await fetch(`${inject('siteUrl')}/v1/api/users-playlists/top-plays?limit=1`);
  const { playlists } = (await response.json()) as { playlists: { id: string }[] };
  return `/users-playlists/${playlists[0]?.id}`;
}

const maxVisitedPaths = ['/', '/audio/how-do-i-love-thee'];
const otherPaths = [
  '/categories/sleep',
  '/audios',
  '/creators',
  '/creators/maren-holt',
  '/series/sonnets-from-the-portuguese',
  '/playlists/sonnets-after-midnight',
  'user playlist',
  '/library',
  '/blog',
  '/about',
  '/search?search=rain',
  '/nothing-here',
  '/audio/a-long-rain',
  '/creators/noor-azadi?tab=about',
  '/series',
  '/categories',
  '/playlists',
  '/users-playlists',
  '/search?search=zzzz',
  '/terms',
  '/privacy',
  '/blog/why-a-low-voice',
  '/gift-card',
  '/gift-card/redeem',
];
const paths = [...maxVisitedPaths, ...otherPaths];

async function address(path: string): Promise<string> {
  return path === 'user playlist' ? firstUserPlaylist() : path;
}

/** Pages with user-written titles; one of each layout. */
const withWords: readonly string[] = [
  '/',
  '/audios',
  '/audio/how-do-i-love-thee',
  '/creators/maren-holt',
  '/series/sonnets-from-the-portuguese',
  '/categories/sleep',
  '/playlists/sonnets-after-midnight',
  'user playlist',
];

const grounds = { dark: 'rgb(20, 16, 18)', light: 'rgb(248, 244, 243)' };

const visit = browser.tour(mobile);
test.each(maxVisitedPaths)('%s has one heading, a title, nothing for axe to find, and fits its width', expectSound);
test.each(otherPaths)('%s has one heading, a title, nothing for axe to find, and fits its width', slow, expectSound);

async function expectSound(path: string): Promise<void> {
  const { page, quiet } = await visit(await address(path));
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toMatch(/Sotto/);
  // Sizes and themes are independent: each is tested once.
  for (const [size, colorScheme] of [
    [mobile.viewport, 'light'],
    [desktop.viewport, 'dark'],
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe(grounds[colorScheme]);
    await expectCleanForAxe(page);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  }
  await expectNoSidewaysScrolling(page);
  if (withWords.includes(path))
    await inBothSizes(page, async () => {
      await expectRoomForLongWords(page);
      await expectRightToLeft(page);
    });
  if (path !== '/nothing-here') quiet();
}

/** Also on the smallest phone, and with the browser's text at 200 %. */
async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const [width, text] of [
    [320, 16],
    [390, 32],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await session.send('Page.setFontSizes', { fontSizes: { standard: text } });
    await nextFrame(page);
    expect([width, text, await overflowOf(page)]).toEqual([width, text, 0]);
  }
  await session.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  await session.detach();
}

/** The first letters of a long Hebrew title are in sight, and a mark after its last word is at the left. */
async function expectRightToLeft(page: Page): Promise<void> {
  const texts = page.locator(
    ':is(main h1, main .detail-head__text, main .row__title, main .card__title, main .category-tile b, main .user-playlist b, .player__title):visible',
  );
  const faults = await texts.evaluateAll((elements) => {
    const faultsOf = (element: Element, text: string, isLong: boolean) => {
      element.textContent = text;
      const boxOf = (from: number) => {
        const range = document.createRange();
        range.setStart(element.firstChild!, from);
        range.setEnd(element.firstChild!, from + 1);
        return range.getBoundingClientRect();
      };
      const [first, last, box] = [boxOf(0), boxOf(text.length - 1), element.getBoundingClientRect()];
      const isSound = isLong ? first.left > box.left - 1 && first.right < box.right + 1 : last.right < first.left;
      return isSound ? [] : [`${element.tagName}.${element.className} ${isLong ? 'cut' : 'turned'}`];
    };
    return elements.flatMap((element) => [
      ...faultsOf(element, 'שלום '.repeat(60).trim(), true),
      ...faultsOf(element, 'שלום!', false),
    ]);
  });
  expect(faults).toEqual([]);
}

test.each(['/', '/audio/bright-star', '/blog/a-sonnet-is-a-room'])(
  'on %s a right-to-left name leaves the line in order, and a paragraph has its own direction',
  async (path) => {
    const { page, quiet } = await visit(path);
    const lines = await page.locator('main bdi:has(+ .dot):visible').evaluateAll((names) =>
      names.map((name) => {
        name.textContent = 'שלום 3!';
        const boxOf = (from: number) => {
          const range = document.createRange();
          range.setStart(name.firstChild!, from);
          range.setEnd(name.firstChild!, from + 1);
          return range.getBoundingClientRect();
        };
        const length = name.nextElementSibling!.getBoundingClientRect();
        return [boxOf(0).right <= length.left + 1, boxOf(6).right < boxOf(0).left];
      }),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines).toEqual(lines.map(() => [true, true]));
    if (path.startsWith('/audio/')) await page.locator('main summary', { hasText: 'Transcript' }).click();
    const texts = await page
      .locator('main :is(.prose p, .transcript__line > :last-child):visible')
      .evaluateAll((elements) =>
        elements.map((element) => {
          element.textContent = 'שלום';
          const range = document.createRange();
          range.selectNodeContents(element);
          return element.getBoundingClientRect().right - range.getBoundingClientRect().right < 1;
        }),
      );
    if (path !== '/') expect(texts.length).toBeGreaterThan(0);
    expect(texts).toEqual(texts.map(() => true));
    quiet();
  },
);

/** An endless word is broken or cut; here the page is filled with it. */
async function expectRoomForLongWords(page: Page): Promise<void> {
  const texts = page.locator(
    'main :is(h1, .detail-head__by, .detail-head__text, .eyebrow > *, .detail-head .chip, .row__title, .card__title, .category-tile b, .user-playlist b, p a)',
  );
  expect(await texts.count()).toBeGreaterThan(2);
  // Written and measured in one step, because React may restore its own text when it hydrates later.
  const { overflow, tallest, spilled } = await texts.evaluateAll((elements) => {
    for (const element of elements) element.textContent = 'Sempiternal'.repeat(18);
    const titles = elements.filter((element) => element.matches('.row__title, .card__title'));
    return {
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      tallest: Math.max(0, ...titles.map((element) => element.clientHeight)),
      spilled: [...document.querySelectorAll('main :is(.category-tile, .user-playlist)')].filter(
        (card) => card.scrollHeight > card.clientHeight + 1,
      ).length,
    };
  });
  expect(overflow).toBeLessThanOrEqual(0);
  expect(tallest, 'two lines of a card at most').toBeLessThanOrEqual(48);
  expect(spilled, 'cards of a fixed shape that hold more than they show').toBe(0);
}

test('viewers get their own pages, whichever viewer saw the same cards before', slow, async () => {
  const subscriber = { email: 'subscriber@sotto.example', password: 'subscriber' };
  const [free, paying] = [await newListener(), subscriber];
  const viewers: { cookie: string; isLocked: boolean; name: string | undefined }[] = [
    { cookie: '', isLocked: true, name: undefined },
  ];
  for (const [person, isLocked] of [
    [free, true],
    [paying, false],
  ] as const) {
    const { page, quiet } = await openAs(browser, person, '/');
    const session = await sessionCookie(page);
    const name = person === subscriber ? 'subscriber' : free.username;
    viewers.push({ cookie: `${session?.name}=${session?.value}`, isLocked, name });
    // Cached HTML hydrates like any other.
    await page.reload();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await quiet();
  }
  // The same rows for all, with one user's heart.
  const { items } = (await (await fetch(`${inject('siteUrl')}/v1/api/audios?limit=1`)).json()) as {
    items: { id: string; title: string }[];
  };
  const favorite = items[0]!;
  const own = viewers[1]!;
  const kept = await fetch(`${inject('siteUrl')}/v1/api/user/favorite/${favorite.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.cookie.split('=')[1]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ contentTypeId: 'audio', isFavorite: true }),
  });
  expect(kept.status).toBe(200);
  for (let round = 0; round < 2; round += 1)
    for (const viewer of viewers) {
      const html = await (await fetch(`${inject('siteUrl')}/audios`, { headers: { cookie: viewer.cookie } })).text();
      expect(html.includes(`"Unfavorite ${favorite.title}"`)).toBe(viewer === own);
    }
  for (const path of ['/', '/audio/how-do-i-love-thee']) {
    for (let round = 0; round < 3; round += 1)
      for (const { cookie, isLocked, name } of viewers) {
        const html = await (await fetch(inject('siteUrl') + path, { headers: { cookie } })).text();
        expect(/<section[^>]*>.*\. Locked"/s.test(html)).toBe(isLocked);
        for (const other of viewers)
          if (other.name !== undefined) expect(html.includes(`"${other.name}"`)).toBe(other.name === name);
      }
  }
  // The same as data, in which shared lists are encoded once.
  for (let round = 0; round < 3; round += 1)
    for (const { cookie, name } of viewers) {
      const data = await (await fetch(`${inject('siteUrl')}/_.data`, { headers: { cookie } })).text();
      expect(data).toContain(favorite.title);
      for (const other of viewers)
        if (other.name !== undefined) expect(data.includes(`"${other.name}"`)).toBe(other.name === name);
    }
});

test('a row that did not change is kept, beside one that did', slow, async () => {
  const { page } = await openAs(browser, { email: 'subscriber@sotto.example', password: 'subscriber' }, '/library');
  const session = await sessionCookie(page);
  const authorization = `Bearer ${session?.value}`;
  async function readRows(): Promise<string[][]> {
    const headers = { cookie: `${session?.name}=${session?.value}` };
    const html = await (await fetch(`${inject('siteUrl')}/audio/how-do-i-love-thee`, { headers })).text();
    const section = html.slice(html.indexOf('aria-label="More from'));
    const rows = section.slice(0, section.indexOf('</section>')).matchAll(/href="\/audio\/([^"]+)".*?([\d,]+) plays/gs);
    return [...rows].map(([, slug = '', plays = '']) => [slug, plays.replaceAll(',', '')]);
  }
  await readRows();
  const before = await readRows();
  const [first, second] = before;
  const played = await fetch(`${inject('siteUrl')}/v1/api/audios/play/${second?.[0]}`, { headers: { authorization } });
  const { counted, plays } = (await played.json()) as { counted: boolean; plays: number };
  expect([counted, plays > Number(second?.[1])]).toEqual([true, true]);
  await expect.poll(readRows, { timeout: 15_000 }).toEqual([first, [second?.[0], String(plays)], ...before.slice(2)]);
});

test('a user’s page is sent again only when something of it has changed, and never to another session', async () => {
  const [person, other] = [await newListener(), await newListener()];
  const cookieOf = async (listener: typeof person) => {
    const { page } = await openAs(browser, listener, '/library');
    await page.reload();
    const reloaded = await page.reload();
    // Playwright subtracts the headers of the kept page, which are longer than those of a 304.
    expect((await reloaded?.request().sizes())?.responseBodySize).toBeLessThanOrEqual(0);
    const cookie = await sessionCookie(page);
    return `${cookie?.name}=${cookie?.value}`;
  };
  const [cookie, others] = [await cookieOf(person), await cookieOf(other)];
  const ask = async (headers: Record<string, string>, path = '/library', method = 'GET') => {
    const response = await fetch(inject('siteUrl') + path, { method, headers: { cookie, ...headers } });
    const tag = response.headers.get('etag') ?? '';
    return {
      status: response.status,
      tag,
      policy: response.headers.get('content-security-policy'),
      html: await response.text(),
    };
  };
  const first = await ask({});
  expect(await ask({})).toEqual(first);
  expect(first.tag).toMatch(/^"[\w-]{22}-(?:zstd|gzip|br)"$/);
  expect(await ask({ 'if-none-match': first.tag })).toEqual({ ...first, status: 304, html: '' });
  expect(await ask({}, '/library', 'HEAD')).toEqual({ ...first, html: '' });

  const plain = await ask({ 'accept-encoding': 'identity' });
  expect([plain.html, plain.tag === first.tag]).toEqual([first.html, false]);
  // The same tag of another user, theme or address is not theirs.
  expect((await ask({ 'if-none-match': first.tag, cookie: others })).html).toContain(`"${other.username}"`);
  expect((await ask({ 'if-none-match': first.tag, cookie: `${cookie}; sotto_theme=light` })).html).toContain(
    'data-theme="light"',
  );
  expect((await ask({ 'if-none-match': first.tag }, '/library?tab=voices')).status).toBe(200);

  const { items } = (await (await fetch(`${inject('siteUrl')}/v1/api/audios?limit=1`)).json()) as {
    items: { id: string; title: string }[];
  };
  const call = (path: string, body: object) =>
    fetch(`${inject('siteUrl')}/v1/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cookie.split('=')[1]}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const favor = (isFavorite: boolean) => call(`/user/favorite/${items[0]?.id}`, { contentTypeId: 'audio', isFavorite });
  expect((await favor(true)).status).toBe(200);
  const changed = await ask({ 'if-none-match': first.tag });
  expect([changed.status, changed.html.includes(`"Unfavorite ${items[0]?.title}"`)]).toEqual([200, true]);
  expect((await favor(false)).status).toBe(200);
  expect((await ask({ 'if-none-match': changed.tag })).html).not.toContain(`"Unfavorite ${items[0]?.title}"`);

  expect((await call('/auth/logout', {})).ok).toBe(true);
  const ended = await ask({ 'if-none-match': first.tag });
  expect([ended.status, ended.html.includes(person.username)]).toEqual([200, false]);
});

test('every page can be read without JavaScript', slow, async () => {
  const { page, quiet } = await browser.open('/', { ...desktop, javaScriptEnabled: false });
  for (const path of paths) {
    await page.goto(await address(path));
    const heading = (await page.locator('main h1').textContent()) ?? '';
    const links = await page.locator('main a[href], footer a[href]').count();
    expect([path, heading.trim().length > 2, links > 2]).toEqual([path, true, true]);
  }
  await quiet([expect.stringContaining('404')]);
});

test('without JavaScript a row still shows that it is locked, and pages that need script say so', async () => {
  const { page, quiet } = await browser.open('/audios', { ...desktop, javaScriptEnabled: false });
  const rows = page.locator('main li.row:not(.row--head)');
  const locked = await rows.filter({ has: page.locator('.plain-lock:visible') }).count();
  expect(locked).toBeGreaterThan(0);
  expect(locked).toBeLessThan(await rows.count());
  for (const path of ['/account', '/library', '/reset-password?token=x', '/confirm-email?token=x']) {
    await page.goto(path);
    expect(await page.locator('main').innerText()).toContain('needs JavaScript');
  }
  await quiet();
});

test('search engines index the library that visitors see, and nobody’s own', async () => {
  const { page, quiet } = await openAs(browser, await newListener(), '/library');
  const robots = async (address: string, headers: Record<string, string>) =>
    /<meta name="robots" content="([^"]*)"/.exec(await (await fetch(address, { headers })).text())?.[1];
  const address = inject('siteUrl') + '/library';
  const session = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(await robots(address, {})).toBeUndefined();
  expect(await robots(address, { cookie: session })).toBe('noindex, follow');
  await quiet();
});

test('too long an address gets an error page, which stays after its scripts load', slow, async () => {
  const { page, quiet } = await browser.open('/about', desktop);
  const answer = await page.goto(`/search?search=${'a'.repeat(4100)}`);
  expect([answer?.status(), answer?.headers()['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
  await hydrated(page);
  expect(await page.locator('h1').allTextContents()).toEqual(['Wrong address']);
  await page.getByRole('link', { name: 'Go home' }).click();
  await page.getByRole('contentinfo').waitFor();
  await quiet([expect.stringContaining('413')]);
});

test('an info page is found in any case', async () => {
  const answers = await Promise.all(['/ABOUT', '/Terms'].map((path) => fetch(inject('siteUrl') + path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('every link of the pages leads somewhere', slow, async () => {
  const base = inject('siteUrl');
  const seen = new Set<string>(['/']);
  for (const path of seen) {
    const response = await fetch(base + path);
    expect([path, response.status]).toEqual([path, 200]);
    const html = await response.text();
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*\shref="([^"#]*)"/g)) {
      const target = href.replaceAll('&amp;', '&');
      // One of each kind of filter is enough; a separate test covers the pages of lists.
      if (target.startsWith('/') && !target.includes('?')) seen.add(target);
    }
  }
  expect(seen.size).toBeGreaterThan(120);
});

test('without JavaScript a long list continues by its link and shows every audio once', async () => {
  const base = inject('siteUrl');
  const all = (await (await fetch(`${base}/v1/api/audios?limit=100`)).json()) as Listed;
  const found: string[] = [];
  let path: string | undefined = '/audios';
  while (path !== undefined) {
    const html = await (await fetch(base + path)).text();
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    const slugs = new Set([...main.matchAll(/href="\/audio\/([a-z0-9-]+)"/g)].map((match) => match[1] ?? ''));
    found.push(...slugs);
    path = /href="([^"]*[?&](?:amp;)?cursor=[^"]*)"/.exec(main)?.[1]?.replaceAll('&amp;', '&');
    if (path?.startsWith('?')) path = `/audios${path}`;
  }
  expect(found.toSorted()).toEqual(all.items.map((item) => item.slug).toSorted());
});

test('an audio page says to others what it is', async () => {
  const html = await (await fetch(`${inject('siteUrl')}/audio/how-do-i-love-thee`)).text();
  for (const part of [
    '<meta property="og:image" content="http',
    '<meta property="og:title"',
    '<meta name="description"',
    '<link rel="canonical" href="http',
  ])
    expect(html).toContain(part);
  const data = /<script[^>]*type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({
    '@type': 'AudioObject',
    name: 'How Do I Love Thee? Let Me Count the Ways',
    duration: expect.stringMatching(/^PT/),
  });
});

test('the policy of a page names the hash of each of its inline scripts, and allows no others', async () => {
  for (const cookie of ['', 'sotto_theme=light', 'sotto_theme=system']) {
    const response = await fetch(`${inject('siteUrl')}/audio/how-do-i-love-thee`, { headers: { cookie } });
    const html = await response.text();
    const [policy = ''] = /script-src [^;]*/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
    const scripts = [...html.matchAll(/<script(?![^>]*ld\+json)[^>]*>(.*?)<\/script>/gs)].map(([, text = '']) => text);
    expect(scripts.length).toBeGreaterThan(2);
    const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(
      policy
        .split(' ')
        .filter((source) => source.startsWith("'"))
        .toSorted(),
    ).toEqual(["'self'", ...new Set(hashes)].toSorted());
    expect(html).not.toContain('nonce="n');
  }
});

test('The scripts of a page wait for its first picture, for a second at most', async () => {
  const { page, quiet } = await browser.open('/about', mobile);
  // On a busy machine the page may appear long after its picture could have arrived.
  await page.context().route(/\/hero-[^/]+(?<!\.css)$/, async (route) => {
    await page.waitForFunction(() => {
      const [appeared] = performance.getEntriesByName('first-contentful-paint');
      return appeared !== undefined && performance.now() > appeared.startTime + 200;
    });
    await route.continue();
  });
  await page.goto('/');
  await hydrated(page);
  const { begun, painted, picture, scripts } = await page.evaluate(() => {
    const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const loads = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return {
      begun: document?.responseStart ?? 0,
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      picture: loads.find(({ name }) => /\/hero-[^/]+(?<!\.css)$/.test(name))?.responseEnd ?? 0,
      scripts: Math.min(...loads.filter(({ name }) => name.endsWith('.js')).map(({ startTime }) => startTime)),
    };
  });
  expect(picture - painted).toBeGreaterThan(100);
  expect(scripts).toBeGreaterThanOrEqual(Math.min(picture, begun + 1000));
  await quiet();
});

test.each([
  ['/%00', 404],
  ['/audio/%E0%A4%A', 404],
  ['/%', 404],
  ['/%E2%80%A8', 404],
  ['/audio/../../etc/passwd', 404],
  ['/audio/..%2f..%2fetc%2fpasswd', 404],
  [`/${'a'.repeat(10_000)}`, 413],
  ['/audios?cursor=nonsense', 400],
  ['/audios?sort=evil', 200],
  ['/assets/../server/index.js', 404],
  ['/assets/..%2f..%2fserver%2findex.js', 404],
  ['/images/..%2f..%2fsotto.pid', 404],
  ['/media/audios/..%2f..%2fsotto.pid', 404],
])('GET %s answers without failing', async (path, status) => {
  const response = await fetch(inject('siteUrl') + path);
  expect(response.status < 500 && [status, 404, 400].includes(response.status)).toBe(true);
  expect(await response.text()).not.toMatch(/\n\s+at |node_modules/);
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s on a page is refused with a code', async (method) => {
  const response = await fetch(`${inject('siteUrl')}/audios`, { method });
  expect(response.status).toBe(405);
  expect(await response.json()).toMatchObject({ error: { code: 'request/method-not-allowed' } });
});

test('terms are printed black on white, also in the dark theme', async () => expectPrintable('/terms'));
test.each([
  '/blog/why-a-low-voice',
  '/audio/how-do-i-love-thee',
  '/playlists/sonnets-after-midnight',
  '/',
  '/audios',
  '/creators/maren-holt',
  '/series/sonnets-from-the-portuguese',
  '/categories/longing',
  '/search?query=rain',
  '/blog',
  '/playlists/start-here',
  '/privacy',
  '/about',
  '/creators',
])('%s is printed black on white, also in the dark theme', slow, expectPrintable);

async function expectPrintable(path: string): Promise<void> {
  const { page, quiet } = await browser.open(path, { ...desktop, colorScheme: 'dark' });
  const transcript = page.getByText('Transcript', { exact: true });
  if (await transcript.isVisible()) await transcript.click();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await nextFrame(page);
  const pale = await page.evaluate(() => {
    const grounds = [document.documentElement, document.body]
      .map((element) => getComputedStyle(element).backgroundColor)
      .filter((color) => !['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'].includes(color));
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    let count = 0;
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const { parentElement: parent, textContent } = text;
      if (parent === null || textContent?.trim() === '' || !parent.checkVisibility({ visibilityProperty: true }))
        continue;
      if (parent.closest('script, style, noscript') !== null) continue;
      count += 1;
      const { color, opacity } = getComputedStyle(parent);
      if (color !== 'rgb(0, 0, 0)' || opacity !== '1') found.push(`${textContent}: ${color} ${opacity}`);
    }
    return { grounds, found, count };
  });
  expect(pale).toEqual({ grounds: [], found: [], count: expect.any(Number) });
  expect(pale.count).toBeGreaterThan(10);
  // Nothing to press, and a long text is whole.
  expect(await page.locator('button:visible:not(.transcript button)').allTextContents()).toEqual([]);
  expect(await page.getByText('Get Started').filter({ visible: true }).count()).toBe(0);
  const hidden = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((element) => element.scrollHeight > element.clientHeight + 1)
      .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowY))
      .map((element) => element.className),
  );
  expect(hidden).toEqual([]);
  await quiet();
}
