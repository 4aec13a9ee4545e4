import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { newId } from '#domain/kernel/ids.ts';

export type BenchListener = { id: string; token: string };

/** Logged-in listeners, written directly into the database: registering each would take as long as the bench. */
export async function createListeners(databaseUrl: string, count: number): Promise<BenchListener[]> {
  const listeners = Array.from({ length: count }, () => ({
    id: newId(),
    token: randomBytes(32).toString('base64url'),
  }));
  const ids = listeners.map(({ id }) => id);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into users (id, username) select id, 'bench-' || right(id::text, 12) from unnest($1::uuid[]) as u (id)`,
      [ids],
    );
    await client.query(
      `insert into sessions (id, user_id, token_hash, device, expires_at)
       select gen_random_uuid(), user_id, hash, 'Bench', now() + interval '1 day' from unnest($1::uuid[], $2::text[]) as s (user_id, hash)`,
      [ids, listeners.map(({ token }) => createHash('sha256').update(token).digest('hex'))],
    );
    await client.query('analyze users, sessions');
  } finally {
    await client.end();
  }
  return listeners;
}
