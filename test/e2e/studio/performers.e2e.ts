/** @module-tag slow */
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { audios } from '#domain/catalogue/tables.ts';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { operator } from '#domain/kernel/actor.ts';
import { expectToFit, openWorkshop } from '../../support/admin-site.ts';
import { expectCleanInBothLooks, expectCleanInBothSizes, visitorOf } from '../../support/accounts.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { hydrated, inBothSizes, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio } from '../../support/factories.ts';
import { newMember, startLibrarySite } from '../../support/library-site.ts';
import { tone, wavOf } from '../../support/sound/sounds.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
  const { chain } = await site.site.admin.site.findSiteSettings(operator);
  const value = { ...chain.value, consents: true };
  await site.site.admin.site.changeSection(operator, 'chain', { value, revision: chain.revision });
});

/** Before it is published, with an owner. */
async function newDraft(title: string) {
  const owner = await newMember(site);
  await setVoiceOwner(site.db, site.voice.id, owner.id, true);
  const file = wavOf(tone(220), { seconds: 2, rate: 8000 });
  const audio = await createAudio(site.db, {
    title,
    voiceId: site.voice.id,
    publishedAt: null,
    fileMime: 'audio/wav',
    fileBytes: file.length,
    durationMs: 2000,
  });
  await site.blobs.write(audio.fileKey, file);
  const path = `/studio/${site.voice.slug}/audios/${audio.id}/performers`;
  const { page, quiet } = await openWorkshop(site, browser, owner, path);
  return { audio, page, quiet };
}

/** Path of the link in a mail. */
async function linkFor(subject: string): Promise<string> {
  const found = () =>
    site.identity.mails.findLast((mail) => mail.to === 'hanna@example.org' && mail.subject === subject);
  await expect.poll(found).toBeDefined();
  return /\/consent\/[\w-]{43}/.exec(found()?.text ?? '')?.[0] ?? '';
}

const isPublic = async (id: string) => {
  const [row] = await site.db.select({ at: audios.publishedAt }).from(audios).where(eq(audios.id, id));
  return row?.at !== null;
};

test('a performer is asked by mail, hears the draft, agrees, and takes the consent back', async () => {
  const { audio, page, quiet } = await newDraft('For Two Voices');
  await page.getByRole('textbox', { name: 'Name shown' }).fill('Hanna Brandt');
  await page.getByRole('textbox', { name: 'Email' }).fill('hanna@example.org');
  await button(page, 'Send the link').click();
  await page.getByText('1 of 2 complete').waitFor();
  await expectCleanInBothSizes(page);
  await inBothSizes(page, () => expectToFit(page));
  expect(await button(page, 'Publish').isDisabled()).toBe(true);

  const { page: theirs, quiet: theirsQuiet } = await browser.open(
    await linkFor('Maren Holt asks for your consent'),
    visitorOf(site, mobile),
  );
  await theirs.getByRole('heading', { name: 'You are heard in this recording' }).waitFor();
  await expectCleanInBothLooks(theirs);
  await inBothSizes(theirs, () => expectToFit(theirs));
  const answer = await theirs.request.get(`${theirs.url()}/sound`);
  expect([answer.status(), answer.headers()['cache-control']]).toEqual([200, expect.stringContaining('private')]);
  await button(theirs, 'Give consent').click();
  await theirs.getByText('To publish it, Maren Holt needs the first two.').waitFor();
  await theirs.getByRole('checkbox', { name: /I agree to have been recorded/ }).check();
  await theirs.getByRole('checkbox', { name: /It may be published/ }).check();
  await button(theirs, 'Give consent').click();
  await theirs.getByRole('heading', { name: 'Thank you, your consent is recorded' }).waitFor();
  await expectCleanInBothLooks(theirs);
  await theirsQuiet();

  await page.reload();
  await hydrated(page);
  await page.getByText('2 of 2 complete').waitFor();
  await button(page, 'Publish').click();
  await seeNotice(page, 'Published');
  expect(await isPublic(audio.id)).toBe(true);

  const { page: again } = await browser.open(await linkFor('Your consent is recorded'), {
    ...visitorOf(site, mobile),
    javaScriptEnabled: false,
  });
  await again.getByRole('link', { name: /Take .*consent back|Withdraw/ }).click();
  await again.getByRole('heading', { name: 'Take your consent back?' }).waitFor();
  await again.getByRole('button', { name: /Take .*back/ }).click();
  await again.getByRole('heading', { name: 'You took your consent back' }).waitFor();
  expect(await isPublic(audio.id)).toBe(false);
  await page.reload();
  await hydrated(page);
  await page.getByText('Hanna Brandt took their consent back').first().waitFor();
  await expectCleanInBothSizes(page);
  await quiet();
});
