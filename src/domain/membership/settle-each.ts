/**
 * Settles stored wishes one after the other, also when one fails: it waits for the next run of the job.
 * @throws the first failure, after all were tried
 */
export async function settleEach<Wish>(
  wishes: readonly Wish[],
  settle: (wish: Wish) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const wish of wishes) await settle(wish).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
