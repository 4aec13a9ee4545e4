import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { parsePo } from 'pofile-ts';
import { languages } from '#formats/language-facts.ts';
import { isLanguage } from '#formats/languages.ts';

const folder = join(import.meta.dirname, '..', '..', 'locales');

/**
 * Around a value: FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, so that names in Latin letters keep their place in a
 * sentence from right to left (https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates).
 */
const isolated = (text: string) => text.replaceAll(/\{\w+\}/g, '\u2068$&\u2069');

/**
 * Texts of a language by the id that Lingui gives them; those without a translation are missing.
 * @param name of a file in `locales/`, without its end
 */
export function readCatalogue(name: string): Map<string, string> {
  const texts = new Map<string, string>();
  const isMirrored = isLanguage(name) && languages[name].direction === 'rtl';
  for (const item of parsePo(readFileSync(join(folder, `${name}.po`), 'utf8')).items) {
    const text = item.msgstr[0];
    if (item.obsolete || text === undefined || text === '') continue;
    // As @lingui/format-po marks them.
    const hasOwnId = item.extractedComments.includes('js-lingui-explicit-id');
    texts.set(
      hasOwnId ? item.msgid : generateMessageId(item.msgid, item.msgctxt ?? ''),
      isMirrored ? isolated(text) : text,
    );
  }
  return texts;
}
