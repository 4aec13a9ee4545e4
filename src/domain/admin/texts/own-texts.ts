import { asc, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import { i18n, inLanguage } from '#i18n';
import { SeriesForm } from '../../catalogue/forms.ts';
import { seriesLimits } from '../../catalogue/rules.ts';
import { categories, facets, playlists, series, tags } from '../../catalogue/tables.ts';
import {
  type InfoPageName,
  findInfoFault,
  infoPageNames,
  infoPageSetting,
  infoTextLength,
} from '../../editorial/info-pages.ts';
import type { Db } from '../../kernel/db.ts';
import type { Sentence } from '../../kernel/errors.ts';
import { type MailKind, findMailFault, mailTextLengths, translated, translatedText } from '../../kernel/mail-text.ts';
import { HeroForm, MenuWord } from '../../look/forms.ts';
import { lookLengths } from '../../look/rules.ts';
import { lookSettings, partNames } from '../../look/settings.ts';
import { languageOfOwnTexts } from '../../settings/languages.ts';
import { MailTextForm, mailTextSetting } from '../../settings/mail-texts.ts';
import type { Settings } from '../../settings/open-settings.ts';
import { findCurrentAgreement } from '../../verification/agreement.ts';
import { AgreementForm } from '../../verification/forms.ts';
import { agreementLength } from '../../verification/rules.ts';
import { wordListLengths } from '../../settings/rules.ts';
import { WordLists, wordSetting } from '../../settings/word-lists.ts';
import { CategoryForm, FacetForm, PlaylistForm, TagForm, nameLengths, textLengths } from '../forms.ts';
import type { OwnTextKind } from '../rules.ts';
import { mailGroups } from './mail-kinds.ts';
import { infoPageTitles } from './site-texts.ts';

/** Every text of operators that can have one per language, with its limits (decision 070). */

export type OwnText = {
  kind: OwnTextKind;
  /** Id of a row, or a name. */
  subject: string;
  field: string;
  name: string;
  /** As it is written; not empty. */
  source: string;
  /** Characters. */
  max: number;
  /** Several lines. */
  isLong: boolean;
  /** Trims a translation, and refuses what the field itself refuses. */
  schema: z.ZodType<string | null>;
  /** Another reason why a text cannot be its translation. */
  faultOf?: (text: string) => Sentence | undefined;
  /** The site's own translation, which readers see until there is one. */
  builtIn?: () => string;
};

export type OwnTextParts = {
  db: Db;
  settings: Settings;
  editorial: { findInfoDefault(name: InfoPageName): string; findInfoTranslation(name: InfoPageName): string };
};

type Field = Pick<OwnText, 'field' | 'max' | 'isLong' | 'schema'>;

const labelField = (max: number, schema: Field['schema'], field = 'label'): Field => ({
  field,
  max,
  isLong: false,
  schema,
});
const textField = (max: number, schema: Field['schema'], field = 'description'): Field => ({
  field,
  max,
  isLong: true,
  schema,
});

const fields = {
  category: [
    labelField(nameLengths.category, CategoryForm.shape.label),
    textField(textLengths.category, CategoryForm.shape.description.unwrap()),
  ],
  facet: [
    labelField(nameLengths.facet, FacetForm.shape.label),
    textField(textLengths.facet, FacetForm.shape.explanation.unwrap(), 'explanation'),
  ],
  tag: [labelField(nameLengths.tag, TagForm.shape.label)],
  playlist: [
    labelField(nameLengths.playlist, PlaylistForm.shape.title, 'title'),
    textField(textLengths.playlist, PlaylistForm.shape.description.unwrap()),
  ],
  series: [
    labelField(seriesLimits.title, SeriesForm.shape.title, 'title'),
    textField(seriesLimits.description, SeriesForm.shape.description.unwrap()),
  ],
} satisfies Partial<Record<OwnTextKind, Field[]>>;

/** Empty ones are left out: there is nothing to translate. */
export async function listOwnTexts(parts: OwnTextParts): Promise<OwnText[]> {
  const { db, settings } = parts;
  const [ofCategories, ofFacets, ofTags, ofPlaylists, ofSeries, agreement] = await Promise.all([
    db
      .select()
      .from(categories)
      .where(isNull(categories.deletedAt))
      .orderBy(asc(categories.position), asc(categories.id)),
    db.select().from(facets).orderBy(asc(facets.position), asc(facets.id)),
    db.select().from(tags).orderBy(asc(tags.slug)),
    db.select().from(playlists).where(isNull(playlists.deletedAt)).orderBy(asc(playlists.position), asc(playlists.id)),
    // Those of a creator are in the creator's language.
    db.select().from(series).where(isNull(series.voiceId)).orderBy(asc(series.sortTitle)),
    findCurrentAgreement(db),
  ]);
  const rows = (kind: keyof typeof fields, found: { id: string }[]) =>
    found.flatMap((row) => {
      const values = row as Record<string, unknown>;
      return fields[kind].map((field) => ({
        ...field,
        kind,
        subject: row.id,
        name: String(values[fields[kind][0]?.field ?? '']),
        source: String(values[field.field] ?? ''),
      }));
    });
  const texts: OwnText[] = [
    ...rows('category', ofCategories),
    ...rows('facet', ofFacets),
    ...rows('tag', ofTags),
    ...rows('playlist', ofPlaylists),
    ...rows('series', ofSeries),
    ...textsOfLook(settings),
    textOfRefusedSearch(settings),
    ...infoPageNames.map((name) => textOfInfoPage(parts, name)),
    ...textOfAgreement(agreement),
    ...mailGroups.flatMap(({ kinds }) => kinds.flatMap((kind) => textsOfMail(settings, kind))),
  ];
  return texts.filter(({ source }) => source.trim() !== '');
}

function textOfRefusedSearch(settings: Settings): OwnText {
  return {
    ...textField(wordListLengths.help, WordLists.shape.help.unwrap(), 'help'),
    kind: 'words',
    subject: 'refused',
    name: i18n._(/*i18n*/ { id: 'own-text.refused-search', message: 'Search with a refused word' }),
    source: settings.read(wordSetting).help,
  };
}

function textsOfLook(settings: Settings): OwnText[] {
  const hero = settings.read(lookSettings.hero);
  const { note } = settings.read(lookSettings['sign-up']);
  const { line } = settings.read(lookSettings.footer);
  const of = (part: 'hero' | 'sign-up' | 'footer', field: string, max: number, source: string | null): OwnText => ({
    ...labelField(max, HeroForm.shape.title.unwrap(), field),
    kind: 'look',
    subject: part,
    name: partNames[part],
    source: source ?? '',
  });
  return [
    of('hero', 'title', lookLengths.heroTitle, hero.title),
    of('hero', 'text', lookLengths.heroText, hero.text),
    of('sign-up', 'note', lookLengths.note, note),
    of('footer', 'line', lookLengths.footerLine, line),
    ...wordsOfMenus(settings).map((word): OwnText => ({
      ...labelField(lookLengths.railTitle, MenuWord),
      kind: 'menu',
      subject: word,
      name: word,
      source: word,
    })),
  ].map((text) => ({ ...text, faultOf: samePlaceholders(text.source) }));
}

/** Words of the footer and of the rails on Home, each once: the same word has the same translation. */
function wordsOfMenus(settings: Settings): string[] {
  const { groups } = settings.read(lookSettings.footer);
  const { visitors, listeners } = settings.read(lookSettings.home);
  const words = [
    ...(groups ?? []).flatMap(({ title, links }) => [title, ...links.map(({ label }) => label)]),
    ...[...(visitors ?? []), ...(listeners ?? [])].map(({ title }) => title),
  ];
  return [...new Set(words.filter((word) => word !== null))];
}

const placeholdersIn = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted();

function samePlaceholders(source: string) {
  const expected = placeholdersIn(source);
  return (text: string): Sentence | undefined =>
    placeholdersIn(text).join() === expected.join()
      ? undefined
      : expected.length === 0
        ? /*i18n*/ { id: 'own-text.no-placeholders', message: 'This text has no placeholders.' }
        : /*i18n*/ {
            id: 'own-text.placeholders',
            message: 'The text needs these placeholders: {all}.',
            values: { all: expected.join(', ') },
          };
}

function textOfInfoPage({ settings, editorial }: OwnTextParts, name: InfoPageName): OwnText {
  const setting = infoPageSetting(name);
  const own = settings.read(setting).text;
  return {
    ...textField(infoTextLength, setting.schema.shape.text, 'text'),
    kind: 'info',
    subject: name,
    name: infoPageTitles[name],
    source: own ?? editorial.findInfoDefault(name),
    faultOf: findInfoFault,
    ...(own === null && { builtIn: () => editorial.findInfoTranslation(name) }),
  };
}

/** The version in force; former ones stay as they were agreed to. */
function textOfAgreement(current: Awaited<ReturnType<typeof findCurrentAgreement>>): OwnText[] {
  if (current === undefined) return [];
  const { version, text } = current;
  return [
    {
      ...textField(agreementLength, AgreementForm.shape.text, 'text'),
      kind: 'agreement',
      subject: String(version),
      name: `Creator agreement, version ${version}`,
      source: text,
    },
  ];
}

/** The operators' words, else the site's own, which have a translation already. */
function textsOfMail(settings: Settings, kind: MailKind): OwnText[] {
  const own = settings.read(mailTextSetting(kind.key)).text;
  const whole = own ?? inLanguage(languageOfOwnTexts(settings), () => translatedText(kind));
  return (['subject', 'body', 'closing'] as const).map((field) => ({
    ...(field === 'subject' ? labelField : textField)(mailTextLengths[field], MailTextForm.shape[field], field),
    kind: 'mail',
    subject: kind.key,
    name: kind.name,
    source: whole[field],
    faultOf: (text) => findMailFault(kind, { ...whole, [field]: text }),
    ...(own === null && { builtIn: () => translated(kind.text[field]) }),
  }));
}
