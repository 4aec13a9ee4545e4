/** @module-tag slow */
import { expect, test } from 'vitest';
import { stormOfEvents } from '#test/support/payments/billing-storm.ts';
import { createTestDatabase } from '#test/support/database.ts';

const { db, url } = await createTestDatabase();

// The bench (`npm run bench -- billing`) uses 500 customers and 10,000 deliveries.
test('years of shuffled, duplicated, lost and resent events end in the provider’s state', async () => {
  const storm = await stormOfEvents({ db, databaseUrl: url, customers: 16 });
  process.stdout.write(
    `${storm.customers} customers' years: ${storm.deliveries} deliveries of ${storm.events} events, ${storm.lost} lost at first, ` +
      `${storm.wrong.length} customers wrong (lived ${storm.livedMs} ms, delivered ${storm.deliveredMs} ms)\n`,
  );
  expect(storm.deliveries).toBeGreaterThan(250);
  expect(storm.wrong).toEqual([]);
  expect(storm.unsettled).toBe(0);
}, 120_000);
