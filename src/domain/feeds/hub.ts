import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { type OfferedLanguages, inPath } from '#formats/languages.ts';
import { isDownloadable, isFreeToAll } from '../catalogue/audios.ts';
import { audios } from '../catalogue/tables.ts';
import type { FeedHub } from '../gateways.ts';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import { settleEach } from '../kernel/settle-each.ts';
import { hubPings } from './tables.ts';

/** Caches of the site and of proxies have the new feed by then. */
const minAge = '1 minute';
/** An item that waited longer, because there was no hub, is no longer new. */
const newsFor = '1 day';
/** Per run; the rest follows with the next one. */
const maxFeeds = 50;

/**
 * Tells the hub about the public feeds that have something new, so that podcast apps read them at once. Repeats what the
 * hub did not take.
 * @param site.url origin
 */
export async function tellHub(
  db: Db,
  hub: FeedHub,
  site: { url: string; languages: OfferedLanguages },
  signal?: AbortSignal,
): Promise<number> {
  const isNew = (time: AnyColumn | SQL) =>
    sql`${time} between now() - interval '${sql.raw(newsFor)}' and now() - interval '${sql.raw(minAge)}'`;
  const { rows } = await db.execute<{ path: string; newest: string }>(sql`
    with fresh as (
      select ${audios.id}, ${audios.voiceId}, ${audios.publishedAt} as published_at from ${audios}
      where ${isNew(audios.publishedAt)} and ${isFreeToAll} and ${isDownloadable}),
    feeds (path, newest) as (
      select '/creators/' || v.slug || '/feed.xml', max(f.published_at)
        from fresh f join voices v on v.id = f.voice_id where v.hidden_at is null group by v.slug
      union all
      select '/series/' || s.slug || '/feed.xml', max(f.published_at)
        from fresh f join series_items i on i.audio_id = f.id join series s on s.id = i.series_id
        where s.hidden_at is null group by s.slug
      union all
      select '/blog/feed.xml', max(a.published_at) from articles a where ${isNew(sql`a.published_at`)})
    select feeds.path, feeds.newest from feeds left join hub_pings p on p.path = feeds.path
    where feeds.newest > coalesce(p.newest, '-infinity') order by feeds.newest, feeds.path limit ${maxFeeds}`);
  const tell = async ({ path, newest }: { path: string; newest: string }) => {
    await hub.publish(site.languages.map((language) => site.url + inPath(language, path, site.languages)));
    const told = { path, newest: new Date(newest) };
    await db.insert(hubPings).values(told).onConflictDoUpdate({ target: hubPings.path, set: told });
  };
  // One that the hub refuses does not hold back the others.
  await settleEach(rows, tell, { signal });
  return rows.length;
}

/** Deletes rows of items that are no longer new, and would not be told again without one. */
export function purgeHubPings(db: Db, signal?: AbortSignal): Promise<number> {
  return purgeRows(db, hubPings, sql`newest < now() - interval '${sql.raw(newsFor)}'`, signal);
}
