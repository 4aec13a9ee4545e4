/** @module-tag slow */
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrated, useBrowser } from '../support/browser/browser.ts';
import { type Listener, openPageAs } from '../support/listener.ts';
import { areas, tour, tours } from '../support/browser/page-tour.ts';

/**
 * In forced colors, as in Windows High Contrast, shadows vanish and backgrounds are replaced: a control whose states
 * differ by these alone looks the same in both. Each kind of control is put into both states of each kind, on every page
 * and in every menu and dialog, and the pixels are compared.
 */

const browser = useBrowser({ images: false });

type Found = { id: string; state: string; kind: string };

/** `seen`: kinds of controls with their states that another page had; `same`: those that look alike in both states. */
type Walk = { page: Page; session: CDPSession; seen: Set<string>; opened: Set<string>; same: string[] };

type Seen = Pick<Walk, 'seen' | 'opened'>;
const nothingSeen = (): Seen => ({ seen: new Set(), opened: new Set() });

async function beginWalk(begin: string, account?: Listener, known = nothingSeen()): Promise<Walk> {
  const { page } = account === undefined ? await browser.open(begin) : await openPageAs(browser, account, begin);
  // As an option of the context it would be gone in the next test that uses this tab.
  await page.emulateMedia({ forcedColors: 'active' });
  const session = await page.context().newCDPSession(page);
  return { page, session, ...known, same: [] };
}

async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
  expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    // A text area without a border would be seen by its handle, and a focused field by its caret.
    sheet.replaceSync(`*, ::before, ::after { transition: none !important; caret-color: transparent !important; }
      textarea { resize: none !important; }`);
    document.adoptedStyleSheets.push(sheet);
    // A menu would close, and a field would complain, when the focus leaves it.
    for (const type of ['focus', 'blur', 'focusin', 'focusout'])
      addEventListener(
        type,
        (event) => {
          if ('comparing' in document.documentElement.dataset) event.stopImmediatePropagation();
        },
        { capture: true },
      );
  });
}

/** Marks the controls of this part of the page, or of the open menu or dialog, by their kinds. */
function findControls(page: Page, part: string): Promise<Found[]> {
  return page.evaluate((part) => {
    const isShown = (element: Element, opacityProperty = true) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 2 && height > 2 && element.checkVisibility({ visibilityProperty: true, opacityProperty });
    };
    const open = [...document.querySelectorAll('[role="dialog"], [role="menu"], .menu')].findLast((one) =>
      isShown(one),
    );
    const within = open ?? document.querySelector(part) ?? document.body;
    // The first item of a menu that was opened by key.
    for (const one of within.querySelectorAll('[data-highlighted]')) one.removeAttribute('data-highlighted');
    const found: { id: string; state: string; kind: string }[] = [];
    const classOf = (element: Element | null) => [...(element?.classList ?? [])].toSorted().join('.');
    const root = document.documentElement.dataset;
    const nextId = () => (root['controls'] = String(Number(root['controls'] ?? 0) + 1));
    const add = (element: Element, state: string) => {
      const seenBy = visualOf(element);
      // Some buttons appear when they get the focus.
      if (!isShown(seenBy, state !== 'focused') || (state === 'focused' && element.matches(':disabled'))) return;
      const id = element.getAttribute('data-control') ?? nextId();
      element.setAttribute('data-control', id);
      const { tagName } = element;
      const type = element.getAttribute('type') ?? '';
      const own = classOf(seenBy);
      const kind = [tagName, type, element.getAttribute('role'), own === '' ? classOf(element.parentElement) : own];
      found.push({ id, state, kind: kind.join(' ') });
    };
    /** Covers a part of the page, and would flow together with it. */
    const isSurface = (element: Element) => {
      const { position, backgroundColor } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const isWhole = width >= innerWidth && height >= innerHeight;
      return /fixed|sticky/.test(position) && !isWhole && !/[,/] ?0(?:\.0+)?\)$/.test(backgroundColor);
    };
    const visualOf = (element: Element) =>
      element.closest(
        '.slider, .swatches label, .check-box, .plan, .user-playlist, .input, .header__search, [data-find], .token-box',
      ) ?? element;
    const all = (selector: string) => [...within.querySelectorAll(selector)];
    const fields =
      'input:not([type=hidden], [type=checkbox], [type=radio], [type=range], [type=file]), textarea, select';
    for (const one of all(fields)) for (const state of ['shown', 'focused', 'disabled']) add(one, state);
    for (const one of all('[type=checkbox], [type=radio]'))
      for (const state of ['checked', 'focused', 'disabled']) add(one, state);
    for (const one of all('.slider [type=range]'))
      for (const state of ['thumb', 'focused', 'disabled']) add(one, state);
    for (const one of all('.slider:not(.slider--overlay) [type=range]')) add(one, 'share');
    // A line of a transcript is never disabled, and the player's cover only while it is empty.
    for (const one of all('button:not(.cue__sound, .rounded-cover)')) add(one, 'disabled');
    for (const one of all('button, a[href], summary, [tabindex="0"]')) add(one, 'focused');
    for (const name of ['aria-pressed', 'aria-checked', 'aria-selected', 'aria-current'])
      for (const one of all(`[${name}]`)) add(one, name);
    for (const one of all('[role^="menuitem"], [role="option"]')) add(one, 'data-highlighted');
    for (const one of all('[role^="menuitem"][aria-checked]')) add(one, 'highlighted or chosen');
    for (const one of [within, ...all('*')]) if (isSurface(one)) add(one, 'edge');
    root['comparing'] = '';
    return found;
  }, part);
}

