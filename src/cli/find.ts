import { eq, or, sql } from 'drizzle-orm';
import { audios, categories, playlists, series, tags, voices } from '#domain/catalogue/tables.ts';
import { articles } from '#domain/editorial/tables.ts';
import { findAccount } from '#domain/identity/operators.ts';
import type { Db } from '#domain/kernel/db.ts';
import { isId } from '#domain/kernel/ids.ts';
import { dropUnwanted } from '#domain/kernel/rules.ts';
import { CommandError } from './command.ts';

const tables = {
  audio: audios,
  voice: voices,
  category: categories,
  tag: tags,
  series,
  playlist: playlists,
  article: articles,
};

/** @param idOrSlug as typed by the operator. @throws CommandError */
export async function findId(db: Db, kind: keyof typeof tables, idOrSlug: string): Promise<string> {
  const table = tables[kind];
  const plain = dropUnwanted(idOrSlug);
  const match = isId(plain) ? eq(table.id, plain) : eq(table.slug, plain);
  const [row] = await db.select({ id: table.id }).from(table).where(match);
  if (row === undefined) throw new CommandError(`There is no ${kind} ${JSON.stringify(idOrSlug)}`);
  return row.id;
}

export async function findIds(db: Db, kind: keyof typeof tables, idsOrSlugs: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of idsOrSlugs) ids.push(await findId(db, kind, one));
  return ids;
}

/** The slug of a voice, given by slug or id. @throws CommandError */
export async function findVoice(db: Db, idOrSlug: string): Promise<{ id: string; slug: string; name: string }> {
  const id = await findId(db, 'voice', idOrSlug);
  const [voice] = await db
    .select({ id: voices.id, slug: voices.slug, name: voices.name })
    .from(voices)
    .where(eq(voices.id, id));
  if (voice === undefined) throw new CommandError(`There is no voice ${JSON.stringify(idOrSlug)}`);
  return voice;
}

/** A tag by its slug or label. @throws CommandError */
export async function findTag(db: Db, name: string): Promise<{ id: string; label: string }> {
  const plain = dropUnwanted(name);
  const [tag] = await db
    .select({ id: tags.id, label: tags.label })
    .from(tags)
    .where(or(eq(tags.slug, plain), sql`lower(${tags.label}) = lower(${plain})`))
    .limit(1);
  if (tag === undefined) throw new CommandError(`There is no tag ${JSON.stringify(name)}`);
  return tag;
}

/** @param name email or username. @throws CommandError */
export async function findUser(db: Db, name: string): Promise<{ id: string; name: string }> {
  const account = await findAccount(db, name);
  if (account === undefined) throw new CommandError(`There is no account ${JSON.stringify(name)}`);
  return { id: account.id, name: account.username ?? account.email ?? account.id };
}
