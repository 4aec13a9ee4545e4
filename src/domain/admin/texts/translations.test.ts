import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio, createCategory, createPlaylist, createSeries, createVoice } from '#test/support/factories.ts';
import { openTestSite } from '#test/support/test-site.ts';
import { type Language, languageCodes } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { categories, tags } from '../../catalogue/tables.ts';
import { resetPassword } from '../../identity/mails.ts';
import { operator } from '../../kernel/actor.ts';
import { auditEntries } from '../../kernel/audit.ts';
import { renderMail } from '../../kernel/mail-text.ts';
import { createSharedReads } from '../../kernel/shared-reads.ts';
import { visitor } from '../../kernel/viewer.ts';
import { lookSettings } from '../../look/settings.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import { Languages, languageSetting } from '../../settings/languages.ts';
import { mailTextsOf } from '../../settings/mail-texts.ts';
import type { Setting, SettingValue } from '../../settings/setting.ts';
import { translations } from '../../settings/tables.ts';

const { db } = await createTestDatabase();
const shared = createSharedReads();
const site = await openTestSite(db, undefined, undefined, undefined, { shared });
const { catalogue, library, look, editorial, settings } = site;
const { texts } = site.admin;

const rain = await createCategory(db, { label: 'Rain', description: 'For wet nights' });
const voice = await createVoice(db, { categoryId: rain.id });
const audio = await createAudio(db, { voiceId: voice.id, categoryIds: [rain.id], tagLabels: ['slow'] });
const playlist = await createPlaylist(db, { title: 'First nights', audioIds: [audio.id] });
const ofSite = await createSeries(db, { title: 'Seven nights', voiceId: null, audioIds: [audio.id] });
const [slow] = await db.select().from(tags).where(eq(tags.slug, 'slow'));

async function change<Given extends Setting>(setting: Given, value: SettingValue<Given>) {
  const { revision } = await findSetting(db, setting);
  await db.transaction((tx) => changeSetting(tx, setting, { actor: operator, value, revision }));
  await settings.refresh();
}
await change(languageSetting, Languages.parse({ de: true, fr: true, ar: true }));

type Change = Parameters<typeof texts.changeTranslations>[1][number];
const translate = (key: string, language: Change['language'], text: string, more: Partial<Change> = {}) =>
  texts.changeTranslations(operator, [{ key, language, text, ...more }]);
const stateOf = async (key: string, language: Change['language'] = 'de') =>
  (await texts.listTranslations(operator, { language })).find((one) => one.key === key);

test('readers see a text in their language, and the default one where it has none', async () => {
  await translate(`category/${rain.id}/label`, 'de', ' Regen ');
  await translate(`tag/${slow?.id}/label`, 'de', 'langsam');
  await translate(`playlist/${playlist.id}/title`, 'de', 'Erste Nächte');
  await translate(`series/${ofSite.id}/title`, 'de', 'Sieben Nächte');
  const seen = (language: Language) =>
    inLanguage(language, async () => {
      const found = await catalogue.findAudio(audio.id);
      return [
        found?.categories[0],
        found?.categoriesResource[0]?.name,
        found?.tags[0],
        (await catalogue.listCategories())[0]?.label,
        (await catalogue.findCategory(rain.slug))?.description,
        (await catalogue.findVoice(voice.id))?.category,
        (await catalogue.listTags(visitor, { limit: 3 }))[0]?.label,
        (await catalogue.findPlaylist(playlist.id))?.title,
        (await catalogue.findSeriesOfAudio(audio.id))?.title,
      ];
    });
  const { id, slug } = rain;
  expect(await seen('de')).toEqual([
    { id, slug, label: 'Regen' },
    'Regen',
    { slug: 'slow', label: 'langsam' },
    'Regen',
    'For wet nights',
    { name: 'Regen', slug },
    'langsam',
    'Erste Nächte',
    'Sieben Nächte',
  ]);
  for (const language of ['en', 'fr'] as const)
    expect(await seen(language)).toEqual([
      { id, slug, label: 'Rain' },
      'Rain',
      { slug: 'slow', label: 'slow' },
      'Rain',
      'For wet nights',
      { name: 'Rain', slug },
      'slow',
      'First nights',
      'Seven nights',
    ]);
});

