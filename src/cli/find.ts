import { eq, or, sql } from 'drizzle-orm';
import { audios, categories, facets, playlists, series, tags, voices } from '#domain/catalogue/tables.ts';
import { articles } from '#domain/editorial/tables.ts';
import { findAccount } from '#domain/identity/operators.ts';
import { isId } from '#domain/kernel/ids.ts';
import { dropUnwanted } from '#domain/kernel/rules.ts';
import { CommandError } from './command.ts';
import type { SiteTools } from './open/with-site.ts';

const tables = {
  audio: audios,
  voice: voices,
  category: categories,
  facet: facets,
  tag: tags,
  series,
  playlist: playlists,
  article: articles,
};

/** Things that operators name by slug, label, email, username or code where the API takes an id. */
export type FoundKind = keyof typeof tables | 'user' | 'promo-code';

const kinds: Record<string, FoundKind> = {
  audios: 'audio',
  voices: 'voice',
  categories: 'category',
  facets: 'facet',
  tags: 'tag',
  series: 'series',
  playlists: 'playlist',
  articles: 'article',
  users: 'user',
  subscriptions: 'user',
  'promo-codes': 'promo-code',
};

/** @param noun of a command, or the part of an address before an id */
export function kindOfNoun(noun: string): FoundKind | undefined {
  return kinds[noun];
}

export function isFoundKind(text: string): text is FoundKind {
  return Object.values(kinds).some((kind) => kind === text);
}

/** @param name as typed by the operator; an id stays as it is. @throws CommandError */
export async function findId(tools: SiteTools, kind: FoundKind, name: string): Promise<string> {
  const plain = dropUnwanted(name);
  const id = isId(plain) ? plain : await lookUp(tools, kind, plain);
  if (id === undefined) throw new CommandError(`There is no ${kind} ${JSON.stringify(name)}`);
  return id;
}

async function lookUp({ db, parts }: SiteTools, kind: FoundKind, name: string): Promise<string | undefined> {
  if (kind === 'promo-code') return (await parts.payments.findPromoCode(name))?.id;
  if (kind === 'user') return (await findAccount(db, name))?.id;
  const table = tables[kind];
  const isNamed =
    kind === 'tag' ? or(eq(tags.slug, name), sql`lower(${tags.label}) = lower(${name})`) : eq(table.slug, name);
  const [row] = await db.select({ id: table.id }).from(table).where(isNamed).limit(1);
  return row?.id;
}
