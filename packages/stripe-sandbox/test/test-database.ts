import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL that may create databases. */
    databaseUrl: string;
  }
}

/** An empty database for this test file, dropped at its end. */
export async function createTestDatabase(): Promise<{ url: string; pool: pg.Pool }> {
  const server = inject('databaseUrl');
  const name = `sandbox_${randomBytes(6).toString('hex')}`;
  await run(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  afterAll(async () => {
    await pool.end();
    await drop(server, name);
  });
  return { url: url.href, pool };
}

/** Forced, because a test that timed out leaves its sandbox open. A vacuum of PostgreSQL itself soon ends. */
async function drop(server: string, name: string, tries = 20): Promise<void> {
  try {
    await run(server, `drop database ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501' || tries === 1) throw error;
    await setTimeout(250);
    await drop(server, name, tries - 1);
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
