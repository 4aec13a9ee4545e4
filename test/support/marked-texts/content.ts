import type pg from 'pg';
import { placeChoices } from '#domain/age/places.ts';
import { languages } from '#formats/language-facts.ts';
import { commonLanguages, languageLabel, languageName } from '#formats/language-names.ts';
import { inLanguage } from '#i18n';

/** Columns with what people have written, and names from elsewhere. */
const contentColumns: Record<string, string[]> = {
  articles: ['title', 'description', 'body', 'slug'],
  audios: ['title', 'description', 'badge'],
  categories: ['label', 'description'],
  comment_reports: ['details'],
  comments: ['text'],
  invoices: ['number'],
  payment_customers: ['customer_id'],
  payment_events: ['event_id', 'type'],
  // The first version of a description that was changed.
  audit_entries: ["before->'description'"],
  playlists: ['title', 'description'],
  site_starts: ['host'],
  provider_users: ['email'],
  series: ['title', 'description'],
  subscriptions: ['discount'],
  tags: ['label', 'slug'],
  transcripts: ['cues'],
  // By operators, in other languages.
  translations: ['text'],
  transcript_translations: ['cues'],
  user_playlists: ['title'],
  users: ['username'],
  voices: ['name', 'bio'],
};

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

export const sentencesOf = (text: string) => text.split(/(?<=[.!?]) (?=\p{Lu})/u);

/** @param more known words */
export async function readContent(pool: Pick<pg.Pool, 'query'>, more: string[] = []): Promise<string[]> {
  // By Node, in German.
  const named = inLanguage('de', () => [
    ...commonLanguages.flatMap((tag) => [languageName(tag), languageLabel(tag)]),
    ...placeChoices().flatMap(({ label }) => [label, ...sentencesOf(label), ...label.split(', ')]),
  ]);
  const found = ['Sotto', 'Node', 'visa', ...more, ...named, ...Object.values(languages).map(({ name }) => name)];
  for (const [table, columns] of Object.entries(contentColumns))
    for (const column of columns) {
      const { rows } = await pool.query<{ value: unknown }>(
        `select distinct to_jsonb(${column}) as value from ${table}`,
      );
      const strings = rows.flatMap(({ value }) => stringsIn(value));
      found.push(...strings, ...strings.flatMap(sentencesOf));
      if (table === 'tags' || table === 'translations')
        found.push(...strings.map((label) => label.charAt(0).toUpperCase() + label.slice(1)));
      if (table === 'voices') found.push(...strings.map((name) => name.split(' ')[0] ?? ''));
    }
  return found;
}
