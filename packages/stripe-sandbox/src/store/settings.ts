import { randomBytes } from 'node:crypto';
import type pg from 'pg';

export type SandboxKeys = {
  apiKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Key for hashes of card numbers and idempotent bodies, both short enough to be guessed from a plain hash. */
  hashKey: string;
};

/** Created once per database, so that all processes of a site share the keys. */
export async function readSandboxKeys(pool: pg.Pool): Promise<SandboxKeys> {
  const fresh: SandboxKeys = {
    apiKey: `sk_test_sandbox${randomBytes(18).toString('hex')}`,
    publishableKey: `pk_test_sandbox${randomBytes(18).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
    hashKey: randomBytes(32).toString('hex'),
  };
  for (const [name, value] of Object.entries(fresh))
    await pool.query(
      'insert into stripe_sandbox.settings (name, value) values ($1, $2) on conflict (name) do nothing',
      [name, value],
    );
  const { rows } = await pool.query<{ name: string; value: string }>('select name, value from stripe_sandbox.settings');
  return { ...fresh, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}
