import axe from 'axe-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { desktop, inBothSizes, nextFrame } from './browser/browser.ts';
import type { startWholeSite } from './whole-site.ts';

type WholeSite = Awaited<ReturnType<typeof startWholeSite>>;

let people = 0;

/** An unused username, email and password. */
export function newPerson() {
  people += 1;
  const name = `night-${people}-${crypto.randomUUID().slice(0, 8)}`;
  return { username: name, email: `${name}@example.org`, password: 'a night lullaby' };
}

export type Member = ReturnType<typeof newPerson> & { id: string };

/** A user with an account. */
export async function registered({ site }: Pick<WholeSite, 'site'>): Promise<Member> {
  const person = newPerson();
  const outcome = await site.identity.signUp(person);
  if (!outcome.ok) throw new Error(outcome.reason);
  return { ...person, id: outcome.user.id };
}

/** A browser at this file's own site. */
export function visitorOf({ url }: Pick<WholeSite, 'url'>, options: BrowserContextOptions): BrowserContextOptions {
  return { ...options, baseURL: url };
}

/** The account window, of which there is one; notices are dialogs too. */
export function modalOf(page: Page): Locator {
  return page.locator('.modal');
}

export async function openLogIn(page: Page): Promise<Locator> {
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Welcome back' }).waitFor();
  return modal;
}

export async function openSignUp(page: Page): Promise<Locator> {
  await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).click();
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: 'Create your account' }).waitFor();
  return modal;
}

export function field(within: Page | Locator, name: string): Locator {
  return within.getByRole('textbox', { name, exact: true });
}

export async function fillLogIn(modal: Locator, { email, password }: { email: string; password: string }) {
  await field(modal, 'Email').fill(email);
  await field(modal, 'Password').fill(password);
  await modal.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** @returns the button that creates the account */
export async function fillSignUp(modal: Locator, person: ReturnType<typeof newPerson>): Promise<Locator> {
  await field(modal, 'Email').fill(person.email);
  await field(modal, 'Username').fill(person.username);
  await modal.getByText('Available', { exact: true }).waitFor();
  await field(modal, 'Password').fill(person.password);
  await agree(modal);
  const submit = modal.locator('button[type=submit]');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  return submit;
}

/** Logs in from the header; resolves when the page shows the user. */
export async function logIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await fillLogIn(await openLogIn(page), person);
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await modalOf(page).waitFor({ state: 'detached' });
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).waitFor();
}

export async function sessionCookie(page: Page) {
  return (await page.context().cookies()).find(({ name }) => name === 'sotto_session');
}

/** The session in localStorage; null if there is none. */
export function keptSession(page: Page): Promise<{ token: string; lastUpdated: number; userId: string } | null> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('sotto.session') ?? 'null') as never);
}

/** The boxes are drawn over their inputs. */
export async function agree(modal: Locator): Promise<void> {
  for (const box of await modal.getByRole('checkbox').all()) await box.press('Space');
}

/** Tags of axe's rules. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose outcome depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * @param part limits the check to this element
 * @param which `colors` for a page already checked for all rules in the other theme
 */
export async function expectCleanForAxe(page: Page, part = 'body', which: 'all' | 'colors' = 'all'): Promise<void> {
  // Sections far below keep their old style, such as the other theme's, until they render.
  const shown = await page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important; }');
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  });
  await nextFrame(page);
  // Elements that fade in do not have their final colours yet.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  // AxeBuilder loads axe twice for each call and fetches all passed checks: twice the time on a small page.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  const found = await page.evaluate(
    async ([within, runOnly]) => {
      const { run } = (window as unknown as { axe: Pick<typeof axe, 'run'> }).axe;
      // Without its own copy of the style sheets, which no rule here reads: a tenth of the time.
      const preload = { assets: ['media'] };
      const { violations } = await run(within, { resultTypes: ['violations'], runOnly, preload });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map((node) => [node.target.join(' '), node.any[0]?.message].join(': ')).join(', ')}`,
      );
    },
    [part, which === 'all' ? rules : colorRules] as const,
  );
  await shown.evaluate((sheet) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  });
  expect(found).toEqual([]);
}

/** Checks a loaded page in the sizes of both layouts. */
export function expectCleanInBothSizes(page: Page, part?: string): Promise<void> {
  return inBothSizes(page, () => expectCleanForAxe(page, part));
}

/** The same, in the dark theme on a desktop and in the light one on a phone: sizes and themes are independent. */
export function expectCleanInBothLooks(page: Page, part?: string): Promise<void> {
  return inBothSizes(page, async () => {
    const isWide = page.viewportSize()?.width === desktop.viewport.width;
    await page.emulateMedia({ colorScheme: isWide ? 'dark' : 'light' });
    await expectCleanForAxe(page, part);
  });
}

/** Sizes and themes are independent, so each is tested once. */
const variants = [
  ['desktop, dark', 1440, 900, 'dark'],
  ['phone, light', 390, 844, 'light'],
] as const;

/** In both sizes and themes: no axe violations, not too wide, and everything reachable. */
export async function expectSoundModal(page: Page, heading: string): Promise<void> {
  const modal = modalOf(page);
  await modal.getByRole('heading', { name: heading }).waitFor();
  for (const [variant, width, height, colorScheme] of variants) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await expectCleanForAxe(page, '.modal');
    const box = await modal.boundingBox();
    expect([variant, (box?.width ?? 0) <= 500, (box?.x ?? -1) >= 0]).toEqual([variant, true, true]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0);
    const outside = await modal.locator('button, input, a').evaluateAll(
      // With an emulated phone, `innerWidth` grows with content that is too wide.
      (all, screen) =>
        all.filter((one) => {
          one.scrollIntoView({ block: 'nearest' });
          const { left, top, right, bottom } = one.getBoundingClientRect();
          // Scrolling stops at whole pixels.
          return left < -1 || top < -1 || right > screen.width + 1 || bottom > screen.height + 1;
        }).length,
      { width, height },
    );
    expect([variant, outside]).toEqual([variant, 0]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
