import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

/** Retries, because PostgreSQL's own vacuum belongs to the superuser and cannot be ended here, but soon finishes. */
export async function dropDatabase(server: pg.Client, name: string, tries = 20): Promise<void> {
  try {
    await server.query(`drop database if exists ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501' || tries === 1) throw error;
    await setTimeout(250);
    await dropDatabase(server, name, tries - 1);
  }
}
