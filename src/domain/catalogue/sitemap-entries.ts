import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';

/** Kinds of content that have their own page, named after their tables. */
export const sitemapKinds = ['audios', 'voices', 'categories', 'series', 'playlists', 'articles'] as const;
export type SitemapKind = (typeof sitemapKinds)[number];

/** Tables with an `updated_at` column. */
const dated = new Set<SitemapKind>(['audios', 'voices', 'articles']);
const published = sql`published_at <= now()`;
const notHidden = sql`hidden_at is null`;
const ofShownVoice = sql`not exists (select from voices v where v.id = voice_id and v.hidden_at is not null)`;

export type Address = {
  slug: string;
  /** ISO 8601; null when the table does not record changes. */
  changedAt: string | null;
};

const shown: Record<SitemapKind, SQL> = {
  audios: published,
  voices: notHidden,
  categories: notHidden,
  series: sql`${notHidden} and ${ofShownVoice}`,
  playlists: published,
  articles: published,
};

/** Published addresses after a slug, ordered by slug, for the sitemaps. */
export async function listSitemapEntries(
  db: Db,
  kind: SitemapKind,
  { after, limit }: { after: string; limit: number },
): Promise<Address[]> {
  const changed = dated.has(kind)
    ? sql`to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
    : sql`null`;
  const { rows } = await db.execute<{ slug: string; changed: string | null }>(sql`
    select slug, ${changed} as changed from ${sql.identifier(kind)}
    where slug > ${after} and ${shown[kind]} order by slug limit ${limit}`);
  return rows.map(({ slug, changed: changedAt }) => ({ slug, changedAt }));
}

/** The slug before each chunk of `size` addresses, to split sitemaps; empty when there are none. */
export async function listSitemapCuts(db: Db, kind: SitemapKind, size: number): Promise<string[]> {
  const { rows } = await db.execute<{ before: string }>(sql`
    select before from (
      select coalesce(lag(slug) over (order by slug), '') as before, row_number() over (order by slug) - 1 as place
      from ${sql.identifier(kind)} where ${shown[kind]}
    ) as placed where place % ${size} = 0 order by place`);
  return rows.map(({ before }) => before);
}
