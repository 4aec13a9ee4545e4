import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CDPSession, type Page, chromium } from 'playwright-core';
import sharp from 'sharp';
import { desktop, hydrated, mobile, nextFrame } from '#test/support/browser/browser.ts';
import { areas, tour, tours } from '#test/support/browser/page-tour.ts';
import { findBrowser } from './browser.mjs';

/* Pictures of every page of a running demo site, for changes that must not be seen:
     node scripts/page-pictures.ts take http://localhost:3000 FOLDER
     node scripts/page-pictures.ts compare BEFORE AFTER
   The site may be built from another commit; this checkout's build says which pages there are. Options: `--only operators`
   (an area, or a part of a page's address), `--quick` (both sizes in the light theme, nothing else). */
const {
  positionals: [act, first = '', second = ''],
  values: { only = '', quick = false },
} = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, quick: { type: 'boolean' } },
});

const maxHeight = 8000;
const account = (email: string, password: string) => ({ email, password });

type Look = {
  name: string;
  narrow?: true;
  dark?: true;
  /** Forced on every element. */
  states?: string[];
  forcedColors?: true;
  print?: true;
};
const looks: Look[] = [
  { name: 'wide' },
  { name: 'narrow', narrow: true },
  ...(quick
    ? []
    : ([
        { name: 'wide-dark', dark: true },
        { name: 'narrow-dark', narrow: true, dark: true },
        { name: 'hover', states: ['hover'] },
        { name: 'focus', states: ['focus', 'focus-visible', 'active'] },
        { name: 'forced', forcedColors: true },
        { name: 'print', print: true },
      ] satisfies Look[])),
];

if (act === 'take' && second !== '') await take(first, second);
else if (act === 'compare' && second !== '') await compare(first, second);
else throw new Error('See the top of this script for its use.');

async function take(siteUrl: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--mute-audio', '--disable-gpu', '--hide-scrollbars', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    for (const [who, person] of tours) {
      if (Object.keys(areas).includes(only) && only !== who) continue;
      const context = await browser.newContext({
        baseURL: siteUrl,
        ...desktop,
        reducedMotion: 'reduce',
        timezoneId: 'Europe/Berlin',
        serviceWorkers: 'block',
      });
      await context.addCookies([{ name: 'sotto_theme', value: 'system', url: siteUrl }]);
      await context.addInitScript(refuseWrites);
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      if (person !== undefined) await logIn(page, person);
      const opened = new Set<string>();
      const left = await tour(page, areas[who], async (address) => {
        const name = `${who}${nameOf(address)}`;
        if (!name.includes(only)) return;
        await settled(page);
        await steady(page);
        for (const look of looks) await shoot(page, session, look, join(folder, name));
        await show(page, session, { name: 'wide' });
        if (quick) return;
        await shootPopups(page, session, address, join(folder, name), opened);
      });
      process.stdout.write(`${who}: no link to ${left.join(' ') || 'none is missing'}\n`);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

/** A file name that is the same on each new demo site, whose identifiers are random. */
function nameOf(address: string): string {
  return (address.split('?')[0] ?? '')
    .replaceAll(/\/[0-9a-z-]*\d[0-9a-z-]*(?=\/|$)/gi, '/id')
    .replaceAll('/', '_')
    .replace(/^_$/, '_home');
}

async function logIn(page: Page, { email, password }: ReturnType<typeof account>): Promise<void> {
  await page.goto('/about');
  await page.evaluate(
    async ([email, password]) => {
      const post = (path: string, body: object) =>
        self.realFetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      await post('/identity/sign-in/email', { email, password });
      const { token: firebaseIdtoken } = (await (await fetch('/identity/token')).json()) as { token: string };
      await post('/identity/sign-out', {});
      const { token, user } = (await (await post('/v1/api/auth/login', { firebaseIdtoken })).json()) as {
        token: string;
        user: { id: string };
      };
      localStorage.setItem('sotto.session', JSON.stringify({ token, lastUpdated: Date.now(), userId: user.id }));
    },
    [email, password] as const,
  );
}

declare global {
  var realFetch: typeof fetch;
  var forcedRules: [rule: CSSStyleRule, selector: string][] | undefined;
}

/** Acts of the pressed buttons fail; the session is still renewed. */
function refuseWrites(): void {
  const send = window.fetch;
  window.realFetch = send;
  window.fetch = (input, init) =>
    new Request(input, init).method === 'GET' || /\/(?:auth|identity)\//.test(new Request(input, init).url)
      ? send(input, init)
      : Promise.reject(new TypeError('This script changes nothing'));
}

async function settled(page: Page): Promise<void> {
  await hydrated(page);
  await page.waitForLoadState('networkidle');
}

/** Digits, dates and what depends on them stand still: two sites are not filled in the same second. */
async function steady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await document.fonts.ready;
    for (const time of document.querySelectorAll('time')) time.textContent = '0 Sep 0000';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      if (text.nodeValue !== null && /\d/.test(text.nodeValue) && !text.parentElement?.closest('script, style'))
        text.nodeValue = text.nodeValue.replaceAll(/\d+/g, '0');
    for (const input of document.querySelectorAll<HTMLInputElement>('input[type=date], input[type=datetime-local]'))
      input.value = '';
  });
}

async function show(page: Page, session: CDPSession, look: Look): Promise<void> {
  await page.emulateMedia({
    colorScheme: look.dark ? 'dark' : 'light',
    forcedColors: look.forcedColors ? 'active' : 'none',
    media: look.print ? 'print' : 'screen',
    reducedMotion: 'reduce',
  });
  const { viewport } = look.narrow ? mobile : desktop;
  if (page.viewportSize()?.width !== viewport.width) {
    await page.setViewportSize(viewport);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: look.narrow === true });
  }
  await nextFrame(page);
}

