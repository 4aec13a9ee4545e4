import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Language, languageCodes } from '#formats/languages.ts';
import { languageName } from '#formats/language-names.ts';
import { inLanguage, i18n } from '#i18n';
import { checkMarkdown } from '../../editorial/markdown.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError, say } from '../../kernel/errors.ts';
import { languageOfOwnTexts, translatedLanguages } from '../../settings/languages.ts';
import { translations } from '../../settings/tables.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';
import type { OwnTextKind, OwnTextState } from '../rules.ts';
import { type OwnText, type OwnTextParts, listOwnTexts } from './own-texts.ts';

/** Translations of operators' texts. */

/** `category/0197…/label`. */
export const keyOf = ({ kind, subject, field }: { kind: string; subject: string; field: string }) =>
  `${kind}/${subject}/${field}`;

export const TranslationsForm = z.object({
  texts: z
    .array(
      z.object({
        key: z.string().max(300).describe('Kind, subject and field: category/0197…/label'),
        language: z.enum(languageCodes),
        text: z.string().max(400_000).describe('Empty: the text that it translates is shown'),
        before: z.string().max(400_000).optional().describe('As it was seen; another one by now is a conflict'),
      }),
    )
    .min(1)
    .max(500),
});
export type TextChange = z.output<typeof TranslationsForm>['texts'][number] & {
  /** The text that it translates; default: as it is now. */
  source?: string;
};

export type Translation = {
  text: string;
  state: OwnTextState;
  /** The text that it translates, if that has changed. */ before?: string;
};

type Stored = Map<string, { text: string; source: string }>;

async function readStored(db: Db): Promise<Stored> {
  const rows = await db.select().from(translations);
  return new Map(rows.map(({ text, source, ...row }) => [`${keyOf(row)} ${row.language}`, { text, source }]));
}

function translationOf(stored: Stored, own: OwnText, language: Language): Translation {
  const found = stored.get(`${keyOf(own)} ${language}`);
  if (found === undefined) return { text: '', state: own.builtIn === undefined ? 'missing' : 'built-in' };
  return found.source === own.source
    ? { text: found.text, state: 'translated' }
    : { text: found.text, state: 'outdated', before: found.source };
}

/** Every text with its translation into a language. */
export async function listTranslations(
  parts: OwnTextParts,
  actor: Actor,
  { language, kind, state }: { language: Language; kind?: OwnTextKind | undefined; state?: OwnTextState | undefined },
) {
  administratorsOnly(actor);
  const [texts, stored] = await Promise.all([listOwnTexts(parts), readStored(parts.db)]);
  return texts
    .filter((own) => kind === undefined || own.kind === kind)
    .map((own) => ({ own, key: keyOf(own), source: own.source, ...translationOf(stored, own, language) }))
    .filter((one) => state === undefined || one.state === state);
}

/** Texts that one page edits: those of a subject; all of the look, and all words of menus. */
export type TextGroup = { kind: OwnTextKind; subject: string };

const wholeKinds: OwnTextKind[] = ['look', 'menu'];

function groupOf({ kind, subject }: OwnText): TextGroup {
  return { kind, subject: wholeKinds.includes(kind) ? 'all' : subject };
}

const isIn = (group: { kind: string; subject: string }, own: OwnText) =>
  own.kind === group.kind && groupOf(own).subject === group.subject;

/** The texts of a group in the languages on offer, and how much of all is translated. */
export async function findTranslations(parts: OwnTextParts, actor: Actor, kind: string, subject: string) {
  administratorsOnly(actor);
  const [texts, stored] = await Promise.all([listOwnTexts(parts), readStored(parts.db)]);
  const own = texts.filter((text) => isIn({ kind, subject }, text));
  const [first] = own;
  const whole = wholeKinds.find((one) => one === kind && subject === 'all');
  if (first === undefined && whole === undefined) return undefined;
  const languages = translatedLanguages(parts.settings);
  return {
    kind: first?.kind ?? (whole as OwnTextKind),
    subject,
    name: first?.name ?? '',
    source: sourceOf(parts),
    fields: own.map((text) => ({
      key: keyOf(text),
      name: text.name,
      field: text.field,
      source: text.source,
      max: text.max,
      isLong: text.isLong,
      translations: languages.map((language) => ({
        language,
        ...translationOf(stored, text, language),
        builtIn: text.builtIn && inLanguage(language, text.builtIn),
      })),
    })),
    ...shareOf(texts, stored, languages),
    next: nextOpen(texts, stored, languages, first),
  };
}
function sourceOf({ settings }: OwnTextParts) {
  const language = languageOfOwnTexts(settings);
  return { language, name: languageName(language) };
}
export type GroupTranslations = NonNullable<Awaited<ReturnType<typeof findTranslations>>>;
export type TranslatedField = GroupTranslations['fields'][number];

/** Languages on offer whose readers get the operators' text as it was written. */
export async function findUntranslated(parts: OwnTextParts, actor: Actor, kind: OwnTextKind, subject: string) {
  const { fields = [] } = (await findTranslations(parts, actor, kind, subject)) ?? {};
  const missing = fields.flatMap(({ translations: all }) => all.filter(({ state }) => state === 'missing'));
  return [...new Set(missing.map(({ language }) => language))];
}

