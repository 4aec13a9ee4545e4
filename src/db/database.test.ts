import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';

const database = await createTestDatabase();

test.each(['40P01', '40001'])('a transaction that %s ended is begun once more, and no third time', async (state) => {
  for (const [failures, outcome] of [
    [1, 'done'],
    [2, state],
  ] as const) {
    let begun = 0;
    const result = database.db
      .transaction(async (tx) => {
        begun += 1;
        if (begun <= failures)
          await tx.execute(sql.raw(`do $$ begin raise exception using errcode = '${state}'; end $$`));
        return 'done';
      })
      .catch((error: { cause?: { code?: string } }) => error.cause?.code);
    expect([await result, begun]).toEqual([outcome, 2]);
  }
});
