/** @module-tag slow */
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { stormOfWishes } from '#test/support/payments/money-storm.ts';

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

// SEED=7 varies them. ORDERS=2000 takes ten minutes on an idle machine.
test(
  'wishes about money in any order, with lost answers, refusals and repeats, are carried out once',
  { timeout: 900_000 },
  () => run(Number(process.env['ORDERS'] ?? 100)),
);
