/** @module-tag slow */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { browserLimits } from '#player/browser-limits.ts';
import { button, openAccount, openForm, seeNotice } from '../support/browser/account-page.ts';
import { type Member, field, fillLogIn, modalOf, openLogIn, registered, visitorOf } from '../support/accounts.ts';
import { silent } from '../support/browser-calls.ts';
import { desktop, useBrowser } from '../support/browser/browser.ts';
import { createVoice } from '../support/factories.ts';
import { memberState } from '../support/payments/member-state.ts';
import { cardField, startPayingSite } from '../support/payments/paying-site.ts';

/** The site accepts these requests of a page, and never answers. */

const site = await startPayingSite();
const browser = useBrowser({ images: false });
const visit = async () => (await browser.open('/', visitorOf(site, desktop))).page;
const account = (person: Member, part?: Parameters<typeof openAccount>[4]) =>
  openAccount(browser, site, person, desktop, part);

const rows: {
  call: string;
  limit: number;
  path: RegExp;
  open(person: Member): Promise<Page>;
  ask(page: Page, person: Member): Promise<void>;
  /** That it is shown, and nothing is lost. */
  see(page: Page, person: Member): Promise<void>;
}[] = [
  {
    call: silent('a call of the built-in identity provider'),
    limit: browserLimits.call,
    path: /\/identity\/sign-in\/email$/,
    open: visit,
    ask: async (page, person) => fillLogIn(await openLogIn(page), person),
    async see(page, person) {
      await modalOf(page).getByText('No internet connection').waitFor();
      expect(await field(modalOf(page), 'Email').inputValue()).toBe(person.email);
    },
  },
  {
    call: silent('a call of the API'),
    limit: browserLimits.call,
    path: /\/user\/profile/,
    open: account,
    async ask(page) {
      const edit = await openForm(page, 'Edit username');
      await field(edit, 'Username').fill('someone_else_here');
      await edit.getByText('Available', { exact: true }).waitFor();
      await edit.getByRole('button', { name: 'Save' }).click();
    },
    async see(page) {
      await page.getByText('No internet connection').first().waitFor();
      expect(await field(page.locator('main'), 'Username').inputValue()).toBe('someone_else_here');
    },
  },
  {
    call: silent('an export'),
    limit: browserLimits.file,
    path: /\/user\/export$/,
    open: (person) => account(person, 'data'),
    ask: (page) => button(page, 'Download your data').click(),
    see: (page) => seeNotice(page, 'No internet connection'),
  },
  {
    call: silent('the payment script'),
    limit: browserLimits.asset,
    path: /\/stripe-sandbox\/v3\.js$/,
    open: (person) => account(person, 'subscription'),
    async ask(page) {
      await button(page.locator('#subscription'), 'Subscribe').click();
      await button(modalOf(page), 'Continue').click();
    },
    async see(page) {
      await modalOf(page).getByText('The payment form could not be loaded.').waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await button(modalOf(page), 'Try again').click();
      await cardField(page, 'number').waitFor();
    },
  },
  {
    call: silent('silence within an upload'),
    limit: browserLimits.upload,
    path: /\/uploads$/,
    async open({ id }) {
      const voice = await createVoice(site.db);
      await setVoiceOwner(site.db, voice.id, id, true);
      const options = { ...visitorOf(site, desktop), storageState: await memberState(site, id) };
      return (await browser.open(`/studio/${voice.slug}/upload`, options)).page;
    },
    async ask(page) {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose files' }).click();
      await (await chooser).setFiles({ name: 'one.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(5000, 1) });
    },
    async see(page) {
      await page.getByText('The site does not answer').first().waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // It goes up at the next try.
      await page.clock.runFor(browserLimits.upload / 2);
      await expect.poll(() => site.jobs).toContainEqual(expect.stringMatching(/^process-upload /));
    },
  },
];

test.each(rows)('$call ends at its limit, is shown, and loses nothing', async (row) => {
  const person = await registered(site);
  const page = await row.open(person);
  await page.clock.install();
  const asked = Promise.withResolvers<void>();
  await page.route(row.path, () => asked.resolve());
  await row.ask(page, person);
  await asked.promise;
  await page.clock.runFor(row.limit - 5000);
  const shown = page.getByText(/No internet connection|could not be loaded|does not answer/);
  expect(await shown.count()).toBe(0);
  await page.clock.runFor(6000);
  await row.see(page, person);
});
