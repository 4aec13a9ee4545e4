import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { stormOfWishes } from '#test/support/money-storm.ts';
import { slow } from '#test/support/tags.ts';

const { db, url } = await createTestDatabase();

async function run(orders: number): Promise<void> {
  const seed = Number(process.env['SEED'] ?? 41);
  const storm = await stormOfWishes({ db, databaseUrl: url, orders, seed });
  const { wrong, faults, ms, ...counts } = storm;
  process.stdout.write(
    `money: ${JSON.stringify(counts)}, faults ${JSON.stringify(faults)}, ${wrong.length} wrong, ${ms} ms (seed ${seed})\n`,
  );
  expect(wrong).toEqual([]);
  expect(storm.doubled).toBe(0);
}

test('wishes about money in any order, with lost answers, refusals and repeats, are carried out once', () => run(12));

// SEED=7 varies them, ORDERS=100 is enough to look for a fault.
// ORDERS=2000 takes ten minutes.
test('so are hundreds of them', { ...slow, timeout: 900_000 }, () => run(Number(process.env['ORDERS'] ?? 300)));
