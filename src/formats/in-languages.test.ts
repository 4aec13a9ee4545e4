import { describe, expect, test } from 'vitest';
import { inLanguage } from '#i18n';
import { formatBytes } from './bytes.ts';
import { formatDecimal, formatPercent } from './decimals.ts';
import { formatDuration, formatTime } from './durations.ts';
import { factsOf } from './format-facts.ts';
import { type Language, languageCodes } from './languages.ts';
import { formatLastUse } from './last-use.ts';
import { formatDateRange, formatDateTime, formatMoment, formatMonthName, formatWeekdayTime } from './moments.ts';
import { formatNames } from './names.ts';
import { formatCapped, formatCount, formatMoney } from './numbers.ts';
import { formatAgo, formatDate, formatDay, formatMonth } from './times.ts';
import { inZone } from './zones.ts';

/** A further language needs no line here. No-break spaces are shown as `_`, and marks of direction not at all. */
const inEach = (act: () => string) =>
  (['en', 'de', 'fr', 'es', 'ar'] as const).map((code) =>
    inLanguage(code, act)
      .replaceAll(/[\u00a0\u202f]/g, '_')
      .replaceAll(/[\u200e\u200f\u2068\u2069]/g, ''),
  );

const intlIn = (language: Language, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(factsOf(language).intl, { timeZone: 'UTC', ...options });

test('dates have the names and the order of the language', () => {
  const at = '2026-11-02T23:59:00Z';
  expect(inEach(() => formatDate(at))).toEqual([
    '2 Nov 2026',
    '2. Nov. 2026',
    '2 nov. 2026',
    '2 nov 2026',
    '2 نوفمبر 2026',
  ]);
  expect(inEach(() => formatDay(at))).toEqual([
    '2 November 2026',
    '2. November 2026',
    '2 novembre 2026',
    '2 de noviembre de 2026',
    '2 نوفمبر 2026',
  ]);
  expect(inEach(() => formatMonth(at))).toEqual([
    'November 2026',
    'November 2026',
    'novembre 2026',
    'noviembre de 2026',
    'نوفمبر 2026',
  ]);
  expect(inEach(() => formatDateTime(at, undefined))[1]).toBe('2. Nov. 2026, 23:59 UTC');
  expect(inEach(() => formatWeekdayTime(at, 'Europe/Vienna'))).toEqual([
    'Tue 3 Nov, 00:59',
    'Di, 3. Nov., 00:59',
    'mar. 3 nov., 00:59',
    'mar 3 nov, 00:59',
    'الثلاثاء 3 نوفمبر، 00:59',
  ]);
  expect(inEach(() => formatDateRange('2025-12-25', '2026-01-03'))[3]).toBe('25 dic 2025 al 3 ene 2026');
});

test('a percent sign stands where the language has it', () => {
  expect(inEach(() => formatPercent(9.84, 1))).toEqual(['9.8%', '9,8_%', '9,8_%', '9,8_%', '9.8%']);
  expect(inEach(() => formatPercent(1234.5))[1]).toBe('1.235_%');
});

test('the first days of January are of the zone, and so is their year', () => {
  const at = '2026-12-31T23:30:00Z';
  expect(inEach(() => formatDay(at))).toEqual([
    '31 December 2026',
    '31. Dezember 2026',
    '31 décembre 2026',
    '31 de diciembre de 2026',
    '31 ديسمبر 2026',
  ]);
  expect(inEach(() => formatDay(inZone(at, 'Asia/Kolkata')))).toEqual([
    '1 January 2027',
    '1. Januar 2027',
    '1 janvier 2027',
    '1 de enero de 2027',
    '1 يناير 2027',
  ]);
  expect(inEach(() => formatMoment(at, '2027-01-01T20:00:00Z', 'Asia/Kolkata'))[2]).toBe('Hier');
});

test.each(languageCodes.filter((code) => code !== 'en'))('in %s, dates and numbers are those of Intl', (code) => {
  const [day, month, year] = ['numeric', 'long', 'numeric'] as const;
  for (let index = 0; index < 12; index += 1) {
    const at = Date.UTC(2026, index, 10 + index);
    const written = inLanguage(code, () => [formatDate(at), formatDay(at), formatMonth(at), formatMonthName(at)]);
    const expected = [{ day, month: 'short', year }, { day, month, year }, { month, year }, { month }] as const;
    expect(written).toEqual(expected.map((options) => intlIn(code, options).format(at)));
  }
  const intl = new Intl.NumberFormat(factsOf(code).intl, { maximumFractionDigits: 0 });
  for (const count of [
    0, 1, 999, 1000, 9999, 10_000, 123_456, 1_204_880, 9_007_199_254_740_991, -1, -1204, -12_040, 2.5,
  ])
    expect(inLanguage(code, () => formatCount(count))).toBe(intl.format(count));
});

test('numbers have the signs of the language, and Latin digits', () => {
  expect(inEach(() => formatCount(1204))).toEqual(['1,204', '1.204', '1_204', '1204', '1,204']);
  expect(inEach(() => formatCount(-1_204_880))).toEqual([
    '-1,204,880',
    '-1.204.880',
    '-1_204_880',
    '-1.204.880',
    '-1,204,880',
  ]);
  expect(inEach(() => formatCapped({ count: 10_000, isMore: true }))[1]).toBe('10.000+');
  expect(inEach(() => formatMoney(499, 'usd'))).toEqual(['$4.99', '4,99_$', '4,99_$US', '4,99_US$', '4.99_US$']);
  expect(inEach(() => formatMoney(-1_234_500, 'eur'))[2]).toBe('-12_345,00_€');
  // In a sentence of Arabic too, the amount keeps its own order.
  expect(inLanguage('ar', () => formatMoney(-499, 'usd'))).toMatch(/^\u2068[^\u200f]*4\.99\u00a0US\$\u2069$/);
  expect(inEach(() => formatDecimal(6.44))).toEqual(['6.4', '6,4', '6,4', '6,4', '6.4']);
  expect(inEach(() => formatBytes(1))).toEqual(['1 byte', '1 Byte', '1_octet', '1 byte', 'بايت واحد']);
  expect(inEach(() => formatBytes(3_450_000))).toEqual(['3.5 MB', '3,5 MB', '3,5_Mo', '3,5 MB', '3.5 ميغابايت']);
});

describe('lengths of time', () => {
  test('have the units of the language, and times are the same in all', () => {
    expect(new Set(inEach(() => formatTime(4218)))).toEqual(new Set(['1:10:18']));
    expect(inEach(() => formatDuration(4800))).toEqual([
      '1 hr 20 min',
      '1 Std. 20 Min.',
      '1_h 20_min',
      '1 h 20 min',
      'ساعة و20 دقيقة',
    ]);
    expect(inEach(() => formatDuration(3_600_000 + 61))[1]).toBe('1.000 Std. 1 Min. 1 Sek.');
  });

  test.each([
    [0, '0 ثانية'],
    [1, 'ثانية'],
    [2, 'ثانيتان'],
    [3, '3 ثوانٍ'],
    [10, '10 ثوانٍ'],
    [11, '11 ثانية'],
    [59, '59 ثانية'],
    [60, 'دقيقة'],
    [11 * 3600, '11 ساعة'],
    [100 * 3600, '100 ساعة'],
    [103 * 3600, '103 ساعات'],
  ])('%d seconds in Arabic: %s', (seconds, text) => {
    expect(inLanguage('ar', () => formatDuration(seconds))).toBe(text);
  });
});

describe('how long ago', () => {
  const now = Date.parse('2026-11-21T20:00:00.000Z');
  test.each([
    [0, ['just now', 'gerade eben', 'à l’instant', 'ahora mismo', 'الآن']],
    [1, ['1 min ago', 'vor 1 Min.', 'il y a 1_min', 'hace 1 min', 'قبل دقيقة']],
    [20, ['20 min ago', 'vor 20 Min.', 'il y a 20_min', 'hace 20 min', 'قبل 20 دقيقة']],
    [120, ['2 hr ago', 'vor 2 Std.', 'il y a 2_h', 'hace 2 h', 'قبل ساعتين']],
    [1440, ['yesterday', 'gestern', 'hier', 'ayer', 'أمس']],
    [2880, ['2 days ago', 'vor 2 Tagen', 'il y a 2_jours', 'hace 2 días', 'قبل يومين']],
    [6 * 1440, ['6 days ago', 'vor 6 Tagen', 'il y a 6_jours', 'hace 6 días', 'قبل 6 أيام']],
    [19 * 1440, ['2 Nov 2026', '2. Nov. 2026', '2 nov. 2026', '2 nov 2026', '2 نوفمبر 2026']],
  ])('%d minutes', (minutes, texts) => {
    expect(inEach(() => formatAgo(now - minutes * 60_000, now))).toEqual(texts);
  });

  test('a session was last used', () => {
    expect(inEach(() => formatLastUse('2026-11-02T20:00:00Z', now))).toEqual([
      'on 2 Nov 2026',
      'am 2. Nov. 2026',
      'le 2 nov. 2026',
      'el 2 nov 2026',
      'في 2 نوفمبر 2026',
    ]);
  });
});

test('names are joined as the language does', () => {
  const names = ['Maren', 'Idris', 'Wren'];
  expect(inEach(() => formatNames(names))).toEqual([
    'Maren, Idris and Wren',
    'Maren, Idris und Wren',
    'Maren, Idris et Wren',
    'Maren, Idris y Wren',
    'Maren، Idris وWren',
  ]);
  expect(inEach(() => formatNames(names, 1203))).toEqual([
    'Maren, Idris, Wren and 1,200 more',
    'Maren, Idris, Wren und 1.200 weitere',
    'Maren, Idris, Wren et 1_200 autres',
    'Maren, Idris, Wren y 1200 más',
    'Maren، Idris، Wren و1,200 آخرون',
  ]);
});
