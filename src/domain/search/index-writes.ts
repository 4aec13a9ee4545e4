import { sql } from 'drizzle-orm';
import type { Tx } from '../kernel/db.ts';
import { entriesOf, kindOf, nameCode, nameLengthCode } from './entries.ts';
import type { SearchGroup } from './forms.ts';
import type { SearchDocument } from './search-index.ts';
import { popularityOf } from './plays.ts';
import { countWords, queryWords } from './words.ts';

/**
 * Replaces the documents with these keys; those that are not among the documents are removed. Call it under the lock of
 * the feed: the counts of words are read, then changed.
 */
export async function writeDocuments(
  tx: Tx,
  group: SearchGroup,
  keys: string[],
  documents: SearchDocument[],
): Promise<void> {
  if (keys.length === 0) return;
  const kind = kindOf(group);
  const { rows: former } = await tx.execute<{ key: string; entries: number[] }>(
    sql`select key, entries from search_documents where kind = ${kind} and key = any(${sql.param(keys)}::uuid[])`,
  );
  const codes = await codesOf(tx, kind, documents.map(entriesOf));
  const rows = documents.map((document, at) => {
    const nameWords = countWords(document.name);
    const ofName = [nameLengthCode(kind, nameWords), nameCode(queryWords(document.name))];
    return { document, nameWords, entries: [...(codes[at] ?? []), ...ofName].toSorted((one, other) => one - other) };
  });
  await saveDocuments(tx, kind, rows);
  const kept = new Set(documents.map(({ key }) => key));
  const gone = former.filter(({ key }) => !kept.has(key)).map(({ key }) => key);
  if (gone.length > 0)
    await tx.execute(sql`delete from search_documents where kind = ${kind} and key = any(${sql.param(gone)}::uuid[])`);
  await count(
    tx,
    rows.map(({ entries }) => entries),
    former.map(({ entries }) => entries),
  );
}

/** The codes of the entries of each document; new words get a row. */
async function codesOf(tx: Tx, kind: number, entries: string[][]): Promise<number[][]> {
  const found = new Map<string, number>();
  const given = (ones: string[]) =>
    sql`(select substr(entry, 2) as word, left(entry, 1)::smallint as field from unnest(${sql.param(ones)}::text[]) entry) given`;
  const keep = ({ rows }: { rows: { entry: string; code: number }[] }) => {
    for (const { entry, code } of rows) found.set(entry, code);
  };
  const all = [...new Set(entries.flat())];
  keep(
    await tx.execute(sql`select field || word as entry, code from ${given(all)} join search_words using (word, field)
      where kind = ${kind}`),
  );
  const missing = all.filter((entry) => !found.has(entry));
  if (missing.length > 0)
    keep(
      await tx.execute(sql`insert into search_words (word, kind, field) select word, ${kind}, field from ${given(missing)}
        returning field || word as entry, code`),
    );
  return entries.map((ones) => ones.map((entry) => found.get(entry) as number));
}

type DocumentRow = { document: SearchDocument; nameWords: number; entries: number[] };

async function saveDocuments(tx: Tx, kind: number, rows: DocumentRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = (valueOf: (row: DocumentRow) => string | number | null) => sql.param(rows.map(valueOf));
  await tx.execute(sql`
    insert into search_documents (kind, key, entries, name_words, popularity, found_from, owner_id, hit)
    select ${kind}, key, entries::integer[], name_words, ${popularityOf(sql`plays`)}, to_timestamp(found_from / 1000), owner_id, hit
    from unnest(
      ${column(({ document }) => document.key)}::uuid[],
      ${column(({ entries }) => `{${entries.join()}}`)}::text[],
      ${column(({ nameWords }) => Math.min(nameWords, 32_767))}::smallint[],
      ${column(({ document }) => document.plays)}::float8[],
      ${column(({ document }) => document.publishedAt)}::float8[],
      ${column(({ document }) => document.ownerId)}::uuid[],
      ${column(({ document }) => JSON.stringify(document.hit))}::jsonb[]
    ) as given (key, entries, name_words, plays, found_from, owner_id, hit)
    on conflict (kind, key) do update set entries = excluded.entries, name_words = excluded.name_words,
      popularity = excluded.popularity, found_from = excluded.found_from, owner_id = excluded.owner_id,
      hit = excluded.hit, written_at = excluded.written_at`);
}

/** Words of no document are forgotten: they may have been somebody's. */
async function count(tx: Tx, added: number[][], removed: number[][]): Promise<void> {
  const changes = new Map<number, number>();
  const add = (lists: number[][], by: number) => {
    for (const code of lists.flat()) if (code > 0) changes.set(code, (changes.get(code) ?? 0) + by);
  };
  add(added, 1);
  add(removed, -1);
  const changed = [...changes].filter(([, by]) => by !== 0).toSorted(([one], [other]) => one - other);
  if (changed.length === 0) return;
  await tx.execute(sql`
    update search_words w set documents = documents + given.change
    from unnest(${sql.param(changed.map(([code]) => code))}::int[], ${sql.param(changed.map(([, by]) => by))}::int[])
      as given (code, change) where w.code = given.code`);
  const rarer = changed.filter(([, by]) => by < 0).map(([code]) => code);
  if (rarer.length > 0)
    await tx.execute(sql`delete from search_words where code = any(${sql.param(rarer)}::int[]) and documents <= 0`);
}
