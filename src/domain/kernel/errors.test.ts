import { expect, test } from 'vitest';
import { type Language, languageCodes } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { ChangedMeanwhile, errorCodes, errorTexts, say, TooManyTries } from './errors.ts';

test('each code has its own sentence in every language', () => {
  expect(errorCodes.filter((code) => errorTexts[code].id !== `error.${code}`)).toEqual([]);
  for (const language of languageCodes) {
    const said = inLanguage(language, () => errorCodes.map((code) => say(errorTexts[code])));
    expect(said.filter((sentence) => sentence === '' || /[{}]/.test(sentence))).toEqual([]);
  }
});

test.each<[language: Language, one: string, two: string]>([
  ['en', 'in 1 minute.', 'in 2 minutes.'],
  ['de', 'in 1 Minute möglich.', 'in 2 Minuten möglich.'],
  ['fr', 'dans 1 minute.', 'dans 2 minutes.'],
  ['es', 'en 1 minuto.', 'en 2 minutos.'],
  ['ar', 'بعد دقيقة واحدة.', 'بعد دقيقتين.'],
])('in %s, the wait ends with “%s” or “%s”', (language, ...expected) => {
  for (const [index, end] of expected.entries()) {
    const error = inLanguage(language, () => new TooManyTries(60 * (index + 1)));
    const sentence = inLanguage(language, () => say(error.sentence)).replaceAll(/[\u2068\u2069]/g, '');
    expect(sentence.endsWith(end)).toBe(true);
    // For the log.
    expect(error.message).toMatch(/ in \d minutes?\.$/);
  }
});

test('who changed it meanwhile is named, or is someone else', () => {
  const at = new Date();
  const said = (language: Language, by: string | null) =>
    inLanguage(language, () => say(new ChangedMeanwhile('settings/changed', { by, at }).sentence));
  expect(said('en', 'ada')).toBe('ada changed these settings meanwhile. Your changes were not saved.');
  expect(said('en', null)).toBe('Someone else changed these settings meanwhile. Your changes were not saved.');
  expect(said('de', '{ada}')).toMatch(/^\{ada\} hat diese Einstellungen inzwischen geändert\./);
  expect(said('de', null)).toMatch(/^Jemand anderes hat diese Einstellungen inzwischen geändert\./);
});
