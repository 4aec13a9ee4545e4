/**
 * Runs the act for each item, also when one fails.
 * @param options.atOnce how many run at the same time; default: one
 * @param options.signal stops before the next item
 * @throws its reason, or the first failure after all were tried
 */
export async function settleEach<Item>(
  items: readonly Item[] | AsyncIterable<Item>,
  act: (item: Item) => Promise<unknown>,
  { atOnce = 1, signal }: { atOnce?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let failure: { error: unknown } | undefined;
  // One iterator for all workers.
  const left: Iterable<Item> | AsyncIterable<Item> = Array.isArray(items) ? items.values() : items;
  const work = async () => {
    for await (const item of left) {
      signal?.throwIfAborted();
      try {
        await act(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failure !== undefined) throw failure.error;
}
