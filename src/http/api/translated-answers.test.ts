import { expect, test } from 'vitest';
import { createAudio, createCategory, createVoice } from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { operator } from '#domain/kernel/actor.ts';
import { changeSetting } from '#domain/settings/change-setting.ts';
import { Languages, languageSetting } from '#domain/settings/languages.ts';
import { type Language, languageCodes } from '#formats/languages.ts';

const { url, db, site } = await startTestSite();
const rain = await createCategory(db, { label: 'Rain' });
const { id: voiceId } = await createVoice(db);
await createAudio(db, { voiceId, title: 'Umbrella', categoryIds: [rain.id] });
await db.transaction((tx) =>
  changeSetting(tx, languageSetting, {
    actor: operator,
    value: Languages.parse({ de: true, fr: true, es: true }),
    revision: 0,
  }),
);
await site.settings.refresh();

const get = async (path: string, language?: string) => {
  const answer = await fetch(
    `${url}/v1/api${path}`,
    language === undefined ? {} : { headers: { 'accept-language': language } },
  );
  return { vary: answer.headers.get('vary'), body: (await answer.json()) as { items: { label: string }[] } };
};
const labelIn = async (language?: string) => (await get('/categories', language)).body.items[0]?.label;

test('without translations, answers of all languages are one', async () => {
  expect((await get('/categories')).vary).toBe('Accept-Encoding');
  expect([await labelIn('de'), await labelIn()]).toEqual(['Rain', 'Rain']);
});

test('cached answers have the texts of the language that is asked for, in any order and at once', async () => {
  const labels: Record<Language, string> = { en: 'Rain', de: 'Regen', fr: 'Pluie', es: 'Rain', ar: 'Rain' };
  await site.admin.texts.changeTranslations(
    operator,
    (['de', 'fr', 'ar'] as const).map((language) => ({
      key: `category/${rain.id}/label`,
      language,
      // Arabic is not on offer.
      text: language === 'ar' ? 'مطر' : labels[language],
    })),
  );
  await expect.poll(() => labelIn('de')).toBe('Regen');
  for (let round = 0; round < 4; round += 1) {
    const found = await Promise.all(languageCodes.map(async (code) => [code, await labelIn(code)]));
    expect(Object.fromEntries(found)).toEqual(labels);
  }
  expect(await labelIn('pt, de;q=0.5')).toBe('Regen');
  expect((await get('/categories', 'de')).vary).toBe('Accept-Encoding, Accept-Language');
});

test('what is found is found by its words in each language, and named in that of the reader', async () => {
  const find = async (term: string, language: string) => {
    const { body } = await get(`/search?query=${term}`, language);
    const { categories, audios } = body as unknown as Record<
      'categories' | 'audios',
      { hits: { label?: string; title?: string; highlights: object }[] }
    >;
    return [
      categories.hits.map(({ label }) => label),
      audios.hits.map(({ title }) => title),
      categories.hits[0]?.highlights,
    ];
  };
  await site.search.catchUp();
  await expect.poll(() => find('Regen', 'de')).toEqual([['Regen'], ['Umbrella'], { label: [[0, 5]] }]);
  expect((await find('Regen', 'en')).slice(0, 2)).toEqual([['Rain'], ['Umbrella']]);
  expect((await find('Rain', 'de')).slice(0, 2)).toEqual([['Regen'], ['Umbrella']]);
});
