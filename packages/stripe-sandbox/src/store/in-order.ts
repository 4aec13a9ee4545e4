/** Runs sequentially, since a database connection runs one query at a time. */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}
