import { sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { allowLongStatements } from '#domain/kernel/db.ts';
import { LazyRows, lazyRows } from '#domain/kernel/lazy-rows.ts';
import { registerUser } from '#test/support/identity.ts';
import { readRows } from '#test/support/read-rows.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';
import { zipOf } from './export-zip.ts';

vi.setConfig({ testTimeout: 300_000 });

const { url, db, errors, site, identity } = await startTestSite();

const zipped = async (files: Record<string, unknown>) =>
  unzipSync(new Uint8Array(await new Response(zipOf(files, () => {})).arrayBuffer()));

test('lists are written as JSON.stringify writes them, page by page', async () => {
  const pages = (...rows: unknown[][]) =>
    new LazyRows(async function* given() {
      yield* rows;
    });
  const plain = { name: 'one', at: new Date(0), none: null, list: [1, { two: 2 }] };
  const files = await zipped({
    data: { ...plain, left: undefined, rows: pages([plain], [{ deep: pages([1, 2]) }]), empty: pages() },
  });
  expect(strFromU8(files['data.json'] ?? new Uint8Array())).toBe(
    JSON.stringify({ ...plain, rows: [plain, { deep: [1, 2] }], empty: [] }, null, 2),
  );
});

test('a reader who leaves gives the connection back', async () => {
  const rows = lazyRows(db, async (on) => (await on.execute(sql`select generate_series(1, 1000) as n`)).rows);
  for (let round = 0; round < 8; round += 1)
    for await (const page of rows.pages()) {
      expect(page).toHaveLength(100);
      break;
    }
  expect(await readRows(rows)).toHaveLength(1000);
});

/** Written at once, these take 0.3 s. ROWS=100000 takes a minute. */
const rowCount = Number(process.env['ROWS'] ?? 30_000);

test('an export of many rows in each table begins at once and blocks nothing else', slow, async () => {
  const { id, token } = await registerUser(site, identity);
  await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    for (const rows of manyRows(id)) await tx.execute(rows);
  });
  // A busy machine lengthens a turn now and then, and not in each export.
  const longest: number[] = [];
  let pieces: Uint8Array[] = [];
  while (longest.length < 5 && !longest.some((turn) => turn < 50)) {
    const turns = measureTurns();
    const began = performance.now();
    const answer = await fetch(`${url}/v1/api/user/export`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    pieces = [];
    for await (const piece of answer.body ?? []) {
      if (pieces.length === 0) expect(performance.now() - began).toBeLessThan(1000);
      pieces.push(piece);
    }
    longest.push(turns.stop());
  }
  expect(errors).toEqual([]);
  const files = unzipSync(new Uint8Array(Buffer.concat(pieces)));
  expect(contentOf(files, 'changes')).toHaveLength(rowCount);
  expect(contentOf(files, 'history')).toMatchObject({ reports: { length: rowCount } });
  expect(contentOf(files, 'news')).toMatchObject({ notifications: { length: rowCount } });
  expect(Math.min(...longest)).toBeLessThan(50);
});

/**
 * Milliseconds of processor time of the longest turn of the event loop. Elapsed time, as `monitorEventLoopDelay` has it,
 * would count what other processes take on a busy machine.
 */
function measureTurns() {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [before, longest] = [used(), 0];
  const timer = setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

const contentOf = (files: Record<string, Uint8Array>, name: string): unknown =>
  JSON.parse(strFromU8(files[`${name}.json`] ?? new Uint8Array()));

const manyRows = (userId: string) => [
  sql`insert into audit_entries (id, actor_id, actor_role, action, subject_type, subject_id, subject_name, before, after)
    select gen_random_uuid(), ${userId}, 'admin', 'audio.edit', 'audio', n, 'Audio ' || n,
      jsonb_build_object('description', repeat('before ', 20)), jsonb_build_object('description', repeat('after ', 20))
    from generate_series(1, ${rowCount}::int) n`,
  sql`insert into listening_reports (user_id, kind, report_id)
    select ${userId}, 'listenCounter', 'report-' || n from generate_series(1, ${rowCount}::int) n`,
  sql`insert into notifications (id, user_id, kind, subject_id)
    select gen_random_uuid(), ${userId}, 'gift-card', gen_random_uuid() from generate_series(1, ${rowCount}::int) n`,
];
