import { AsyncLocalStorage } from 'node:async_hooks';

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the work of a database transaction, which `refuseInTransaction` then knows of. */
export async function withinTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const transaction = { isOpen: true };
  try {
    return await transactions.run(transaction, work);
  } finally {
    transaction.isOpen = false;
  }
}

/**
 * Called before another machine is: a rollback would not undo its act, and a slow one would hold locks. Store the wish,
 * act, store the outcome. Production does not watch its transactions.
 * @throws Error within a transaction
 */
export function refuseInTransaction(call: string): void {
  if (transactions.getStore()?.isOpen) throw new Error(`${call} was called within a database transaction`);
}
