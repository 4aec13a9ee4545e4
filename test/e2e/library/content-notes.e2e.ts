import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { expectCleanForAxe, visitorOf } from '../../support/accounts.ts';
import { button, seeNotice } from '../../support/browser/account-page.ts';
import { desktop, mobile, useBrowser } from '../../support/browser/browser.ts';
import { createAudio } from '../../support/factories.ts';
import { newMember, rowOf, startLibrarySite, visit } from '../../support/library-site.ts';

const browser = useBrowser({ images: false });
let site: Awaited<ReturnType<typeof startLibrarySite>>;

beforeAll(async () => {
  site = await startLibrarySite();
  await createAudio(site.db, { title: 'The Wake', slug: 'the-wake', tagLabels: ['Death', 'War', 'slow'] });
  await site.db.execute(sql`
    with notes as (
      insert into facets (id, slug, label, chooses, has_content_notes)
      values (gen_random_uuid(), 'notes', 'Content notes', 'many', true) returning id)
    update tags set facet_id = notes.id, position = case slug when 'death' then 0 else 1 end
    from notes where slug in ('death', 'war')`);
});

test('content notes stand in rows and before Play, and a listener hides audios like this', async () => {
  const ada = await newMember(site);
  const { page, quiet } = await site.openAs(browser, ada, '/audios', desktop);
  await rowOf(page, 'The Wake').getByText('Death +1').waitFor();

  await visit(page, '/audio/the-wake');
  const main = page.locator('main');
  expect(await main.getByRole('link', { name: 'Death', exact: true }).getAttribute('href')).toBe('/audios?tag=death');
  // Once, before Play: the other tags are below.
  expect(await main.getByRole('link', { name: '#slow' }).count()).toBe(1);
  expect(await main.getByRole('link', { name: '#Death' }).count()).toBe(0);
  expect(await page.locator('script[type="application/ld+json"]').first().textContent()).toContain(
    '"contentRating":"Content notes: Death, War"',
  );
  await main.getByRole('link', { name: 'Hide audios like this' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hide audios like this' });
  await button(dialog, 'War').click();
  await seeNotice(page, '“War” is hidden');
  expect(await button(dialog, 'War').getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Escape');

  await visit(page, '/audios');
  await rowOf(page, 'Echo').waitFor();
  expect(await rowOf(page, 'The Wake').count()).toBe(0);
  // By a link, it plays as usual.
  await visit(page, '/audio/the-wake');
  await main.getByText('You hide “War”, this audio has it. It plays as usual.').waitFor();
  await expectCleanForAxe(page, 'main');
  await quiet();
});

test('a visitor is asked to sign in, and without scripts reads the notes', async () => {
  const { page, quiet } = await browser.open('/audio/the-wake', visitorOf(site, mobile));
  await page.getByRole('link', { name: 'Hide audios like this' }).click();
  await page.getByRole('dialog', { name: 'Sign in to hide audios like this' }).waitFor();
  await quiet();
});
