import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Db } from '../kernel/db.ts';
import type { AgeWay, ProofRefusal } from './rules.ts';
import { ageProofRequests } from './tables.ts';
import { type WalletRequest, newPrivateKey } from './wallet/private-key.ts';

export type ProofOutcome = { ok: true } | { ok: false; reason: ProofRefusal };

/** The question to a wallet or a provider, with its secrets. */
export type ProofRequest = WalletRequest & { id: string; codeVerifier: string; expiresAt: Date };
export type ProofState =
  | { is: 'waiting'; request: ProofRequest }
  | { is: 'done'; way: AgeWay }
  | { is: 'refused'; reason: ProofRefusal };

const minutes = 5;
const secret = (bytes: number) => randomBytes(bytes).toString('base64url');

const browserOf = (browserSecret: string) => createHash('sha256').update(browserSecret).digest();
const isAlive = gt(ageProofRequests.expiresAt, sql`now()`);

/** Takes the place of an earlier request of the browser. */
export async function beginProof(db: Db, browserSecret: string): Promise<ProofRequest> {
  await forgetOldProofs(db);
  const request: ProofRequest = {
    id: randomUUID(),
    nonce: secret(16),
    privateKey: await newPrivateKey(),
    codeVerifier: secret(32),
    expiresAt: new Date(Date.now() + minutes * 60_000),
  };
  const values = { ...request, browser: browserOf(browserSecret), state: 'waiting' as const, way: null, refusal: null };
  await db
    .insert(ageProofRequests)
    .values(values)
    .onConflictDoUpdate({ target: ageProofRequests.browser, set: values });
  return request;
}

/** @returns undefined for none, and for one that has run out */
export async function findProof(db: Db, browserSecret: string): Promise<ProofState | undefined> {
  const { browser } = ageProofRequests;
  const [row] = await db
    .select()
    .from(ageProofRequests)
    .where(and(eq(browser, browserOf(browserSecret)), isAlive));
  if (row?.state === 'done') return row.way === null ? undefined : { is: 'done', way: row.way };
  if (row?.state === 'refused') return { is: 'refused', reason: row.refusal ?? 'unchecked' };
  const request = row && requestOf(row);
  return request && { is: 'waiting', request };
}

/** For an answer that comes from elsewhere than the browser. */
export async function findWaitingProof(db: Db, id: string): Promise<ProofRequest | undefined> {
  const [row] = await db
    .select()
    .from(ageProofRequests)
    .where(and(eq(ageProofRequests.id, id), eq(ageProofRequests.state, 'waiting'), isAlive));
  return row && requestOf(row);
}

function requestOf(row: typeof ageProofRequests.$inferSelect): ProofRequest | undefined {
  const { id, nonce, privateKey, codeVerifier, expiresAt } = row;
  if (nonce === null || privateKey === null || codeVerifier === null) return undefined;
  return { id, nonce, privateKey, codeVerifier, expiresAt };
}

/** Keeps the first outcome, and forgets the question. @returns false if there was another answer before */
export async function settleProof(db: Db, id: string, way: AgeWay, outcome: ProofOutcome): Promise<boolean> {
  const forgotten = { nonce: null, privateKey: null, codeVerifier: null };
  const settled = await db
    .update(ageProofRequests)
    .set({
      ...forgotten,
      way,
      state: outcome.ok ? 'done' : 'refused',
      refusal: outcome.ok ? null : outcome.reason,
    })
    .where(and(eq(ageProofRequests.id, id), eq(ageProofRequests.state, 'waiting'), isAlive))
    .returning({ id: ageProofRequests.id });
  return settled.length > 0;
}

/** Ends the browser’s request. */
export async function forgetProof(db: Db, browserSecret: string): Promise<void> {
  await db.delete(ageProofRequests).where(eq(ageProofRequests.browser, browserOf(browserSecret)));
}

/** @returns how many had run out */
export async function forgetOldProofs(db: Db): Promise<number> {
  const { rowCount } = await db.delete(ageProofRequests).where(lte(ageProofRequests.expiresAt, sql`now()`));
  return rowCount ?? 0;
}
