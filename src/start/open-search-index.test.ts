import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '#config';
import { createTestDatabase } from '#test/support/database.ts';
import { createAudio } from '#test/support/factories.ts';
import { createMetrics } from '#http/metrics.ts';
import { openSearchIndex } from './open-search-index.ts';

const { db } = await createTestDatabase();

test('above a size, the start recommends Algolia to the operator', async () => {
  await createAudio(db);
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const open = async (maxEntries: number) => {
    const index = await openSearchIndex({ config: parseConfig({}), db, log, metrics: createMetrics(), maxEntries });
    await index.prepare();
    return index.isReady;
  };
  expect([await open(10), lines]).toEqual([true, []]);
  expect(await open(0)).toBe(true);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { documents: 2, msg: 'Search is large for the memory of each process; Algolia is recommended' },
  ]);
});
