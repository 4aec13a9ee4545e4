import { type SQL, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { sitemapCuts } from './tables.ts';

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

/** The slugs of one file of the sitemap: after `after`, up to and including `until`. */
export type SitemapRange = { after: string; until?: string | undefined };

/** The protocol allows 50,000 in a file; smaller files are rendered faster, and crawlers accept any number of files. */
const addressesPerFile = 500;
/** Read of a range that has grown since the job cut it. */
const maxAddresses = 2 * addressesPerFile;

/** Published addresses of a range, ordered by slug. */
export async function listSitemapEntries(db: Db, kind: SitemapKind, { after, until }: SitemapRange) {
  const changed = dated.has(kind)
    ? sql`to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
    : sql`null`;
  const isBefore = until === undefined ? sql`true` : sql`slug <= ${until}`;
  const { rows } = await db.execute<{ slug: string; changed: string | null }>(sql`
    select slug, ${changed} as changed from ${sql.identifier(kind)}
    where slug > ${after} and ${isBefore} and ${shown[kind]} order by slug limit ${maxAddresses}`);
  return rows.map(({ slug, changed: changedAt }) => ({ slug, changedAt }));
}

/** The ranges of all files of a kind: those that `keepSitemapCuts` kept, or else cut now. Empty without entries. */
export async function listSitemapRanges(db: Db, kind: SitemapKind): Promise<SitemapRange[]> {
  const kept = await db
    .select({ before: sitemapCuts.before })
    .from(sitemapCuts)
    .where(eq(sitemapCuts.kind, kind))
    .orderBy(asc(sitemapCuts.before));
  const cuts = kept.length > 0 ? kept : (await db.execute<{ before: string }>(cutsOf(kind))).rows;
  return cuts.map(({ before }, index) => ({ after: before, until: cuts[index + 1]?.before }));
}

/** Cuts the sitemap of a large catalogue, in place of `listSitemapRanges`; takes seconds with a million audios. */
export async function keepSitemapCuts(db: Db): Promise<void> {
  for (const kind of sitemapKinds)
    await db.execute(sql`insert into sitemap_cuts (kind, before) select ${kind}, before from (${cutsOf(kind)}) cuts`);
}

/** SQL: the slug before each chunk of addresses, in order. */
const cutsOf = (kind: SitemapKind) => sql`
  select before from (
    select coalesce(lag(slug) over (order by slug), '') as before, row_number() over (order by slug) - 1 as place
    from ${sql.identifier(kind)} where ${shown[kind]}
  ) as placed where place % ${addressesPerFile} = 0 order by place`;
