import type { Work } from './work.ts';

/** Result of `act`, whose changes are rolled back. Only inside a transaction. */
export async function rehearse<Result>(work: Work, clock: string | null, act: () => Promise<Result>): Promise<Result> {
  const { client } = work.store;
  const now = await work.now(clock);
  await client.query('savepoint rehearsal');
  try {
    return await act();
  } finally {
    await client.query('rollback to savepoint rehearsal');
    work.store.forget();
    work.setNow(clock, now);
  }
}