test('what viewers share is never in the language of another reader, and stays the same object within one', async () => {
  const labels: Partial<Record<Language, string>> = { en: 'Rain', de: 'Regen', fr: 'Pluie', es: 'Lluvia', ar: 'مطر' };
  for (const code of ['fr', 'es', 'ar'] as const)
    await translate(`category/${rain.id}/label`, code, labels[code] ?? '');
  const ask = (code: Language) =>
    inLanguage(code, async () => ({
      code,
      categories: await catalogue.listCategories(),
      audios: (await catalogue.listAudios(visitor, { limit: 12 })).items,
    }));
  // All at once, in turn, so that each may find what another one has just read.
  const asked = Array.from({ length: 50 }, (_, at) => languageCodes[at % languageCodes.length] ?? 'en');
  for (const { code, categories: found, audios } of await Promise.all(asked.map(ask))) {
    expect([code, found[0]?.label, audios[0]?.categories[0]?.label]).toEqual([code, labels[code], labels[code]]);
  }
  const [one, other] = [await ask('de'), await ask('de')];
  expect(other.categories).toBe(one.categories);
  expect(other.audios).toBe(one.audios);
});

test('operators are told when the text that was translated has changed, and say that it is still right', async () => {
  const key = `category/${rain.id}/description`;
  await translate(key, 'de', 'Für nasse Nächte');
  expect(await stateOf(key)).toMatchObject({ state: 'translated' });
  await db.update(categories).set({ description: 'For wet, long nights' }).where(eq(categories.id, rain.id));
  expect(await stateOf(key)).toMatchObject({ state: 'outdated', before: 'For wet nights', text: 'Für nasse Nächte' });
  await translate(key, 'de', 'Für nasse Nächte', { before: 'Für nasse Nächte' });
  expect(await stateOf(key)).toMatchObject({ state: 'translated' });
  expect(await stateOf(key, 'fr')).toMatchObject({ state: 'missing', text: '' });
  const found = await texts.findTranslations(operator, 'category', rain.id);
  expect(found?.fields.map(({ field }) => field)).toEqual(['label', 'description']);
  expect(found?.counts.map(({ language }) => language)).toEqual(['de', 'fr', 'ar']);
  expect(found?.next).toEqual({ kind: 'tag', subject: slow?.id });
});

test('changes are all or none, logged, and refused after a change by somebody else', async () => {
  const key = `category/${rain.id}/label`;
  await expect(translate(key, 'de', 'Schauer', { before: 'Something else' })).rejects.toMatchObject({
    code: 'text/changed-meanwhile',
  });
  for (const [wrong, message] of [
    [{ key: 'category/none/label', text: 'A' }, 'There is no text category/none/label.'],
    [{ key, text: 'x'.repeat(81) }, 'Rain, fr: '],
    [{ key, text: 'two\nlines' }, 'Rain, fr: '],
  ] as const)
    await expect(
      texts.changeTranslations(operator, [
        { key, language: 'de', text: 'Schauer' },
        { ...wrong, language: 'fr' },
      ]),
    ).rejects.toMatchObject({ code: 'text/unusable', message: expect.stringContaining(message) });
  expect(await stateOf(key)).toMatchObject({ text: 'Regen' });

  await translate(key, 'es', '');
  expect(await stateOf(key, 'es')).toMatchObject({ state: 'missing' });
  const logged = await db.select().from(auditEntries).where(eq(auditEntries.action, 'text.translate'));
  expect(logged.at(-1)).toMatchObject({
    subjectId: `category/${rain.id}`,
    subjectName: 'Rain',
    before: { label: { es: 'Lluvia' } },
    after: { label: { es: '' } },
  });
  await expect(texts.changeTranslations(visitor as never, [])).rejects.toMatchObject({ code: 'request/not-found' });
});

test('the words of the look and the menus are in the language of the reader, with their placeholders', async () => {
  await change(lookSettings.hero, { title: 'Listen', text: null });
  await change(lookSettings.footer, {
    line: '{site}, since 2026',
    groups: [{ title: 'More', links: [{ label: 'Imprint', to: '/about' }] }],
  });
  await change(lookSettings.home, { visitors: [{ kind: 'new', slug: null, title: 'Fresh' }], listeners: null });
  const english = look.page();
  await translate('look/hero/title', 'de', 'Hör zu');
  await translate('menu/Imprint/label', 'de', 'Impressum');
  await translate('menu/Fresh/label', 'de', 'Frisch');
  await expect(translate('look/footer/line', 'de', 'seit 2026')).rejects.toMatchObject({ code: 'text/unusable' });
  await translate('look/footer/line', 'de', 'Seit 2026: {site}');
  const german = () => ({ hero: look.hero(), footer: look.page()?.footer, rails: look.rails('visitors') });
  expect(inLanguage('de', german)).toMatchObject({
    hero: { title: 'Hör zu' },
    footer: { line: 'Seit 2026: Sotto', groups: [{ title: 'More', links: [{ label: 'Impressum', to: '/about' }] }] },
    rails: [{ title: 'Frisch' }],
  });
  expect(german()).toMatchObject({ hero: { title: 'Listen' }, footer: english?.footer, rails: [{ title: 'Fresh' }] });
  expect(inLanguage('de', look.page)).toBe(inLanguage('de', look.page));
});