async function shoot(page: Page, session: CDPSession, look: Look, path: string): Promise<void> {
  await show(page, session, look);
  await page.evaluate(forceStates, look.states ?? []);
  const { width } = page.viewportSize() ?? desktop.viewport;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.screenshot({
    path: `${path}.${look.name}.png`,
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, maxHeight) },
    animations: 'disabled',
  });
  await page.evaluate(forceStates, []);
}

/** Rules of these states apply to every element, until the next call. */
function forceStates(states: string[]): void {
  for (const [rule, selector] of (window.forcedRules ??= [])) rule.selectorText = selector;
  window.forcedRules.length = 0;
  if (states.length === 0) return;
  const pattern = new RegExp(`:(?:${states.join('|')})(?![\\w-])`, 'g');
  const walk = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) {
        const { selectorText } = rule;
        // As specific as the state.
        const forced = selectorText.replaceAll(pattern, ':not(.none)');
        if (forced !== selectorText) window.forcedRules?.push([rule, selectorText]);
        if (forced !== selectorText) rule.selectorText = forced;
      }
      if ('cssRules' in rule) walk(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of document.styleSheets) walk(sheet.cssRules);
}

/** Opens the popups of a page, each kind once per area. */
async function shootPopups(page: Page, session: CDPSession, address: string, path: string, opened: Set<string>) {
  const controls = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'summary, [aria-haspopup], button[aria-expanded], main button:not([type=submit])',
      ),
    ].flatMap((control, index) => {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
      if (control.matches(':disabled, [aria-disabled=true], [role=switch], [role=tab], [aria-pressed]')) return [];
      const [kind = ''] = (control.ariaLabel ?? control.textContent).trim().split(/\s/);
      control.dataset['control'] = String(index);
      return [{ index, kind }];
    }),
  );
  for (const { index, kind } of controls) {
    const name = kind.replaceAll(/[^\p{L}]/gu, '');
    if (name === '' || opened.has(name)) continue;
    opened.add(name);
    const control = page.locator(`[data-control="${index}"]`);
    try {
      await control.click({ timeout: 2000 });
    } catch {
      continue;
    }
    const popup = page.locator(
      '[data-menu]:visible, [role=dialog]:not([data-toast]):visible, [role=listbox]:visible, details[open] > :is(form, nav):visible',
    );
    const isOpen = await popup
      .first()
      .waitFor({ timeout: 700 })
      .then(
        () => true,
        () => false,
      );
    if (isOpen) {
      await page.waitForLoadState('networkidle');
      await steady(page);
      for (const look of looks.filter(({ states, print }) => !states && !print)) {
        await show(page, session, look);
        await page.screenshot({ path: `${path}.${name}.${look.name}.png`, animations: 'disabled', caret: 'hide' });
      }
      await show(page, session, { name: 'wide' });
    }
    await page.goto(address);
    await settled(page);
    await page.evaluate(() => {
      for (const [index, control] of document
        .querySelectorAll<HTMLElement>(
          'summary, [aria-haspopup], button[aria-expanded], main button:not([type=submit])',
        )
        .entries())
        control.dataset['control'] = String(index);
    });
  }
}

async function compare(before: string, after: string): Promise<void> {
  const [old, now] = await Promise.all(
    [before, after].map(async (folder) =>
      (await readdir(folder)).filter((name) => name.endsWith('.png') && name.includes(only)),
    ),
  );
  const differing: string[] = [];
  for (const name of old ?? []) {
    if (!now?.includes(name)) continue;
    const difference = await compareFiles(
      join(before, name),
      join(after, name),
      join(after, `${name}.difference.webp`),
    );
    if (difference !== undefined) differing.push(`${name}: ${difference}`);
  }
  const alone = (names: string[] = [], others: string[] = []) => names.filter((name) => !others.includes(name));
  for (const name of alone(old, now)) differing.push(`${name}: only before`);
  for (const name of alone(now, old)) differing.push(`${name}: only after`);
  process.stdout.write(`${differing.sort().join('\n')}\n${differing.length} of ${old?.length} pictures differ\n`);
  process.exitCode = differing.length > 0 ? 1 : 0;
}

/** @returns where they differ; undefined for the same pixels */
async function compareFiles(before: string, after: string, shown: string): Promise<string | undefined> {
  const [old, now] = await Promise.all([readFile(before), readFile(after)]);
  if (old.equals(now)) return undefined;
  const [one, other] = await Promise.all(
    [old, now].map((file) => sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (one === undefined || other === undefined) return undefined;
  const { width, height } = one.info;
  if (width !== other.info.width || height !== other.info.height)
    return `${width} × ${height} became ${other.info.width} × ${other.info.height}`;
  const mask = Buffer.alloc(width * height);
  let [count, left, top, right, bottom] = [0, width, height, 0, 0];
  for (let at = 0; at < mask.length; at += 1) {
    const isSame = [0, 1, 2].every(
      (part) => Math.abs((one.data[at * 3 + part] ?? 0) - (other.data[at * 3 + part] ?? 0)) < 3,
    );
    if (isSame) continue;
    mask[at] = 255;
    count += 1;
    [left, right] = [Math.min(left, at % width), Math.max(right, at % width)];
    [top, bottom] = [Math.min(top, Math.floor(at / width)), Math.max(bottom, Math.floor(at / width))];
  }
  if (count === 0) return undefined;
  const marked = await sharp(mask, { raw: { width, height, channels: 1 } })
    .webp()
    .toBuffer();
  await writeFile(shown, marked);
  return `${count} pixels within ${left},${top} to ${right},${bottom}`;
}
