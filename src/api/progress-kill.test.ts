/** @module-tag slow */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { clusterName, processesOf, readServerStatus } from '#db/embedded/processes.ts';
import { findRunningServer } from '#db/embedded/server.ts';
import { listeningProgress } from '#domain/listening/tables.ts';
import { createAudio } from '#test/support/factories.ts';
import { createListeners } from '../../bench/listeners.ts';
import { type SiteProcess, startSite } from '../../bench/site-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const dataDir = mkdtempSync(join(tmpdir(), 'sotto-kill-'));
// The server may run as another user.
chmodSync(dataDir, 0o755);
const cluster = join(dataDir, 'postgres');
let site: SiteProcess | undefined;

afterAll(async () => {
  await site?.stop();
  await vi.waitFor(() => {
    for (const pid of processesOf(clusterName(cluster)) ?? []) process.kill(pid, 'SIGKILL');
    expect(processesOf(clusterName(cluster))).toEqual([]);
  });
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function openSiteDatabase() {
  const url = await findRunningServer(dataDir);
  if (url === undefined) throw new Error('the database does not answer');
  return { ...openDatabase({ url, poolSize: 2 }), url };
}

test('kill -9 of the site and its database loses no answered place', async () => {
  site = await startSite({ DATA_DIR: dataDir, DEMO: 'false' });
  const before = await openSiteDatabase();
  const { id: audioId } = await createAudio(before.db, { durationMs: 86_400_000 });
  const listeners = await createListeners(before.url, 32);
  await before.close();

  const answered = new Map<string, number>();
  const sent = new Map<string, number>();
  let answers = 0;
  let enough = () => {};
  const untilEnough = new Promise<void>((resolve) => (enough = resolve));

  async function listen({ id, token }: { id: string; token: string }, siteUrl: string): Promise<void> {
    for (let seconds = 1; ; seconds += 1) {
      sent.set(id, seconds);
      const response = await fetch(`${siteUrl}/v1/api/history/me/value`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'currentlyListening', id: audioId, seconds }),
      }).catch(() => undefined);
      if (response === undefined) return;
      expect(response.status).toBe(200);
      answered.set(id, seconds);
      answers += 1;
      if (answers === 500) enough();
    }
  }

  const { url, pid } = site;
  const listening = listeners.map((listener) => listen(listener, url));
  await Promise.race([untilEnough, Promise.all(listening)]);
  const server = readServerStatus(cluster)?.pid;
  process.kill(pid, 'SIGKILL');
  process.kill(Number(server), 'SIGKILL');
  await Promise.all(listening);
  expect(answers).toBeGreaterThanOrEqual(500);

  site = await startSite({ DATA_DIR: dataDir, DEMO: 'false' });
  const after = await openSiteDatabase();
  const kept = new Map(
    (await after.db.select().from(listeningProgress)).map(({ userId, positionMs }) => [userId, positionMs / 1000]),
  );
  await after.close();
  for (const { id } of listeners) {
    // An unanswered position may have been stored.
    expect(kept.get(id) ?? 0).toBeGreaterThanOrEqual(answered.get(id) ?? 0);
    expect(kept.get(id) ?? 0).toBeLessThanOrEqual(sent.get(id) ?? 0);
  }
});