test('an info page says so where it has no text in the language of the reader', async () => {
  const pageIn = (language: Language) => inLanguage(language, () => editorial.findInfoPage('about'));
  await expect(translate('info/about/text', 'de', 'Ohne Überschrift')).rejects.toMatchObject({ code: 'text/unusable' });
  await translate('info/about/text', 'de', '# Über {site}\n\nWer wir sind. {begins}\n\n## Was es kostet\n\nWenig.');
  expect(await pageIn('de')).toMatchObject({ title: 'Über Sotto', contents: [{ title: 'Was es kostet' }] });
  const { language, description } = await pageIn('de');
  expect([language, description]).toEqual([undefined, 'Wer wir sind. Es beginnt mit einer kostenlosen Probezeit.']);
  expect(await pageIn('fr')).toMatchObject({ title: 'À propos' });
  await texts.changeInfoText(operator, 'about', { text: '# Us\n\nWho we are.', revision: 0 });
  expect(await pageIn('fr')).toMatchObject({ title: 'Us', language: 'en' });
  expect(await pageIn('de')).toMatchObject({ title: 'Über Sotto' });
  expect(await pageIn('en')).toMatchObject({ title: 'Us' });
  expect((await pageIn('en')).language).toBeUndefined();
  expect(await stateOf('info/about/text')).toMatchObject({ state: 'outdated' });
  expect(await stateOf('info/terms/text')).toMatchObject({ state: 'built-in' });
});

test('a mail is in the operators’ words of its language, else in theirs of the default one', async () => {
  const mailIn = (language: Language) =>
    inLanguage(language, () =>
      renderMail({ name: 'Hush', url: 'https://hush.example', textOf: mailTextsOf(settings) }, resetPassword, {
        link: 'https://hush.example/x',
        minutes: '30',
      } as never),
    );
  const builtIn = mailIn('de').subject;
  await translate('mail/reset-password/subject', 'de', 'Neues Passwort für {site}');
  // The rest is the site’s own translation.
  expect(mailIn('de').subject).toBe('Neues Passwort für Hush');
  expect(mailIn('de').html).toContain('<html lang="de"');
  await translate('mail/reset-password/subject', 'de', '');
  expect(mailIn('de').subject).toBe(builtIn);

  const own = { subject: 'Your key to {site}', body: 'Take it:\n\n[Choose]({link})', closing: '' };
  await texts.changeMailText(operator, 'reset-password', { text: own, revision: 0 });
  // It may state other facts than the site’s own translation.
  expect(mailIn('de').subject).toBe('Your key to Hush');
  expect(mailIn('de').html).toContain('<html lang="en"');
  await translate('mail/reset-password/subject', 'de', 'Dein Schlüssel');
  expect(mailIn('de').subject).toBe('Your key to Hush');
  await expect(translate('mail/reset-password/body', 'de', 'Ohne Link')).rejects.toMatchObject({
    code: 'text/unusable',
  });
  await translate('mail/reset-password/body', 'de', 'Hier:\n\n[Wählen]({link})');
  expect(mailIn('de').subject).toBe('Dein Schlüssel');
  expect(mailIn('de').text).toContain('Wählen:\nhttps://hush.example/x');
  expect(mailIn('fr').subject).toBe('Your key to Hush');
});

test('what is deleted takes its translations along', async () => {
  const count = () => db.$count(translations, eq(translations.kind, 'tag'));
  expect(await count()).toBe(1);
  const { id: into } = (
    await db.insert(tags).values({ id: crypto.randomUUID(), slug: 'slower', label: 'slower' }).returning()
  )[0]!;
  await site.admin.content.mergeTag(operator, slow?.id ?? '', into);
  expect(await count()).toBe(0);
  expect(await db.$count(translations, eq(translations.subject, rain.id))).toBeGreaterThan(0);
  await db.delete(categories).where(eq(categories.id, rain.id));
  expect(await db.$count(translations, eq(translations.subject, rain.id))).toBe(0);
});

test('hidden tags are named in the language of the user', async () => {
  const [tag] = await db.select().from(tags).where(eq(tags.slug, 'slower'));
  await translate(`tag/${tag?.id}/label`, 'de', 'langsamer');
  const { id } = (await db.execute<{ id: string }>(`insert into users (id) values (gen_random_uuid()) returning id`))
    .rows[0]!;
  await library.setTagHidden(id, 'slower', true);
  expect(await inLanguage('de', () => library.listHiddenTags(id))).toEqual([{ slug: 'slower', label: 'langsamer' }]);
});
