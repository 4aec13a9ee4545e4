import { type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { isId, toSlug } from '../kernel/ids.ts';
import { infoPageNames } from '../editorial/info-pages.ts';
import { administratorsOnly } from './administrators-only.ts';
import type { FoundKind } from './rules.ts';
import { infoPageTitles } from './texts/site-texts.ts';
import { startingWith } from '../kernel/like-patterns.ts';

export type FoundThing = {
  kind: FoundKind;
  /** For an info page, its name. */
  id: string;
  slug: string | null;
  name: string;
  detail: string;
};

const maxPerKind = 5;

/** Things with an address that is made of their name. */
type WithSlug = { kind: FoundKind; table: SQL; name: SQL; detail?: SQL; isThere?: SQL };

const voiceName = sql`coalesce((select v.name from voices v where v.id = x.voice_id), '')`;
const isThere = sql`x.deleted_at is null`;
const withSlugs: WithSlug[] = [
  { kind: 'voice', table: sql`voices`, name: sql`x.name`, isThere },
  { kind: 'audio', table: sql`audios`, name: sql`x.title`, detail: voiceName, isThere },
  { kind: 'series', table: sql`series`, name: sql`x.title`, detail: voiceName },
  { kind: 'playlist', table: sql`playlists`, name: sql`x.title`, isThere },
  { kind: 'category', table: sql`categories`, name: sql`x.label`, isThere },
  { kind: 'tag', table: sql`tags`, name: sql`x.label` },
  { kind: 'article', table: sql`articles`, name: sql`x.title`, isThere },
];

/** Things of each kind, drafts too: by the start of a name, a title or an email, or by an id. */
export async function findAnything(db: Db, actor: Actor, query: string): Promise<FoundThing[]> {
  administratorsOnly(actor);
  const text = query.trim().toLowerCase();
  if (text === '') return [];
  const id = isId(text) ? text : null;
  const start = startingWith(text.replace(/^@/, ''));
  // Slugs are made of titles and names, and have an index. An id has no slug.
  const slugStart = `${toSlug(text) || '-'}%`;
  // One index per way: joined by `or`, PostgreSQL would read the whole table.
  const { rows } = await db.execute<FoundThing>(sql`
    (select 'user' as kind, u.id, null as slug, coalesce(u.username, u.email, u.id::text) as name,
        coalesce(u.email, '') as detail
      from users u where u.id = any(array(
        select ${id}::uuid
        union all (select e.id from users e where e.email like ${start} order by e.email limit ${maxPerKind})
        union all (select n.id from users n where lower(n.username) like ${start}
          order by lower(n.username) limit ${maxPerKind})))
      order by lower(u.username) limit ${maxPerKind})
    union all ${sql.join(
      withSlugs.map((one) => findBySlug(one, id, slugStart)),
      sql` union all `,
    )}`);
  const pages = infoPageNames.filter((name) => infoPageTitles[name].toLowerCase().startsWith(text));
  return [
    ...rows,
    ...pages.map((name) => ({
      kind: 'info-page' as const,
      id: name,
      slug: null,
      name: infoPageTitles[name],
      detail: '',
    })),
  ];
}

function findBySlug(
  { kind, table, name, detail = sql`''`, isThere: condition = sql`true` }: WithSlug,
  id: string | null,
  slugStart: string,
): SQL {
  return sql`(select ${kind}::text, x.id, x.slug::text, ${name}, ${detail} from ${table} x
    where ${condition} and x.id = any(array(
      select ${id}::uuid
      union all (select x.id from ${table} x where ${condition} and x.slug like ${slugStart}
        order by x.slug limit ${maxPerKind})))
    order by x.slug limit ${maxPerKind})`;
}