/** Puts a control into a state. @returns the part of the page that shows it; undefined when it is not in view */
function put(page: Page, { id, state }: Found, isOn: boolean) {
  return page.evaluate(
    ([id, state, isOn]) => {
      const element = document.querySelector<HTMLInputElement>(`[data-control="${id}"]`);
      if (element === null) return undefined;
      const visual =
        element.closest<HTMLElement>(
          '.slider, .swatches label, .check-box, .plan, .user-playlist, .input, .header__search, [data-find], .token-box',
        ) ?? element;
      switch (state) {
        case 'shown':
          element.value = '';
          element.placeholder = '';
          // Only the box itself: an icon in it would be seen without one.
          for (const child of visual.children) (child as HTMLElement).style.visibility = 'hidden';
          visual.style.visibility = isOn ? 'visible' : 'hidden';
          break;
        case 'focused':
          if (isOn) element.focus({ preventScroll: true });
          else element.blur();
          if (isOn && document.activeElement !== element) return undefined;
          break;
        case 'checked':
          element.checked = isOn;
          break;
        case 'disabled':
          element.disabled = isOn;
          if (isOn) visual.closest('.slider')?.setAttribute('data-disabled', '');
          else visual.closest('.slider')?.removeAttribute('data-disabled');
          break;
        case 'thumb':
          (element.parentElement as HTMLElement).style.visibility = isOn ? 'visible' : 'hidden';
          break;
        case 'share': {
          (element.parentElement as HTMLElement).style.visibility = 'hidden';
          const share = visual.querySelector<HTMLElement>('.slider__filled');
          if (share !== null) share.style.width = isOn ? '80%' : '20%';
          break;
        }
        case 'highlighted or chosen':
          element.toggleAttribute('data-highlighted', isOn);
          element.setAttribute('aria-checked', String(!isOn));
          // The item itself, without its mark.
          for (const mark of element.querySelectorAll<HTMLElement>('svg, .switch')) mark.style.visibility = 'hidden';
          break;
        case 'edge':
          document.body.style.visibility = 'hidden';
          for (const child of visual.children) (child as HTMLElement).style.visibility = 'hidden';
          visual.style.visibility = isOn ? 'visible' : 'hidden';
          break;
        case 'data-highlighted':
          element.toggleAttribute(state, isOn);
          break;
        case 'aria-current':
          if (isOn) element.setAttribute(state, 'page');
          else element.removeAttribute(state);
          break;
        default:
          element.setAttribute(state, String(isOn));
      }
      if (!isOn) visual.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, right, bottom } = visual.getBoundingClientRect();
      const [x, y] = [Math.max(0, Math.floor(left) - 9), Math.max(0, Math.floor(top) - 9)];
      const width = Math.min(innerWidth, Math.ceil(right) + 9) - x;
      const height = Math.min(innerHeight, Math.ceil(bottom) + 9) - y;
      return width > 0 && height > 0 ? { x: x + scrollX, y: y + scrollY, width, height } : undefined;
    },
    [id, state, isOn] as const,
  );
}

/** Shows again what the comparison hid. */
function putBack(page: Page, { id }: Found): Promise<void> {
  return page.evaluate((id) => {
    const element = document.querySelector<HTMLElement>(`[data-control="${id}"]`);
    const visual =
      element?.closest<HTMLElement>('.slider, .input, .header__search, [data-find], .token-box') ?? element;
    for (const one of [visual, ...(visual?.querySelectorAll<HTMLElement>('*') ?? [])])
      one?.style.removeProperty('visibility');
    document.body.style.removeProperty('visibility');
  }, id);
}

type Clip = { x: number; y: number; width: number; height: number };

