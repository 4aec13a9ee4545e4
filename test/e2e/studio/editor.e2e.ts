/** @module-tag slow */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { expectCleanForAxe, expectCleanInBothSizes } from '../../support/accounts.ts';
import { seeNotice } from '../../support/browser/account-page.ts';
import { desktop, hydrated, mobile, useBrowser } from '../../support/browser/browser.ts';
import { writtenTexts } from '../../support/browser/downloads.ts';
import { createAudio, createSeries, createVoice } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';
import { timeZones } from '../../support/time-zones.ts';

const browser = useBrowser();
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
});

/** A page of the Studio, which has no account menu to wait for. */
function openStudio(user: { id: string }, path: string, layout: BrowserContextOptions = desktop) {
  return site.openPageAs(browser, user, path, layout);
}

/** A voice with its own owner. */
async function newCreator() {
  const voice = await createVoice(site.db);
  const owner = await newMember(site);
  await setVoiceOwner(site.db, voice.id, owner.id, true);
  const newAudio = (overrides: Parameters<typeof createAudio>[1] = {}) =>
    createAudio(site.db, { voiceId: voice.id, isFree: true, slug: `tale-${crypto.randomUUID()}`, ...overrides });
  const editorPath = (audio: { id: string }) => `/studio/${voice.slug}/audios/${audio.id}`;
  return { voice, owner, newAudio, editorPath, listPath: `/studio/${voice.slug}/audios` };
}

const publicTitle = async (audio: { slug: string }) => (await site.site.catalogue.findAudio(audio.slug))?.title;
const bar = (page: Page) => page.getByRole('region', { name: 'Changes' });
const seeSaved = (page: Page) => bar(page).getByText('Saved at').waitFor();

