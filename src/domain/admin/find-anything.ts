import { sql } from 'drizzle-orm';
import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import { isId, toSlug } from '../kernel/ids.ts';
import { infoPageNames } from '../editorial/info-pages.ts';
import { administratorsOnly } from './administrators-only.ts';
import type { FoundKind } from './rules.ts';
import { infoPageTitles } from './site-texts.ts';
import { startingWith } from '../kernel/like-patterns.ts';

export type FoundThing = {
  kind: FoundKind;
  /** For an info page, its name. */
  id: string;
  slug: string | null;
  name: string;
  detail: string;
};

const mostOfEach = 5;

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
        union all (select e.id from users e where e.email like ${start} order by e.email limit ${mostOfEach})
        union all (select n.id from users n where lower(n.username) like ${start}
          order by lower(n.username) limit ${mostOfEach})))
      order by lower(u.username) limit ${mostOfEach})
    union all
    (select 'voice', v.id, v.slug, v.name, '' from voices v where v.id = any(array(
        select ${id}::uuid
        union all (select s.id from voices s where s.slug like ${slugStart} order by s.slug limit ${mostOfEach})))
      order by v.slug limit ${mostOfEach})
    union all
    (select 'audio', a.id, a.slug, a.title, v.name from audios a join voices v on v.id = a.voice_id
      where a.deleted_at is null and a.id = any(array(
        select ${id}::uuid
        union all (select s.id from audios s where s.deleted_at is null and s.slug like ${slugStart}
          order by s.slug limit ${mostOfEach})))
      order by a.slug limit ${mostOfEach})
    union all
    (select 'series', s.id, s.slug, s.title, coalesce(v.name, '') from series s left join voices v on v.id = s.voice_id
      where s.id = ${id}::uuid or s.slug like ${slugStart} order by s.slug limit ${mostOfEach})
    union all
    (select 'playlist', p.id, p.slug, p.title, '' from playlists p
      where p.deleted_at is null and (p.id = ${id}::uuid or p.slug like ${slugStart})
      order by p.slug limit ${mostOfEach})
    union all
    (select 'category', c.id, c.slug, c.label, '' from categories c
      where c.id = ${id}::uuid or c.slug like ${slugStart} order by c.slug limit ${mostOfEach})
    union all
    (select 'tag', t.id, t.slug, t.label, '' from tags t where t.id = any(array(
        select ${id}::uuid
        union all (select s.id from tags s where s.slug like ${slugStart} order by s.slug limit ${mostOfEach})))
      order by t.slug limit ${mostOfEach})
    union all
    (select 'article', r.id, r.slug, r.title, '' from articles r
      where r.deleted_at is null and (r.id = ${id}::uuid or r.slug like ${slugStart})
      order by r.slug limit ${mostOfEach})`);
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
