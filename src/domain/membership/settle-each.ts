/**
 * Settles stored wishes, or kinds of them, one after the other, also when one fails: it waits for the next run of the job.
 * @param signal stops between two of them
 * @throws its reason, or the first failure after all were tried
 */
export async function settleEach<Wish>(
  wishes: readonly Wish[],
  settle: (wish: Wish) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failures: unknown[] = [];
  for (const wish of wishes) {
    signal?.throwIfAborted();
    await settle(wish).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
