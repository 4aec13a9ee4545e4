import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import { purgeRows } from '../kernel/purge.ts';
import { waitOutsideSlot } from '../kernel/worker-slot.ts';
import { seal, unseal } from './second-factor/sealed-text.ts';
import { repeatedCalls } from './tables.ts';

/** How long a repeat waits for the answer to the first call. */
const maxWaitMs = 20_000;
const pollMs = 100;
const purpose = 'repeated call';

export type KeyedCall = {
  /** Made by the client for each act. */
  key: string;
  /** Undefined: a visitor. */
  userId: string | undefined;
  /** Method, address and body. */
  call: string;
};

export type CallAnswer = { status: number; body: string };

export type BegunCall =
  | { is: 'first'; finish(answer: CallAnswer): Promise<void>; drop(): Promise<void> }
  | { is: 'answered'; answer: CallAnswer }
  /** The first call runs, or its process died before it stored an answer. */
  | { is: 'unanswered' }
  | { is: 'other-call' };

/**
 * Calls that give, pay or send happen once per key: a repeat waits for the answer to the first one and gets the same.
 * Rows are kept for a day; keys and calls only as keyed hashes, answers encrypted.
 */
export function openRepeatedCalls({ db, secret }: { db: Db; secret: string }) {
  const hash = (...parts: string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, ...parts]))
      .digest('base64url');

  async function findAnswer(keyHash: string, callHash: string): Promise<BegunCall | undefined> {
    const [row] = await db.select().from(repeatedCalls).where(eq(repeatedCalls.keyHash, keyHash));
    // Dropped: the first call did nothing.
    if (row === undefined) return undefined;
    if (row.callHash !== callHash) return { is: 'other-call' };
    if (row.status === null) return { is: 'unanswered' };
    const body = unseal(secret, purpose, row.answer ?? '');
    return body === undefined ? { is: 'unanswered' } : { is: 'answered', answer: { status: row.status, body } };
  }

  async function begin({ key, userId, call }: KeyedCall, waitMs = maxWaitMs): Promise<BegunCall> {
    const [keyHash, callHash] = [hash('key', userId ?? '', key), hash('call', call)];
    const isThis = eq(repeatedCalls.keyHash, keyHash);
    const until = performance.now() + waitMs;
    for (;;) {
      const [claimed] = await db
        .insert(repeatedCalls)
        .values({ keyHash, callHash, userId: userId ?? null })
        .onConflictDoNothing()
        .returning({ keyHash: repeatedCalls.keyHash });
      if (claimed !== undefined)
        return {
          is: 'first',
          async finish({ status, body }) {
            await db
              .update(repeatedCalls)
              .set({ status, answer: seal(secret, purpose, body) })
              .where(isThis);
          },
          drop: async () => void (await db.delete(repeatedCalls).where(isThis)),
        };
      const former = await findAnswer(keyHash, callHash);
      if (former !== undefined && (former.is !== 'unanswered' || performance.now() > until)) return former;
      await waitOutsideSlot(() => setTimeout(pollMs));
    }
  }

  return { begin };
}

export async function purgeOldCalls(db: Db, signal?: AbortSignal): Promise<void> {
  await purgeRows(db, repeatedCalls, lt(repeatedCalls.createdAt, sql`now() - interval '1 day'`), signal);
}
