import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#domain/kernel/db.ts';
import { facetPresets } from '#domain/catalogue/facets/presets.ts';
import { eraseUser } from '#domain/privacy/personal-data.ts';
import { demoAccounts } from './accounts.ts';
import { dropDemoFigures } from './figures.ts';
import { type ForgetPayments, removeDemoDocuments, removeDemoPayments } from './payments-removal.ts';
import { removeDemoSignUps } from './sign-ups.ts';
import { readDemo } from './load.ts';

export type DemoRemoval = {
  /** Counts of rows that are removed, by kind. */
  removed: Record<
    'audios' | 'voices' | 'series' | 'playlists' | 'categories' | 'articles' | 'accounts' | 'users',
    number
  >;
  /** Comments of real users on the demo's audios; they are deleted with the audio. */
  otherComments: number;
  /** Parts of the demo that stay, each with the reason. */
  kept: string[];
};

type Demo = Awaited<ReturnType<typeof readDemo>>;

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {}

/**
 * Removes the demo in one transaction: audios by the content of their sound, articles by their text, and voices,
 * series, playlists and categories once nothing else is in them. Nothing names its files then. Changed or added content stays.
 * @param options.isDryRun rolls everything back
 * @returns undefined for a site without the demo
 */
export async function removeDemo(options: {
  db: Db;
  demoDir: string;
  isDryRun: boolean;
  deletePayments: ForgetPayments;
}): Promise<DemoRemoval | undefined> {
  const { db, demoDir, isDryRun, deletePayments } = options;
  const demo = await readDemo(demoDir);
  let result: DemoRemoval | undefined;
  try {
    await db.transaction(async (tx) => {
      // Locked against a concurrent removal; the row stays, so that the demo is not loaded again.
      const { rowCount } = await tx.execute(sql`select from site_settings where key = 'demo' for update`);
      if (rowCount === 0) return;
      result = await removeRows(tx, demo, deletePayments);
      if (isDryRun) throw new DryRun();
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  return result;
}

async function removeRows(tx: Db, demo: Demo, deletePayments: ForgetPayments): Promise<DemoRemoval> {
  const { catalogue, soundKeys } = demo;
  const kept: string[] = [];
  const accounts = await removeAccounts(tx, kept);
  const invented = [...(await findInventedUsers(tx, demo)), ...(await removeDemoPayments(tx, deletePayments))];
  for (const id of invented) await eraseUser(tx, id);
  const articles = await removeArticles(tx, demo, kept);

  const isDemoAudio = sql`file_key = ${anyOf(soundKeys)}`;
  const { rows: comments } = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from comments c join audios a on a.id = c.audio_id where a.${isDemoAudio} and c.user_id is not null`);
  await tx.execute(sql`
    delete from site_settings where key = 'preview' and value ->> 'audioId' in (select id::text from audios where ${isDemoAudio})`);
  await tx.execute(sql`delete from listened_seconds where audio_id in (select id from audios where ${isDemoAudio})`);
  const audios = await remove(tx, sql`delete from audios where ${isDemoAudio}`);
  const slugsOf = (rows: { slug: string }[]) => anyOf(rows.map(({ slug }) => slug));
  kept.push(
    ...(await namesOf(
      tx,
      'audio',
      sql`select slug from audios where slug = ${slugsOf(catalogue.audios)}`,
      'has another sound',
    )),
  );

  const lists = { series: 0, playlists: 0, voices: 0, categories: 0 };
  for (const kind of ['series', 'playlists', 'voices', 'categories'] as const)
    lists[kind] = await removeEmpty(tx, kept, kind, sql`slug = ${slugsOf(catalogue[kind])}`);
  for (const { slug } of catalogue.voices) await dropDemoFigures(tx, slug);
  await removeDemoSignUps(tx);
  const tags = anyOf(catalogue.audios.flatMap(({ tags: labels }) => labels));
  await tx.execute(sql`
    delete from tags where label = ${tags} and not exists (select from audio_tags t where t.tag_id = tags.id)`);
  await tx.execute(sql`
    delete from facets where slug = ${slugsOf([...facetPresets])} and not exists (select from tags t where t.facet_id = facets.id)`);
  // Otherwise a start on loopback would create the demo accounts.
  await tx.execute(sql`
    insert into site_settings (key, value) values ('demo_accounts', '{}') on conflict (key) do nothing`);
  return {
    removed: { audios, ...lists, articles, accounts, users: invented.length },
    otherComments: comments[0]?.count ?? 0,
    kept,
  };
}

/** The accounts with public passwords. */
async function removeAccounts(tx: Db, kept: string[]): Promise<number> {
  const { rows } = await tx.execute<{
    id: string;
    email: string;
    provider: string;
    subject: string;
    isPaying: boolean;
  }>(sql`
    select u.id, u.email, u.identity_provider as provider, u.identity_subject as subject,
      exists (select from subscriptions s where s.user_id = u.id and s.status <> 'ended') as "isPaying"
    from users u where u.email = ${anyOf(demoAccounts.map(({ email }) => email))} order by u.id`);
  let removed = 0;
  for (const { id, email, provider, subject, isPaying } of rows) {
    if (isPaying) {
      kept.push(`account ${email} has a subscription; cancel it first`);
      continue;
    }
    await removeDemoDocuments(tx, [id]);
    await eraseUser(tx, id);
    if (provider === 'built-in') await tx.execute(sql`delete from provider_users where id = ${subject}`);
    else kept.push(`account ${email} is at ${provider}; delete it in its console`);
    removed += 1;
  }
  return removed;
}

/** The demo's people have no sign-in account, unlike real users. */
async function findInventedUsers(tx: Db, { catalogue }: Demo): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from users where identity_provider is null and email is null
      and username = ${anyOf(catalogue.users.map(({ username }) => username))} order by id`);
  return rows.map(({ id }) => id);
}

async function removeArticles(tx: Db, { articles }: Demo, kept: string[]): Promise<number> {
  let removed = 0;
  for (const { slug, title, body } of articles) {
    const rows = await remove(
      tx,
      sql`delete from articles where slug = ${slug} and title = ${title} and body = ${body}`,
    );
    removed += rows;
    if (rows === 0)
      kept.push(
        ...(await namesOf(tx, 'article', sql`select slug from articles where slug = ${slug}`, 'has another text')),
      );
  }
  return removed;
}

/** For each kind, a singular for messages, and whether anything is in a row of its table. */
const emptied = {
  series: { one: 'series', isUsed: sql`exists (select from series_items i where i.series_id = series.id)` },
  playlists: { one: 'playlist', isUsed: sql`exists (select from playlist_items i where i.playlist_id = playlists.id)` },
  voices: {
    one: 'voice',
    isUsed: sql`exists (select from audios a where a.voice_id = voices.id) or exists (select from series s where s.voice_id = voices.id)`,
  },
  categories: {
    one: 'category',
    isUsed: sql`exists (select from audio_categories a where a.category_id = categories.id) or exists (select from voices v where v.category_id = categories.id)`,
  },
};

async function removeEmpty(tx: Db, kept: string[], kind: keyof typeof emptied, isDemo: SQL): Promise<number> {
  const { one, isUsed } = emptied[kind];
  const table = sql.identifier(kind);
  const removed = await remove(tx, sql`delete from ${table} where ${isDemo} and not (${isUsed})`);
  kept.push(...(await namesOf(tx, one, sql`select slug from ${table} where ${isDemo}`, 'is still used')));
  return removed;
}

async function namesOf(tx: Db, kind: string, query: SQL, reason: string): Promise<string[]> {
  const { rows } = await tx.execute<{ slug: string }>(sql`${query} order by slug`);
  return rows.map(({ slug }) => `${kind} ${slug} ${reason}`);
}

async function remove(tx: Db, statement: SQL): Promise<number> {
  return (await tx.execute(statement)).rowCount ?? 0;
}

function anyOf(values: string[]): SQL {
  return sql`any(${sql.param(values)}::text[])`;
}
