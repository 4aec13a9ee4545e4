import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';

/** Everything that has a page of its own, by the table it is kept in. */
export const addressKinds = ['audios', 'voices', 'categories', 'series', 'playlists', 'articles'] as const;
export type AddressKind = (typeof addressKinds)[number];

/** Of these the rows say when they changed. */
const dated = new Set<AddressKind>(['audios', 'voices', 'articles']);
const scheduled = new Set<AddressKind>(['audios', 'articles']);

export type Address = {
  slug: string;
  /** ISO 8601; null where nothing says it. */
  changedAt: string | null;
};

function shown(kind: AddressKind) {
  return scheduled.has(kind) ? sql`published_at <= now()` : sql`true`;
}

/** Those behind a slug, in the order of slugs, for lists of all that there is. */
export async function listAddresses(
  db: Db,
  kind: AddressKind,
  { after, limit }: { after: string; limit: number },
): Promise<Address[]> {
  const changed = dated.has(kind)
    ? sql`to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
    : sql`null`;
  const { rows } = await db.execute<{ slug: string; changed: string | null }>(sql`
    select slug, ${changed} as changed from ${sql.identifier(kind)}
    where slug > ${after} and ${shown(kind)} order by slug limit ${limit}`);
  return rows.map(({ slug, changed: changedAt }) => ({ slug, changedAt }));
}

/** Where a list of all of them is cut: the slugs before each piece of `size`; empty where there are none. */
export async function listAddressCuts(db: Db, kind: AddressKind, size: number): Promise<string[]> {
  const { rows } = await db.execute<{ before: string }>(sql`
    select before from (
      select coalesce(lag(slug) over (order by slug), '') as before, row_number() over (order by slug) - 1 as place
      from ${sql.identifier(kind)} where ${shown(kind)}
    ) as placed where place % ${size} = 0 order by place`);
  return rows.map(({ before }) => before);
}
