import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { ChangedKeys } from './changes.ts';
import { type SearchGroup, searchGroups } from './forms.ts';
import { readers } from './group-readers.ts';
import type { SearchDocument } from './search-index.ts';

/** Rows of a group: by key, or the next `limit` by id. */
type DocumentSelection = { keys: string[] } | { after: string | undefined; limit: number };

/** Documents per read. */
export const perRead = 2000;

/** The documents with these keys. Keys that are not searchable are omitted. */
export function findDocuments(db: Db, group: SearchGroup, keys: string[]): Promise<SearchDocument[]> {
  return readDocuments(db, group, { keys });
}

/** The next {@link perRead} documents of a group by id. */
export function readNextDocuments(db: Db, group: SearchGroup, after: string | undefined): Promise<SearchDocument[]> {
  return readDocuments(db, group, { after, limit: perRead });
}

/** All documents of a group, in batches of {@link perRead}. */
export async function* readAllDocuments(db: Db, group: SearchGroup): AsyncGenerator<SearchDocument[]> {
  for (let after: string | undefined, isMore = true; isMore;) {
    const documents = await readNextDocuments(db, group, after);
    if (documents.length > 0) yield documents;
    after = documents.at(-1)?.hit.id;
    isMore = documents.length === perRead;
  }
}

/** The documents with these keys of all groups, in batches of {@link perRead}; a key without a document is gone. */
export async function* readChangedDocuments(db: Db, changed: ChangedKeys) {
  for (const group of searchGroups)
    for (let from = 0; from < changed[group].length; from += perRead) {
      const keys = changed[group].slice(from, from + perRead);
      yield { group, keys, documents: await findDocuments(db, group, keys) };
    }
}

async function readDocuments(db: Db, group: SearchGroup, selection: DocumentSelection): Promise<SearchDocument[]> {
  const { from, id, key = id, isFound, hit, ...fields } = readers[group];
  const [selected, order] =
    'keys' in selection
      ? [sql`${key} = any(${sql.param(selection.keys)}::uuid[])`, sql`order by ${key}`]
      : [
          selection.after === undefined ? sql`true` : sql`${id} > ${selection.after}`,
          sql`order by ${id} limit ${selection.limit}`,
        ];
  const columns = Object.entries(fields).map(([name, value]) => sql`, ${value} as ${sql.identifier(name)}`);
  const shown = Object.entries(hit).map(([name, value]) => sql`, ${name}::text, ${value}`);
  const { rows } = await db.execute<SearchDocument>(sql`
    select ${key} as key, json_build_object('id', ${id} ${sql.join(shown)}) as hit ${sql.join(columns)}
    from ${from} where ${selected} and ${isFound} ${order}`);
  return rows.map((row) => ({ ...noFacts, ...row, group }) as SearchDocument);
}

const noFacts = {
  by: '',
  labels: '',
  text: '',
  plays: 0,
  publishedAt: null,
  ownerId: null,
  tagIds: [],
  language: '',
  isFree: false,
  properties: [],
};
