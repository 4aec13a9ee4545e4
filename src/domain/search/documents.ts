import { sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { SearchGroup } from './forms.ts';
import { type Labels, type Row, readers } from './group-readers.ts';
import type { SearchDocument } from './search-index.ts';

/** Rows of a group: by key, or the next `limit` by id. */
type DocumentSelection = { keys: string[] } | { after: string | undefined; limit: number };

/** Documents per read. */
export const perRead = 2000;

/** The documents with these keys. Keys that are not searchable are omitted. */
export function findDocuments(db: Db, group: SearchGroup, keys: string[]): Promise<SearchDocument[]> {
  return readDocuments(db, group, { keys });
}

/** Batches that PostgreSQL reads while the caller works. */
const batchesAhead = 3;

/** All documents of a group, in batches of {@link perRead}, by id: rows that were added together lie together on the disk. */
export async function* readAllDocuments(db: Db, group: SearchGroup): AsyncGenerator<SearchDocument[]> {
  type Batch = SearchDocument[] | undefined;
  const labels: Labels = new Map();
  const read = (after: string | undefined): Promise<Batch> =>
    readDocuments(db, group, { after, limit: perRead }, labels);
  const readAfter = async (batch: Promise<Batch>) => {
    const documents = await batch;
    return documents?.length === perRead ? read(documents.at(-1)?.hit.id) : undefined;
  };
  const batches = [read(undefined)];
  for (;;) {
    while (batches.length <= batchesAhead) {
      const next = readAfter(batches.at(-1) as Promise<Batch>);
      // A failure is thrown at its turn.
      next.catch(() => undefined);
      batches.push(next);
    }
    const documents = await batches.shift();
    if (documents === undefined) return;
    if (documents.length > 0) yield documents;
  }
}

/** @param labels those that are known already; gets the others */
async function readDocuments(
  db: Db,
  group: SearchGroup,
  selection: DocumentSelection,
  labels: Labels = new Map(),
): Promise<SearchDocument[]> {
  const { from, key, id, isFound, columns, complete, toDocument } = readers[group];
  const [selected, order] =
    'keys' in selection
      ? [sql`${key} = any(${sql.param(selection.keys)}::uuid[])`, sql`order by ${key}`]
      : [
          selection.after === undefined ? sql`true` : sql`${id} > ${selection.after}`,
          sql`order by ${id} limit ${selection.limit}`,
        ];
  const { rows } = await db.execute<Row & { key: string }>(
    sql`select ${key} as key, ${id} as id, ${columns} from ${from} where ${selected} and ${isFound} ${order}`,
  );
  const completed = (await complete?.(db, rows, labels)) ?? rows;
  return completed.map((row) => ({ ...toDocument(row as never), key: row['key'] }) as SearchDocument);
}
