import { expect, test } from 'vitest';
import { inLanguage } from '#i18n';
import { canonicalLanguage } from './canonical-language.ts';
import { foreignTo } from './content-languages.ts';
import { fittingLanguage } from './fitting-language.ts';
import { commonLanguages, foreignNames, languageChoices, languageName } from './language-names.ts';
import { languageCodes } from './languages.ts';

test.each([
  ['de', 'de'],
  [' DE-at ', 'de-AT'],
  ['pt_br', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  ['iw', 'he'],
  ['gsw', 'gsw'],
  ['ZXX', 'zxx'],
])('%j is written %s', (text, tag) => {
  expect(canonicalLanguage(text)).toBe(tag);
});

test.each([
  '',
  'german',
  'xx',
  'd',
  'und',
  'mul',
  'de-',
  'de-XX',
  'de-Xxxx',
  'de-1996',
  'de-u-nu-latn',
  'x-own',
  'de\0',
])('%j is no language', (text) => {
  expect(canonicalLanguage(text)).toBeUndefined();
});

test('a text has its language only where the page has another', () => {
  expect(['en', 'en-GB', 'zxx', undefined, null].map((tag) => foreignTo('en', tag))).toEqual(Array(5).fill(undefined));
  expect([foreignTo('en', 'de'), foreignTo('de', 'de-AT'), foreignTo('fr', 'de-AT')]).toEqual([
    'de',
    undefined,
    'de-AT',
  ]);
});

test('languages are named in the language of the reader', () => {
  const names = (tag: string) => languageCodes.map((code) => inLanguage(code, () => languageName(tag)));
  expect(names('de')).toEqual(['German', 'Deutsch', 'allemand', 'alemán', 'الألمانية']);
  expect(names('zxx')[0]).toBe('No words');
  expect(inLanguage('de', () => languageName('pt-BR'))).toBe('Portugiesisch (Brasilien)');
});

test('the choices are known languages in their canonical spelling, by name, with the current one', () => {
  for (const tag of commonLanguages) expect(canonicalLanguage(tag)).toBe(tag);
  const labels = inLanguage('fr', () => languageChoices('gsw').map(({ label }) => label));
  expect(labels.slice(0, 3)).toEqual(['Allemand', 'Anglais', 'Arabe']);
  expect(labels).toContain('Suisse allemand');
  expect(languageChoices().at(-1)).toEqual({ value: 'zxx', label: 'No words' });
  expect(languageChoices('de').filter(({ value }) => value === 'de')).toHaveLength(1);
});

test('the wanted language is chosen, else another form of it', () => {
  expect(fittingLanguage(['en', 'pt-BR', 'pt'], 'pt')).toBe('pt');
  expect(fittingLanguage(['en', 'pt-BR'], 'pt')).toBe('pt-BR');
  expect(fittingLanguage(['en', 'de'], 'de-AT')).toBe('de');
  expect(fittingLanguage(['en', 'de'], 'fr')).toBeUndefined();
});

test('a page gets the names of languages that are not its own', () => {
  expect(inLanguage('de', () => foreignNames(['de', 'de-AT', 'en', 'zxx']))).toEqual({ en: 'Englisch' });
  expect(foreignNames(['en', 'en-GB'])).toBeUndefined();
});
