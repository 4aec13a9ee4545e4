import { readFile } from 'node:fs/promises';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { createChoose } from '#formats/choose.ts';
import { factsOf } from '#formats/format-facts.ts';
import { type Language, languageCodes } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { readCatalogue } from './catalogues.ts';
import { markTexts } from './mark-texts.ts';
import { replaceMacros } from './vite.ts';
import { createWriter } from './write-texts.ts';

/** Each after those that it imports. */
const names = [
  'grouping',
  'numbers',
  'zones',
  'times',
  'durations',
  'names',
  'decimals',
  'bytes',
  'last-use',
  'moments',
];

type Formats = Record<string, (...values: unknown[]) => string>;

const catalogues = new Map(languageCodes.map((one) => [one, readCatalogue(one)]));

/** The formats as the build writes them for browsers. */
async function builtFormats(language: Language): Promise<Formats> {
  const catalogue = catalogues.get(language) ?? new Map<string, string>();
  const modules: Record<string, Formats> = { '#i18n': {} };
  for (const name of names) {
    const sources = new Map<string, string>();
    const path = new URL(`../formats/${name}.ts`, import.meta.url).pathname;
    const { code } = await replaceMacros(await readFile(path, 'utf8'), path, [
      markTexts((id, message) => {
        sources.set(id, message);
        return [...catalogues.values()].map((one) => one.get(id) ?? message);
      }),
    ]);
    const plain = (await transformWithOxc(code, path)).code;
    const written = createWriter(plain, name)((id) => catalogue.get(id) ?? sources.get(id), language);
    expect(written).not.toMatch(/__(text|rich|languageFacts)__|i18n\._/);
    const exported = [...written.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, one]) => one);
    const body = written
      .replaceAll(/^import \{(.*?)\} from "(.*?)";/gm, (_, list: string, from: string) => {
        return `const {${list.replaceAll(' as ', ': ')}} = modules["${from}"];`;
      })
      .replaceAll(/^export /gm, '');
    modules[`./${name}.ts`] = new Function('modules', `${body}\nreturn { ${exported.join()} };`)(modules) as Formats;
    const { formatCount } = modules['./numbers.ts'] ?? {};
    if (formatCount !== undefined)
      modules['#i18n'] = { choose: createChoose(factsOf(language).intl, formatCount) as Formats[string] };
  }
  return Object.assign({}, ...Object.values(modules)) as Formats;
}

const now = Date.parse('2027-01-02T00:30:00Z');
const ages = [0, 1, 2, 3, 11, 59, 60, 120, 1439, 1440, 2880, 4320, 30_000].map((minutes) => now - minutes * 60_000);
const numbers = [0, 1, 2, 3, 10, 11, 99, 100, 999, 1000, 9999, 10_000, 1_234_567, -1, -1234, 1.5];
const people = ['Ada', 'Ben', 'Eve', 'Zoë', 'Ümit'];

/** Arguments of each format. */
const calls: [name: string, ...values: unknown[]][] = [
  ...numbers.flatMap((count): [string, ...unknown[]][] => [
    ['formatCount', count],
    ['formatMoney', count, 'usd'],
    ['formatBytes', Math.abs(count) ** 2],
    ['formatTime', count],
    ['formatDuration', count],
    ['formatDuration', count * 3600 + 61],
    ['formatCapped', { count, isMore: true }],
  ]),
  ...ages.flatMap((at): [string, ...unknown[]][] => [
    ['formatAgo', at, now],
    ['formatLastUse', at, now],
    ['formatDate', at],
    ['formatDay', at],
    ['formatMonth', at],
    ['formatMonthName', at],
    ['formatShortDate', at],
    ['formatWeekday', at, 'America/Bogota'],
    ['formatWeekdayTime', at, 'Asia/Kolkata'],
    ['formatMoment', at, now, 'Pacific/Apia'],
    ['formatDateTime', at, undefined],
  ]),
  ['formatDateRange', '2026-12-25', '2027-01-02'],
  ['formatDateRange', '2027-01-01', '2027-01-02'],
  ...people.map((_, index): [string, ...unknown[]] => ['formatNames', people.slice(0, index)]),
  ...numbers.map((count): [string, ...unknown[]] => ['formatNames', people, count]),
];

test.each(languageCodes)('server and browser write the same in %s', async (language) => {
  const server = Object.assign({}, ...(await Promise.all(names.map((name) => import(`../formats/${name}.ts`)))));
  const browser = await builtFormats(language);
  for (const [name, ...values] of calls) {
    const expected = inLanguage(language, () => (server as Formats)[name]?.(...values));
    expect([name, ...values, browser[name]?.(...values)]).toEqual([name, ...values, expected]);
  }
});

test('names of months and signs of numbers do not depend on the engine of the browser', async () => {
  const { DateTimeFormat, NumberFormat } = Intl;
  const browser = await builtFormats('fr');
  try {
    Object.assign(Intl, { DateTimeFormat: undefined, NumberFormat: undefined });
    expect(browser['formatDate']?.(now)).toBe('2 janv. 2027');
    expect(browser['formatCount']?.(12_345)).toBe('12\u202f345');
    expect(browser['formatDuration']?.(4800)).toBe('1\u00a0h 20\u00a0min');
  } finally {
    Object.assign(Intl, { DateTimeFormat, NumberFormat });
  }
});