/** How much is translated into the languages on offer, and where a text is missing or outdated. */
export async function findTranslatedShare(parts: OwnTextParts, actor: Actor) {
  administratorsOnly(actor);
  const [texts, stored] = await Promise.all([listOwnTexts(parts), readStored(parts.db)]);
  const languages = translatedLanguages(parts.settings);
  const isOpen = (text: OwnText, language: Language) =>
    openStates.includes(translationOf(stored, text, language).state);
  const groups = [...Map.groupBy(texts, (text) => keyOf({ ...groupOf(text), field: '' })).values()].map((own) => ({
    ...groupOf(own[0] as OwnText),
    name: own[0]?.name ?? '',
    /** Languages in which a text is missing or outdated. */
    open: languages.filter((language) => own.some((text) => isOpen(text, language))),
  }));
  return {
    source: sourceOf(parts),
    ...shareOf(texts, stored, languages),
    next: nextOpen(texts, stored, languages),
    /** Groups with something to do. */
    open: groups.filter(({ open }) => open.length > 0).slice(0, maxGroups),
  };
}
const openStates: OwnTextState[] = ['missing', 'outdated'];
const maxGroups = 100;
export type TranslatedShare = Pick<Awaited<ReturnType<typeof findTranslatedShare>>, 'counts' | 'next'>;

function shareOf(texts: OwnText[], stored: Stored, languages: Language[]) {
  return {
    counts: languages.map((language) => {
      const states = texts.map((text) => translationOf(stored, text, language).state);
      const count = (...counted: OwnTextState[]) => states.filter((state) => counted.includes(state)).length;
      return {
        language,
        translated: count('translated', 'outdated'),
        outdated: count('outdated'),
        all: count('translated', 'outdated', 'missing'),
      };
    }),
  };
}

/** @param after the group of this text is passed over */
function nextOpen(texts: OwnText[], stored: Stored, languages: Language[], after?: OwnText): TextGroup | undefined {
  const at = after === undefined ? 0 : texts.indexOf(after);
  const isOpen = (text: OwnText) =>
    languages.some((language) => openStates.includes(translationOf(stored, text, language).state));
  const next = [...texts.slice(at), ...texts.slice(0, at)].find(
    (text) => !(after !== undefined && isIn(groupOf(after), text)) && isOpen(text),
  );
  return next && groupOf(next);
}

/** Why a text cannot be this translation; undefined for a valid one, which is trimmed. */
export async function faultOf(own: OwnText, text: string): Promise<{ fault: string } | { text: string }> {
  const parsed = own.schema.safeParse(text);
  if (!parsed.success) return { fault: parsed.error.issues[0]?.message ?? '' };
  const trimmed = parsed.data ?? '';
  const fault = trimmed === '' ? undefined : own.faultOf?.(trimmed);
  if (fault !== undefined) return { fault: say(fault) };
  if (own.kind === 'info')
    try {
      await checkMarkdown(trimmed);
    } catch (error) {
      if (error instanceof DomainError) return { fault: error.message };
      throw error;
    }
  return { text: trimmed };
}

/**
 * All or none. A text that is sent again translates the source as it is now.
 * @throws DomainError `text/unusable` for an unknown or invalid one, ChangedMeanwhile
 */
export async function changeTranslations(parts: OwnTextParts, actor: Actor, changes: TextChange[]): Promise<void> {
  administratorsOnly(actor);
  const known = new Map((await listOwnTexts(parts)).map((own) => [keyOf(own), own]));
  const checked = await Promise.all(
    changes.map(async ({ key, ...change }) => {
      const own = known.get(key);
      if (own === undefined)
        throw new DomainError(
          'text/unusable',
          i18n._(/*i18n*/ { id: 'translations.unknown', message: 'There is no text {key}.', values: { key } }),
        );
      if (change.language === languageOfOwnTexts(parts.settings))
        throw new DomainError(
          'text/unusable',
          i18n._(
            /*i18n*/ {
              id: 'translations.own-language',
              message: 'The site’s texts are written in this language ({language}). Change them in their own place.',
              values: { language: change.language },
            },
          ),
        );
      const found = change.text.trim() === '' ? { text: '' } : await faultOf(own, change.text);
      if ('fault' in found) throw new DomainError('text/unusable', `${own.name}, ${change.language}: ${found.fault}`);
      return { own, ...change, text: found.text };
    }),
  );
  await parts.db.transaction(async (tx) => {
    // Two concurrent first translations find no row to lock.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('translations'))`);
    const stored = await readStored(tx);
    for (const [subject, ofSubject] of Map.groupBy(checked, ({ own }) => `${own.kind}/${own.subject}`)) {
      const before: Record<string, Record<string, string>> = {};
      const after: typeof before = {};
      for (const { own, language, text, before: seen, source = own.source } of ofSubject) {
        const now = stored.get(`${keyOf(own)} ${language}`);
        if (seen !== undefined && seen !== (now?.text ?? ''))
          throw await changedMeanwhile(tx, { type: 'text', id: subject });
        await store(tx, own, { language, text, source });
        (before[own.field] ??= {})[language] = now?.text ?? '';
        (after[own.field] ??= {})[language] = text;
      }
      await recordByOperator(tx, actor, {
        action: 'text.translate',
        subject: { type: 'text', id: subject, name: ofSubject[0]?.own.name ?? '' },
        before,
        after,
      });
    }
  });
}

async function store(
  tx: Db,
  { kind, subject, field }: OwnText,
  { language, text, source }: { language: Language; text: string; source: string },
): Promise<void> {
  const key = { kind, subject, field, language };
  if (text === '') {
    const isIt = Object.entries(key).map(([name, value]) => eq(translations[name as keyof typeof key], value));
    await tx.delete(translations).where(and(...isIt));
    return;
  }
  await tx
    .insert(translations)
    .values({ ...key, text, source })
    .onConflictDoUpdate({
      target: [translations.kind, translations.subject, translations.field, translations.language],
      set: { text, source, updatedAt: sql`now()` },
    });
}
