import type { ReconciliationFailure } from '../tables.ts';

/** Reports an act of the reconciliation that failed, which goes on with the next. @param about a customer, or a kind of thing */
export async function noted(
  { failed }: { failed: ReconciliationFailure[] },
  about: string,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    failed.push({ customerId: about, reason: error instanceof Error ? error.message : String(error) });
  }
}

/** Things that the provider is asked about at the same time. */
export const atOnce = 4;
