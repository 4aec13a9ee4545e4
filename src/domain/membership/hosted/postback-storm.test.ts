import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { stormOfPostbacks } from '#test/support/payments/postback-storm.ts';

test.each(['verotel', 'ccbill', 'btcpay'] as const)(
  'words of %s that are lost, doubled and out of order, with processes that die, are counted once',
  async (name) => {
    const { db, url } = await createTestDatabase();
    const storm = await stormOfPostbacks({ db, databaseUrl: url, name, customers: 12 });
    expect(storm).toMatchObject({ wrong: [], unsettled: 0, refused: 0 });
    expect(storm.deliveries).toBeGreaterThanOrEqual(24);
  },
);