test('listeners see the old until the changes are published', async () => {
  const { owner, newAudio, editorPath } = await newCreator();
  const audio = await newAudio({ title: 'Before dawn', description: 'Old words' });
  const { page, quiet } = await openStudio(owner, editorPath(audio), mobile);
  await page.getByLabel('Title').fill('After dark');
  await page.getByLabel('Description').fill('New words');
  await bar(page).getByText('2 changes are not public yet').waitFor();
  await seeSaved(page);
  expect(await publicTitle(audio)).toBe('Before dawn');
  await expectCleanInBothSizes(page);

  await page.getByRole('link', { name: 'Preview' }).click();
  await page.getByRole('note', { name: 'Preview' }).waitFor();
  await page.getByRole('heading', { name: 'After dark', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Back to editing' }).click();

  // Restored from the site, not from this page.
  await page.getByRole('heading', { name: 'After dark', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await seeNotice(page, 'Changes published');
  expect(await publicTitle(audio)).toBe('After dark');
  await page.getByRole('button', { name: 'Publish changes' }).waitFor({ state: 'detached' });
  await quiet();
});

test('changes are discarded', async () => {
  const { owner, newAudio, editorPath } = await newCreator();
  const audio = await newAudio({ title: 'Kept title' });
  const { page, quiet } = await openStudio(owner, editorPath(audio));
  const access = page.getByRole('region', { name: 'Who can listen' });
  await access.getByRole('button', { name: 'Subscribers' }).click();
  await bar(page).getByText('1 change is not public yet').waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await seeNotice(page, 'Changes discarded');
  await expect.poll(() => access.getByRole('button', { name: 'Everyone' }).getAttribute('aria-pressed')).toBe('true');
  await quiet();
});

test('an audio is scheduled in the creator’s time zone, published, and unpublished with a way back', async () => {
  const { owner, newAudio, editorPath } = await newCreator();
  const audio = await newAudio({ publishedAt: null, title: 'For later' });
  const { page, quiet } = await openStudio(owner, editorPath(audio), {
    ...desktop,
    timezoneId: 'America/New_York',
  });
  await page.getByRole('radio', { name: /^Schedule/ }).check();
  await page.getByLabel('Day', { exact: true }).fill('2031-01-15');
  await page.getByLabel('Time', { exact: true }).fill('22:00');
  await page.getByText('Your time, New York').waitFor();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await seeNotice(page, /^Scheduled/);
  const facts = () => site.site.studio.findAudioFacts({ kind: 'operator' }, audio.id);
  // 22:00 in winter there is five hours behind UTC.
  expect(await facts()).toMatchObject({ state: 'scheduled', publishedAt: '2031-01-16T03:00:00.000Z' });
  await page.getByLabel('Day', { exact: true }).fill('2001-01-15');
  await page.getByText('This time has passed').waitFor();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('Choose a time in the future.').waitFor();

  const fields = () =>
    Promise.all(['Day', 'Time'].map((label) => page.getByLabel(label, { exact: true }).inputValue()));
  // Clocks there go from 2:00 to 3:00 that night.
  await page.getByLabel('Day', { exact: true }).fill('2031-03-09');
  await page.getByLabel('Time', { exact: true }).fill('02:30');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('Clocks in New York go forward and skip 02:30 on 9 Mar 2031. Choose another time.').waitFor();
  expect(await facts()).toMatchObject({ publishedAt: '2031-01-16T03:00:00.000Z' });
  await page.getByLabel('Time', { exact: true }).fill('03:30');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect.poll(facts).toMatchObject({ publishedAt: '2031-03-09T07:30:00.000Z' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(fields).toEqual(['2031-01-15', '22:00']);
  await page.getByLabel('Time', { exact: true }).fill('23:00');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  expect(await fields()).toEqual(['2031-01-15', '22:00']);

  await page.getByRole('radio', { name: /^Published/ }).check();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect.poll(() => publicTitle(audio)).toBe('For later');
  await page.getByRole('region', { name: 'Danger zone' }).getByRole('button', { name: 'Unpublish' }).click();
  await expect.poll(() => publicTitle(audio)).toBeUndefined();
  // The notice of publishing has its own Undo.
  await seeNotice(page, /^Unpublished/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => publicTitle(audio)).toBe('For later');
  await quiet();
});

test.each(timeZones)('the editor of a scheduled audio is drawn once, and shows its time in %s', async (timezoneId) => {
  // As on most servers.
  vi.stubEnv('TZ', 'UTC');
  const { owner, newAudio, editorPath, listPath } = await newCreator();
  // The last evening of a month in UTC: another month in the east.
  const publishedAt = new Date('2031-01-31T18:45:00Z');
  const audio = await newAudio({ publishedAt, title: 'At its hour' });
  const [day, clock, text] = {
    'America/Bogota': ['2031-01-31', '13:45', '31 Jan 2031'],
    'Asia/Kolkata': ['2031-02-01', '00:15', '1 Feb 2031'],
    'Pacific/Apia': ['2031-02-01', '07:45', '1 Feb 2031'],
  }[timezoneId];
  const { page, quiet } = await openStudio(owner, editorPath(audio), { ...desktop, timezoneId });
  const seeFields = async () => {
    const labels = ['Day', 'Time'];
    const fields = () => Promise.all(labels.map((label) => page.getByLabel(label, { exact: true }).inputValue()));
    await expect.poll(fields).toEqual([day, clock]);
    expect(await page.getByRole('button', { name: 'Schedule', exact: true }).count()).toBe(0);
  };
  await seeFields();
  // From now on the server knows the zone: what it writes stays as it is.
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('Title').evaluate((field) => field.setAttribute('data-drawn', 'once'));
  await hydrated(page);
  await seeFields();
  expect(await page.getByLabel('Title').getAttribute('data-drawn')).toBe('once');
  const document = await (await page.request.get(editorPath(audio))).text();
  expect(document).toContain(`value="${day}"`);
  expect(document).toContain(`value="${clock}"`);
  await page.goto(listPath);
  await page.getByText(`Scheduled ${text}`).waitFor();
  expect(await (await page.request.get(listPath)).text()).toContain(`${text}</time>`);
  vi.unstubAllEnvs();
  await quiet();
});

test('unpublished changes stay private when unpublishing is undone, and come along when the audio is published', async () => {
  const { owner, newAudio, editorPath } = await newCreator();
  const audio = await newAudio({ title: 'Before dawn' });
  const { page, quiet } = await openStudio(owner, editorPath(audio), mobile);
  const unpublish = page.getByRole('region', { name: 'Danger zone' }).getByRole('button', { name: 'Unpublish' });
  await page.getByLabel('Title').fill('After dark');
  await bar(page).getByText('1 change is not public yet').waitFor();
  await unpublish.click();
  await bar(page).getByText('1 change is not applied yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => publicTitle(audio)).toBe('Before dawn');
  await bar(page).getByText('1 change is not public yet').waitFor();

  await unpublish.click();
  await bar(page).getByText('1 change is not applied yet').waitFor();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect.poll(() => publicTitle(audio)).toBe('After dark');
  await bar(page).getByText('1 change').waitFor({ state: 'detached' });
  await quiet();
});

test('an audio is deleted after one question, and brought back', async () => {
  const { owner, newAudio, editorPath, listPath } = await newCreator();
  const audio = await newAudio({ title: 'Fleeting' });
  const { page, quiet } = await openStudio(owner, editorPath(audio), mobile);
  await page.getByRole('button', { name: 'Delete audio' }).click();
  expect(await publicTitle(audio)).toBe('Fleeting');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect.poll(() => publicTitle(audio)).toBeUndefined();
  await seeNotice(page, '“Fleeting” is deleted');
  await page.getByRole('link', { name: /^Deleted/ }).click();
  await page.waitForURL(`**${listPath}?state=deleted`);
  await page.getByRole('button', { name: 'Restore Fleeting' }).click();
  await expect.poll(() => publicTitle(audio)).toBe('Fleeting');
  await quiet();
});

test('the table: search, states and order in the address; several at once, with a question and Undo', async () => {
  const { owner, newAudio, listPath } = await newCreator();
  const [amber, birch] = [await newAudio({ title: 'Amber', plays: 5 }), await newAudio({ title: 'Birch', plays: 9 })];
  await newAudio({ title: 'Cedar', publishedAt: null });
  const { page, quiet } = await openStudio(owner, listPath, mobile);
  await expectCleanInBothSizes(page);
  const titles = () => page.getByRole('table').getByRole('link').allTextContents();
  await page.getByRole('searchbox', { name: 'Search audios' }).fill('birch');
  await page.waitForURL('**?q=birch');
  await expect.poll(async () => (await titles()).includes('Amber')).toBe(false);
  await page.getByRole('searchbox', { name: 'Search audios' }).fill('');
  await page.waitForURL((url) => !url.search.includes('q='));
  await page.getByRole('link', { name: /^Drafts/ }).click();
  await page.waitForURL('**?state=draft');
  await expect.poll(async () => (await titles()).includes('Cedar')).toBe(true);
  await page.getByRole('link', { name: /^All/ }).click();

  for (const { title } of [amber, birch]) await page.getByRole('checkbox', { name: `Select ${title}` }).press('Space');
  const bulk = page.getByRole('region', { name: '2 selected' });
  await expectCleanInBothSizes(page);
  await bulk.getByRole('button', { name: 'Unpublish' }).press('Enter');
  const question = page.getByRole('region', { name: 'Unpublish 2 audios?' });
  await expect
    .poll(() => question.getByRole('button', { name: 'Unpublish' }).evaluate((one) => one === document.activeElement))
    .toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => publicTitle(amber)).toBeUndefined();
  await seeNotice(page, '2 audios unpublished');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => publicTitle(amber)).toBe('Amber');
  await expect.poll(() => publicTitle(birch)).toBe('Birch');
  await quiet();
});

test('two tabs: the later one learns who changed what, and nothing is lost', async () => {
  const { owner, newAudio, editorPath, voice } = await newCreator();
  const other = await newMember(site);
  await setVoiceOwner(site.db, voice.id, other.id, true);
  const audio = await newAudio({ title: 'Common' });
  const first = await openStudio(owner, editorPath(audio));
  const second = await openStudio(other, editorPath(audio));
  await first.page.getByRole('textbox', { name: 'Title' }).fill('By the first');
  await seeSaved(first.page);
  await second.page.getByRole('textbox', { name: 'Title' }).fill('By the second');
  const versions = second.page.getByRole('alert');
  await versions.getByText(`${owner.username} changed this meanwhile, `).waitFor();
  await versions.getByText('Yours: By the second').waitFor();
  await versions.getByText('Theirs: By the first').waitFor();
  // The field still has the typed text.
  expect(await second.page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('By the second');
  await expectCleanForAxe(second.page);
  await second.page.getByRole('button', { name: 'Compare both versions' }).click();
  await expect.poll(() => versions.isVisible()).toBe(true);
  await second.page.getByRole('button', { name: 'Take theirs: Title' }).click();
  await expect.poll(() => second.page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('By the first');

  await second.page.getByRole('textbox', { name: 'Title' }).fill('Second again');
  await seeSaved(second.page);
  await first.page.getByRole('textbox', { name: 'Title' }).fill('First again');
  await first.page.getByText(`${other.username} changed this meanwhile, `).waitFor();
  await first.page.getByRole('button', { name: 'Save mine instead' }).click();
  await seeSaved(first.page);
  await first.page.getByRole('button', { name: 'Publish changes' }).click();
  await expect.poll(() => publicTitle(audio)).toBe('First again');
  // A conflict is a 409, which browsers write into the console.
  const conflict = expect.stringContaining('409');
  await first.quiet([conflict]);
  await second.quiet([conflict]);
});

test('offline changes stay on the device, and are saved when online again', async () => {
  const { owner, newAudio, editorPath } = await newCreator();
  const audio = await newAudio({ publishedAt: null, title: 'Offline' });
  const { page } = await openStudio(owner, editorPath(audio));
  const api = '**/v1/api/studio/audios/**';
  await page.route(api, (route) => route.abort());
  await page.getByLabel('Title').fill('Typed in a tunnel');
  await expect.poll(() => bar(page).textContent()).toContain('Not saved. Kept on this device, trying again.');
  // Records of an earlier version, which were unencrypted.
  await page.evaluate(() => {
    localStorage.setItem('sotto_unsaved_audio_other', '{"version":1,"change":{"title":"Typed before"}}');
    localStorage.setItem('sotto_uploads', '{"voice  raw-take.wav 9 1":{"id":"1","at":9999999999999}}');
  });
  // The page is left meanwhile.
  await page.reload();
  await page.getByLabel('Title').waitFor();
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Typed in a tunnel');
  await page.getByLabel('Description').fill('Sealed words');
  await expect.poll(() => writtenTexts(page)).not.toMatch(/Typed before|raw-take/);
  const written = await writtenTexts(page);
  expect(written).not.toMatch(/Typed|tunnel|Sealed words|Offline/);
  for (const name of [`sotto_unsaved_audio_${audio.id}`, 'sotto_unsaved_audio_other', 'sotto_uploads'])
    expect(written).toContain(name);
  await page.unroute(api);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await seeSaved(page);
  expect(await site.site.studio.findAudioFacts({ kind: 'operator' }, audio.id)).toMatchObject({
    title: 'Typed in a tunnel',
  });
});

test('errors are beside their field, and the rest is saved', async () => {
  const { owner, newAudio, editorPath } = await newCreator();
  const taken = await newAudio();
  const audio = await newAudio({ publishedAt: null, title: 'Named' });
  const { page } = await openStudio(owner, editorPath(audio));
  await page.getByLabel('Title').fill('');
  await page.getByText('Enter a title', { exact: true }).waitFor();
  await page.getByLabel('Description').fill('Saved all the same');
  await bar(page).getByText('Not saved: title. The rest is.').waitFor();
  const description = async () =>
    (await site.site.studio.findEditedAudio({ kind: 'operator' }, audio.id))?.values.description;
  await expect.poll(description).toBe('Saved all the same');
  await page.getByRole('radio', { name: /^Published/ }).check();
  expect(await page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true);
  await page.getByLabel('Title').fill('Named again');
  await page.getByLabel('Address').fill(taken.slug);
  await page.getByText('Another audio already has this address.').first().waitFor();
  await page.getByLabel('Address').fill('an-address-of-its-own');
  await seeSaved(page);
});

test('categories, tags, series and the crop are set by keyboard', async () => {
  const { owner, newAudio, editorPath, voice } = await newCreator();
  const part = await newAudio({ title: 'Part one' });
  await createSeries(site.db, {
    voiceId: voice.id,
    title: 'Nights',
    slug: `nights-${crypto.randomUUID()}`,
    audioIds: [part.id],
  });
  const audio = await newAudio({ publishedAt: null });
  const { page, quiet } = await openStudio(owner, editorPath(audio));
  await page.getByRole('combobox', { name: 'Categories' }).fill('sonn');
  await page.getByRole('option', { name: 'Sonnets' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Sonnets' }).waitFor();
  await page.getByRole('combobox', { name: 'Tags' }).fill('brand new');
  await page.keyboard.press('Enter');
  await page.keyboard.type('another,');
  await page.getByRole('button', { name: 'Remove another' }).waitFor();
  await page.keyboard.press('Backspace');
  await page.getByRole('button', { name: 'Remove another' }).waitFor({ state: 'detached' });
  await page.getByLabel('Series', { exact: true }).selectOption('Nights');
  const values = async () => (await site.site.studio.findEditedAudio({ kind: 'operator' }, audio.id))?.values;
  await expect.poll(values).toMatchObject({ categories: ['sonnets'], tags: ['brand new'], series: { part: 2 } });

  // A picture of 1,800 × 1,500 px, made in the browser.
  const picture = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1800, 1500];
    const context = canvas.getContext('2d');
    for (let x = 0; x < 1800; x += 10) {
      if (context !== null) context.fillStyle = `rgb(${x % 255} 80 120)`;
      context?.fillRect(x, 0, 10, 1500);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  await page.getByLabel('Picture file').setInputFiles({
    name: 'cover.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture, 'base64'),
  });
  const crop = page.getByRole('group', { name: /^Crop/ });
  await crop.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('-');
  await page.keyboard.press('-');
  const area = async () => (await site.site.studio.findEditedAudio({ kind: 'operator' }, audio.id))?.cover.area;
  await expect.poll(area).toEqual({ x: 150, y: 18, size: 1464 });
  await expectCleanForAxe(page);
  await quiet();
});

test('nobody but those who manage the voice finds the pages', async () => {
  const { newAudio, editorPath, listPath } = await newCreator();
  const audio = await newAudio();
  const stranger = await newCreator();
  const { page } = await site.openAs(browser, stranger.owner, '/library');
  for (const path of [listPath, editorPath(audio), `${editorPath(audio)}/preview`]) {
    const answer = await page.goto(path);
    expect([path, answer?.status()]).toEqual([path, 404]);
  }
});

test('long and right-to-left titles fit down to 320 px, in both themes', async () => {
  const { owner, newAudio, editorPath, listPath } = await newCreator();
  const audio = await newAudio({ title: 'שיר השירים אשר לשלמה '.repeat(9).trim() });
  await newAudio({ title: 'Unbroken'.repeat(24) });
  const narrow = { ...mobile, viewport: { width: 320, height: 700 } };
  for (const path of [listPath, editorPath(audio)]) {
    const { page, quiet } = await openStudio(owner, path, narrow);
    for (const [colorScheme, rules] of [
      ['light', 'all'],
      ['dark', 'colors'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      await expectCleanForAxe(page, 'body', rules);
    }
    await quiet();
  }
});

test('without scripts the table is searched, filtered and turned', async () => {
  const { owner, newAudio, listPath } = await newCreator();
  for (let index = 0; index < 27; index += 1) await newAudio({ title: `Reading ${String(index).padStart(2, '0')}` });
  const { page } = await openStudio(owner, listPath, desktop);
  const cookies = await page.context().cookies();
  const plain = await browser.open('/', { ...desktop, baseURL: site.url, javaScriptEnabled: false });
  await plain.page.context().addCookies(cookies);
  await plain.page.goto(`${listPath}?sort=title`);
  const names = () =>
    plain.page
      .getByRole('table')
      .getByRole('link', { name: /^Reading/ })
      .allTextContents();
  expect(await names()).toHaveLength(25);
  await plain.page.getByRole('link', { name: 'Older' }).click();
  await plain.page.waitForURL('**&after=*');
  expect(await names()).toEqual(['Reading 25', 'Reading 26']);
  await plain.page.getByRole('link', { name: 'Newer' }).click();
  await plain.page.waitForURL('**&before=*');
  expect((await names())[0]).toBe('Reading 00');
  await plain.page.getByRole('searchbox', { name: 'Search audios' }).fill('reading 13');
  await plain.page.keyboard.press('Enter');
  await plain.page.waitForURL('**q=reading+13*');
  expect(await names()).toEqual(['Reading 13']);
});
