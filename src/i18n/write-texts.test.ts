import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { createElement } from 'react';
import { jsx, jsxs } from 'react/jsx-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { transformWithOxc } from 'vite';
import { describe, expect, test } from 'vitest';
import { factsOf } from '#formats/format-facts.ts';
import type { Language } from '#formats/languages.ts';
import { createChoose } from '#formats/choose.ts';
import { grouped } from '#formats/grouping.ts';
import { markTexts } from './mark-texts.ts';
import { element } from './rich.ts';
import { createTexts } from './texts.ts';
import { replaceMacros } from './vite.ts';
import { createWriter } from './write-texts.ts';

const german = {
  'Log in': 'Anmelden',
  '{name}, home': '{name}, Startseite',
  '{count, plural, one {# audio} other {# audios}}': '{count, plural, =0 {kein Audio} one {# Audio} other {# Audios}}',
  '{count, plural, one {# audio by {name}} other {# audios by {name}}}':
    '{count, plural, one {Von {name}: # Audio} other {Von {name}: # Audios}}',
  '{name, select, audio {An audio} other {A list}}': '{name, select, audio {Ein Audio} other {Eine Liste}}',
  'By <0>the terms</0> of {name}, <1/> and <2>{name}</2>': '<2>{name}</2>, <1/>: von <0>den Bedingungen</0> von {name}',
  'Hello {name}': 'Hallo {nobody}',
  'Bye {name}': '{name, number}',
  '{count, selectordinal, one {#st} two {#nd} other {#th}}': '{count, selectordinal, other {#.}}',
  '{count} min': '{count, plural, one {# Minute} other {# Minuten}}',
};
const translations = new Map(Object.entries(german).map(([text, translated]) => [generateMessageId(text), translated]));
const translationsIn = (language: Language) => (language === 'de' ? translations : new Map<string, string>());

const imports = `import { plural, select, selectOrdinal, t } from '@lingui/core/macro';\nimport { Plural, Trans } from '@lingui/react/macro';`;

/** Runs an expression of a page. @param names what it has, and its imports of `#i18n` */
async function run(code: string, names: Record<string, unknown>): Promise<string> {
  const { code: plain } = await transformWithOxc(code.replaceAll(/^import .*$/gm, ''), 'a.tsx', {
    jsx: { runtime: 'automatic' },
  });
  const body = plain.replaceAll(/^import .*$/gm, '').replace('export const text =', 'return');
  const all: Record<string, unknown> = { ...names, _jsx: jsx, _jsxs: jsxs };
  const text = new Function(...Object.keys(all), body)(...Object.values(all)) as string;
  return renderToStaticMarkup(createElement('p', {}, text));
}

/** As on the server, in development and in tests. */
async function onServer(expression: string, language: Language, values: object): Promise<string> {
  const texts = createTexts(() => language, factsOf, translationsIn);
  const { code } = await replaceMacros(`${imports}\nexport const text = ${expression};`, 'a.tsx', []);
  return run(code, { _i18n: { _: texts.plain }, _Trans: texts.rich, ...values });
}

/** As in the scripts of a language. */
async function inBrowser(expression: string, language: Language, values: object): Promise<string> {
  const sources = new Map<string, string>();
  const { code } = await replaceMacros(`${imports}\nexport const text = ${expression};`, 'a.tsx', [
    markTexts((id, message) => {
      sources.set(id, message);
      return [message, translations.get(id) ?? message];
    }),
  ]);
  const { code: plain } = await transformWithOxc(code, 'a.tsx', { jsx: { runtime: 'automatic' } });
  const { intl, numbers } = factsOf(language);
  const written = createWriter(plain, 'a.js')((id) => translationsIn(language).get(id) ?? sources.get(id), language);
  expect(written).not.toMatch(/__(text|rich)__|macro|i18n\._/);
  const choose = createChoose(intl, (count) => grouped(count, numbers));
  return run(written, { _chooseText: choose, _elementText: element, ...values });
}

describe('a built script and the server show the same', () => {
  const counted = "plural(count, { one: '# audio', other: '# audios' })";
  const linked = '<Trans>By <a href="/terms">the terms</a> of {name}, <hr /> and <b>{name}</b></Trans>';
  test.each<[expression: string, values: object, en: string, de: string]>([
    ['t`Log in`', {}, 'Log in', 'Anmelden'],
    ['<Trans>Log in</Trans>', {}, 'Log in', 'Anmelden'],
    [
      't`${name}, home`',
      { name: 'So "to" <0>' },
      'So &quot;to&quot; &lt;0&gt;, home',
      'So &quot;to&quot; &lt;0&gt;, Startseite',
    ],
    [counted, { count: 0 }, '0 audios', 'kein Audio'],
    [counted, { count: 1 }, '1 audio', '1 Audio'],
    [counted, { count: 1234 }, '1,234 audios', '1.234 Audios'],
    ["selectOrdinal(count, { one: '#st', two: '#nd', other: '#th' })", { count: 2 }, '2nd', '2.'],
    ['t`${count} min`', { count: 1 }, '1 min', '1 Minute'],
    ['<Plural value={count} one="# audio" other="# audios" />', { count: 2 }, '2 audios', '2 Audios'],
    [
      'plural(count, { one: `# audio by ${name}`, other: `# audios by ${name}` })',
      { count: 1, name: 'Ada' },
      '1 audio by Ada',
      'Von Ada: 1 Audio',
    ],
    [
      'plural(count, { one: `# audio by ${name}`, other: `# audios by ${name}` })',
      { count: 2, name: 'Ada #1' },
      '2 audios by Ada #1',
      'Von Ada #1: 2 Audios',
    ],
    ["select(name, { audio: 'An audio', other: 'A list' })", { name: 'audio' }, 'An audio', 'Ein Audio'],
    ["select(name, { audio: 'An audio', other: 'A list' })", { name: 'series' }, 'A list', 'Eine Liste'],
    [
      linked,
      { name: '<0>x' },
      'By <a href="/terms">the terms</a> of &lt;0&gt;x, <hr/> and <b>&lt;0&gt;x</b>',
      '<b>&lt;0&gt;x</b>, <hr/>: von <a href="/terms">den Bedingungen</a> von &lt;0&gt;x',
    ],
    ['<Trans>{name}, home</Trans>', { name: createElement('b') }, '<b></b>, home', '<b></b>, Startseite'],
  ])('%s', async (expression, values, en, de) => {
    for (const show of [onServer, inBrowser]) {
      expect(await show(expression, 'en', values)).toBe(`<p>${en}</p>`);
      expect(await show(expression, 'de', values)).toBe(`<p>${de}</p>`);
      expect(await show(expression, 'fr', values)).toContain(en.slice(0, 1));
    }
  });
});

test('a translation with a value that the code does not give, or with a format, breaks the build', async () => {
  await expect(inBrowser('t`Hello ${name}`', 'de', {})).rejects.toThrow(
    'a.js, “Hallo {nobody}” in de: there is no {nobody}',
  );
  await expect(inBrowser('t`Bye ${name}`', 'de', {})).rejects.toThrow('number is not known in the browser');
  const chosen = '<Plural value={count} one={<b>One</b>} other="# audios" />';
  await expect(inBrowser(chosen, 'en', {})).rejects.toThrow('there is an element in one of its cases');
});

test('a text of a page that is not written where it is shown breaks the build', async () => {
  const code = "import { i18n } from '#i18n';\nexport const text = i18n._(other);";
  await expect(replaceMacros(code, 'a.tsx', [markTexts(() => [])])).rejects.toThrow('written where it is shown');
});