/** Playwright's own screenshots take five times as long: they wait for frames, fonts and the network. */
async function picture(session: CDPSession, clip: Clip): Promise<string> {
  const { data } = await session.send('Page.captureScreenshot', {
    clip: { ...clip, scale: 1 },
    optimizeForSpeed: true,
  });
  return data;
}

/** @returns whether both states look alike; undefined when the control cannot be seen in them */
async function looksSame(
  { page, session }: Pick<Walk, 'page' | 'session'>,
  control: Found,
): Promise<boolean | undefined> {
  const clip = await put(page, control, false);
  if (clip === undefined) return undefined;
  const off = await picture(session, clip);
  const now = await put(page, control, true);
  if (now === undefined) return undefined;
  const on = await picture(session, clip);
  if (off !== on) return false;
  // A list that has just arrived moved it out of the compared part.
  return now.x === clip.x && now.y === clip.y ? true : looksSame({ page, session }, control);
}

async function compareControls(walk: Walk, where: string, { within = 'body', states = /./ } = {}): Promise<void> {
  const { page, seen, same } = walk;
  const before = await page.evaluateHandle(() => document.activeElement);
  for (const control of await findControls(page, within)) {
    const name = `${control.state}: ${control.kind}`;
    if (seen.has(name) || !states.test(control.state)) continue;
    const isSame = await looksSame(walk, control);
    if (isSame !== undefined) seen.add(name);
    if (isSame === true) same.push(`${where} ${name}`);
    await put(page, control, false);
    await putBack(page, control);
  }
  await page.evaluate((element) => {
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    delete document.documentElement.dataset['comparing'];
  }, before);
}

/** Opens each kind of menu and dialog once, by key, so that the focus stays visible. */
async function compareOpened(walk: Walk, where: string): Promise<void> {
  const { page, opened } = walk;
  for (const trigger of await page.locator('[aria-haspopup]:visible').all()) {
    const name = await trigger.evaluate(
      (element) => `${element.className} ${element.ariaLabel ?? element.textContent}`,
    );
    const kind = name.replaceAll(/\b(?:of|for) .*/g, '');
    if (opened.has(kind) || !(await trigger.isEnabled())) continue;
    opened.add(kind);
    await trigger.press('Enter');
    const popup = page.locator('[role="dialog"]:visible, [role="menu"]:visible, .menu:visible').last();
    await popup.waitFor();
    await compareControls(walk, `${where} (${kind})`);
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'hidden' });
  }
}

test('a field, a button and a link show their states', async () => {
  const walk = await beginWalk('/gift-card/redeem');
  await goTo(walk.page, '/gift-card/redeem');
  await compareControls(walk, '', { within: 'main' });
  expect([...walk.seen]).toEqual([
    'shown: INPUT text  input',
    'focused: INPUT text  input',
    'disabled: INPUT text  input',
    'disabled: BUTTON submit  btn.btn--large.btn--primary',
    'focused: A   ulink',
  ]);
  expect(walk.same).toEqual([]);
});

test('the player has an edge, and in menus what is highlighted differs from what is chosen', async () => {
  const walk = await beginWalk('/about');
  const { page, seen } = walk;
  await goTo(page, '/about');
  const states = /^edge|^highlighted/;
  await compareControls(walk, 'player', { within: '.player', states });
  await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
  await page.getByRole('menu').waitFor();
  await compareControls(walk, 'menu', { states });
  expect([...seen]).toEqual([
    'edge: SECTION   lg:max-[77.1875rem]:grid-cols-[minmax(0,1fr)_minmax(0,380px)_minmax(0,1fr)].player.print:hidden',
    'highlighted or chosen: DIV  menuitemradio menu__item',
    'highlighted or chosen: DIV  menuitemcheckbox menu__item',
  ]);
  expect(walk.same).toEqual([]);
});

/** Their pages have the same styles, so each kind is compared on one of them. */
const site = nothingSeen();
const workshop = nothingSeen();

test.for(tours)(
  '%s see the states of each control on all their pages',
  { timeout: 600_000 },
  async ([who, account]) => {
    const { begin, left } = areas[who];
    const walk = await beginWalk(begin, account, who === 'visitors' || who === 'listeners' ? site : workshop);
    const visit = async (address: string) => {
      await compareControls(walk, address);
      await compareOpened(walk, address);
    };
    const unvisited = await tour(walk.page, areas[who], visit, (address) => goTo(walk.page, address));
    expect({ same: walk.same, unvisited }).toEqual({ same: [], unvisited: left });
    expect(walk.seen.size).toBeGreaterThan(50);
  },
);
