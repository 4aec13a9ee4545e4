/** @module-tag slow */
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { walkStatedPrices } from '#test/support/payments/stated-prices.ts';

const { db, url } = await createTestDatabase();

// The bench (`npm run bench -- billing`) tries 200 ways.
test("prices in form, account and mails equal the provider's charges", async () => {
  const { walked, compared, wrong } = await walkStatedPrices({ db, databaseUrl: url, count: 40 });
  process.stdout.write(`${walked} ways to subscribe: ${compared} prices and days compared, ${wrong.length} wrong\n`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(150);
}, 240_000);
