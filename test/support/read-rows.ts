import { LazyRows } from '#domain/kernel/lazy-rows.ts';

/** All of an export as plain data, for a test with few rows. */
export async function readRows(value: unknown): Promise<unknown> {
  if (value instanceof LazyRows) {
    const rows: unknown[] = [];
    for await (const page of value.pages()) rows.push(...page);
    return readRows(rows);
  }
  if (Array.isArray(value)) return Promise.all(value.map(readRows));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).map(async ([name, own]) => [name, await readRows(own)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
