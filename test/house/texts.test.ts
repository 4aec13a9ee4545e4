import { globSync, readFileSync } from 'node:fs';
import { parsePo } from 'pofile-ts';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { languages } from '#formats/language-facts.ts';
import { languageCodes, sourceLanguage } from '#formats/languages.ts';
import { type Token, casesOf, tokensOf } from '../../src/i18n/tokens.ts';

/** Texts in several languages: translations in `locales/`, and texts that are in the code alone. */

const itemsOf = (code: string) =>
  parsePo(readFileSync(`locales/${code}.po`, 'utf8')).items.filter(({ obsolete }) => !obsolete);
const keyOf = ({ msgid, msgctxt }: { msgid: string; msgctxt?: string | null | undefined }) =>
  `${msgctxt ?? ''} ${msgid}`;
/** A text with an id of its own has its English there. */
const english = new Map(itemsOf(sourceLanguage).map((item) => [keyOf(item), item.msgstr[0] ?? '']));

/** Creators and operators alone see texts of these files. */
const isOfWorkshop = (path: string) =>
  !path.endsWith('mails.ts') &&
  /^src\/(?:doctor|start|web\/(?:routes\/)?(?:studio|admin|workshop)|domain\/(?:admin|studio))\b/.test(path);

/** Values and elements of a message, each once, as `{name}` and `<0>`. */
function partsOf(message: string): string[] {
  const found = new Set<string>();
  const read = (token: Token): void => {
    if (typeof token === 'string') for (const [tag] of token.matchAll(/<\/?\d+\/?>/g)) found.add(tag);
    else {
      found.add(`{${token[0]}}`);
      for (const [, tokens] of casesOf(token)) tokens.forEach(read);
    }
  };
  tokensOf(message).forEach(read);
  return [...found].toSorted();
}

/** “vor 20 Std.” ends with a full stop of its own. */
test('no German sentence ends with a length of time', () => {
  const ends = itemsOf('de').filter(({ msgstr }) =>
    msgstr.some((text) => /\{(?:duration|length|when|ago)\}\./.test(text)),
  );
  expect(ends.map(({ msgid }) => msgid)).toEqual([]);
});

describe.each(languageCodes.filter((code) => code !== sourceLanguage))('in %s', (code) => {
  test('every text has a translation', () => {
    const isNeeded = ({ references }: { references: string[] }) =>
      !languages[code].isForListenersOnly || !references.every(isOfWorkshop);
    const missing = itemsOf(code).filter((item) => isNeeded(item) && !item.msgstr[0]);
    expect(missing.map(keyOf)).toEqual([]);
  });

  test('each translation has the values, elements and plural forms of its text', () => {
    const plurals = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
    for (const item of itemsOf(code)) {
      const [translation = ''] = item.msgstr;
      if (translation === '') continue;
      expect([item.msgid, ...partsOf(translation)]).toEqual([item.msgid, ...partsOf(english.get(keyOf(item)) ?? '')]);
      for (const token of tokensOf(translation))
        if (typeof token !== 'string' && token[1] === 'plural') {
          const names = casesOf(token).map(([name]) => name);
          // Numbers with decimals have forms of their own in some languages; nothing here has decimals.
          expect([item.msgid, ...names]).toEqual(
            expect.arrayContaining(plurals.filter((name) => name !== 'many' || code === 'ar')),
          );
        }
    }
  });
});

const spoken = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
];
/** A sign, a number or a name is no text. */
const isText = (text: unknown) => typeof text === 'string' && /\p{L}{2}/u.test(text);

type Node = { type: string; start: number } & Record<string, unknown>;

/** Texts that are written into the markup, with their line. Those of messages and constants are not found. */
function rawTexts(path: string): string[] {
  const code = readFileSync(path, 'utf8');
  const found: string[] = [];
  const note = (node: Node, text: string) =>
    found.push(`${path}:${code.slice(0, node.start).split('\n').length} ${text.trim()}`);
  /** @param isShown the value of this expression is a child or a spoken attribute */
  const visit = (node: Node, isShown: boolean): void => {
    const { type } = node;
    if (type === 'JSXText' && isText(node['value'])) note(node, String(node['value']));
    if (isShown && type === 'Literal' && isText(node['value'])) note(node, String(node['value']));
    if (isShown && type === 'TemplateLiteral')
      for (const { value } of node['quasis'] as { value: { cooked: string } }[])
        if (isText(value.cooked)) note(node, value.cooked);
    const name = type === 'JSXElement' ? ((node['openingElement'] as Node)['name'] as Node)['name'] : undefined;
    // Macros of Lingui.
    if (name === 'Trans' || name === 'Plural' || name === 'Select') return;
    for (const [key, child] of Object.entries(node)) {
      const keepsValue =
        (type === 'ConditionalExpression' && key !== 'test') ||
        (type === 'LogicalExpression' && (key === 'right' || node['operator'] !== '&&'));
      const attribute = type === 'JSXAttribute' ? String((node['name'] as Node)['name']) : undefined;
      const shown =
        attribute !== undefined
          ? spoken.includes(attribute)
          : type === 'JSXExpressionContainer' || type === 'JSXElement' || type === 'JSXFragment' || keepsValue
            ? isShown || type === 'JSXElement' || type === 'JSXFragment'
            : false;
      for (const one of Array.isArray(child) ? child : [child])
        if (typeof one === 'object' && one !== null && 'type' in one) visit(one as Node, shown);
    }
  };
  visit(parseSync(path, code).program as unknown as Node, false);
  return found;
}

const files = globSync('src/web/**/*.tsx', { exclude: (path) => path.endsWith('.test.tsx') }).toSorted();

test('no text is written into the markup', () => {
  expect(files.length).toBeGreaterThan(400);
  expect(files.flatMap(rawTexts)).toEqual([]);
});
