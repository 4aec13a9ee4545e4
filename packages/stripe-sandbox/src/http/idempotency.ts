import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { Failure } from './failure.ts';

export type Answer = { status: number; body: string };

const rememberedFor = '24 hours';
/** Lease of a key, so that a crashed process does not block it. */
const claimHolds = '60 seconds';

export type IdempotentCall = { key: string; method: string; path: string; body: string };

/** Keyed hash: short bodies, card numbers above all, could be guessed from a plain one. */
function fingerprintOf({ method, path, body }: IdempotentCall, hashKey: string): string {
  return createHmac('sha256', hashKey).update(`${method} ${path}\n${body}`).digest('hex');
}

/**
 * @returns the stored answer for this key, or undefined if this call should run
 * @throws Failure 400 if the key belongs to another call, 409 while the first one runs
 */
export async function claimKey(
  pool: pg.Pool,
  call: IdempotentCall,
  { hashKey, now }: { hashKey: string; now: Date },
): Promise<Answer | undefined> {
  const fingerprint = fingerprintOf(call, hashKey);
  const { rowCount } = await pool.query(
    `insert into stripe_sandbox.idempotency_keys as kept (key, fingerprint, claimed_at) values ($1, $2, $3)
     on conflict (key) do update set fingerprint = excluded.fingerprint, claimed_at = excluded.claimed_at, status = null, body = null
     where kept.claimed_at < $3::timestamptz - interval '${rememberedFor}'
        or (kept.status is null and kept.fingerprint = excluded.fingerprint and kept.claimed_at < $3::timestamptz - interval '${claimHolds}')`,
    [call.key, fingerprint, now],
  );
  if (rowCount === 1) return undefined;
  const { rows } = await pool.query<{ fingerprint: string; status: number | null; body: string | null }>(
    'select fingerprint, status, body from stripe_sandbox.idempotency_keys where key = $1',
    [call.key],
  );
  const kept = rows[0];
  if (kept !== undefined && kept.fingerprint !== fingerprint)
    throw new Failure({
      status: 400,
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.key}' if you meant to execute a different request.`,
    });
  if (kept === undefined || kept.status === null || kept.body === null)
    throw new Failure({
      status: 409,
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${call.key}. Please try again later.`,
    });
  return { status: kept.status, body: kept.body };
}

/** Runs in the call's own transaction, so that changes and answer are committed together. */
export async function keepAnswer(client: pg.PoolClient, key: string, { status, body }: Answer): Promise<void> {
  await client.query('update stripe_sandbox.idempotency_keys set status = $2, body = $3 where key = $1', [
    key,
    status,
    body,
  ]);
}

export async function releaseKey(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('delete from stripe_sandbox.idempotency_keys where key = $1 and status is null', [key]);
}

export async function forgetOldKeys(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(
    `delete from stripe_sandbox.idempotency_keys where claimed_at < $1::timestamptz - interval '${rememberedFor}'`,
    [now],
  );
}
