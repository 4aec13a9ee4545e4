import { createItem, parsePo, stringifyPo } from 'pofile-ts';
import { type Language, languageCodes } from '#formats/languages.ts';
import { i18n } from '#i18n';
import type { Actor } from '../../kernel/actor.ts';
import { DomainError } from '../../kernel/errors.ts';
import { languageOfOwnTexts } from '../../settings/languages.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { type OwnText, type OwnTextParts, listOwnTexts } from './own-texts.ts';
import { type TextChange, changeTranslations, faultOf, keyOf, listTranslations } from './translations.ts';

/** Operators' texts as PO files (https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html), for translators. */

export const maxTranslationBytes = 4 * 1024 * 1024;

/** @param language undefined: a template, without translations */
export async function exportTranslations(
  parts: OwnTextParts,
  actor: Actor,
  language: Language | undefined,
): Promise<string> {
  administratorsOnly(actor);
  const listed =
    language === undefined
      ? (await listOwnTexts(parts)).map((own) => ({ own, text: '', state: 'missing' as const, before: undefined }))
      : await listTranslations(parts, actor, { language });
  return stringifyPo({
    headers: {
      Language: language ?? '',
      'Content-Type': 'text/plain; charset=UTF-8',
      'Content-Transfer-Encoding': '8bit',
      'X-Source-Language': languageOfOwnTexts(parts.settings),
    },
    items: listed.map(({ own, text, state, before }) => ({
      ...createItem(),
      msgctxt: keyOf(own),
      msgid: own.source,
      msgstr: [text],
      extractedComments: [
        [own.name, limitText(own.max), ...(before === undefined ? [] : [beforeText(before)])]
          .join('. ')
          .replaceAll(/\s+/g, ' '),
      ],
      flags: { ...(state === 'outdated' && { fuzzy: true }) } as Record<string, boolean>,
    })),
  });
}

const limitText = (max: number) =>
  i18n._(
    /*i18n*/ {
      id: 'translations.limit',
      message: '{max, plural, one {# character} other {# characters}} at most',
      values: { max },
    },
  );
const beforeText = (before: string) =>
  i18n._(/*i18n*/ { id: 'translations.before', message: 'The text was translated from: {before}', values: { before } });

export type ImportPlan = {
  language: Language;
  added: number;
  changed: number;
  unchanged: number;
  /** Without a translation, or marked as fuzzy; they stay as they are here. */
  unfinished: number;
};

/**
 * Takes the finished translations of a file: all, or none.
 * @param options.isPlan only says what would be done
 * @throws DomainError `text/unusable` with every fault and its line
 */
export async function importTranslations(
  parts: OwnTextParts,
  actor: Actor,
  { file, isPlan }: { file: string; isPlan: boolean },
): Promise<ImportPlan> {
  administratorsOnly(actor);
  const { language, entries } = readFile(file, languageOfOwnTexts(parts.settings));
  const listed = await listTranslations(parts, actor, { language });
  const known = new Map(listed.map((one) => [one.key, one]));
  const faults: string[] = [];
  const changes: TextChange[] = [];
  const plan: ImportPlan = { language, added: 0, changed: 0, unchanged: 0, unfinished: 0 };
  const seen = new Set<string>();
  for (const { line, key, source, text, isFuzzy } of entries) {
    const one = known.get(key);
    const fault = await faultIn(one?.own, { key, text, isTwice: seen.has(key) });
    seen.add(key);
    if (fault !== undefined)
      faults.push(
        i18n._(
          /*i18n*/ { id: 'translations.fault', message: 'Line {line}, {key}: {fault}', values: { line, key, fault } },
        ),
      );
    else if (text === '' || isFuzzy) plan.unfinished += 1;
    else if (one?.text === text && source === (one.before ?? one.source)) plan.unchanged += 1;
    else {
      plan[one?.text === '' ? 'added' : 'changed'] += 1;
      changes.push({ key, language, text, source });
    }
  }
  if (faults.length > 0) throw refusal(faults);
  if (!isPlan && changes.length > 0) await changeTranslations(parts, actor, changes);
  return plan;
}

const maxFaults = 20;

function refusal(faults: string[]): DomainError {
  const more = faults.length - maxFaults;
  return new DomainError(
    'text/unusable',
    [
      i18n._(/*i18n*/ { id: 'translations.refused', message: 'Nothing was imported.' }),
      ...faults.slice(0, maxFaults),
      ...(more > 0
        ? [i18n._(/*i18n*/ { id: 'translations.more', message: 'And {more} more.', values: { more } })]
        : []),
    ].join('\n'),
  );
}

async function faultIn(
  own: OwnText | undefined,
  { key, text, isTwice }: { key: string; text: string; isTwice: boolean },
): Promise<string | undefined> {
  if (own === undefined)
    return i18n._(/*i18n*/ { id: 'translations.unknown', message: 'There is no text {key}.', values: { key } });
  if (isTwice) return i18n._(/*i18n*/ { id: 'translations.twice', message: 'This text is in the file twice.' });
  const found = text === '' ? { text } : await faultOf(own, text);
  return 'fault' in found ? found.fault : undefined;
}

type Entry = { line: number; key: string; source: string; text: string; isFuzzy: boolean };

function readFile(file: string, own: Language): { language: Language; entries: Entry[] } {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const { items } = parsePo(text);
  // The library reads headers from a line of their own, and editors write a single one beside `msgstr`.
  const { headers } = parsePo(text.replace(/^(msgid ""\nmsgstr) "(?=.)/m, '$1 ""\n"'));
  const others = languageCodes.filter((code) => code !== own);
  const language = others.find((code) => code === headers.Language?.split(/[-_]/)[0]);
  if (language === undefined)
    throw refusal([
      i18n._(
        /*i18n*/ {
          id: 'translations.no-language',
          message: 'The header Language of the file is none of these: {all}.',
          values: { all: others.join(', ') },
        },
      ),
    ]);
  // The first is the header's. An entry begins where its source does.
  const [, ...lines] = text.split('\n').flatMap((line, at) => (/^(?:#~ )?msgid /.test(line) ? [at + 1] : []));
  return {
    language,
    entries: items.flatMap(({ obsolete, msgctxt, msgid, msgstr, flags }, at) =>
      obsolete
        ? []
        : [
            {
              line: lines[at] ?? 1,
              key: msgctxt ?? '',
              source: msgid,
              text: msgstr[0] ?? '',
              isFuzzy: flags['fuzzy'] === true,
            },
          ],
    ),
  };
}
