import { beforeAll, expect, test } from 'vitest';
import { firstLoadCeiling, isWithin, readFirstLoads } from '../bench/first-load.ts';
import { ensureBuilt } from '../scripts/build.mjs';

beforeAll(ensureBuilt);

test('no page’s first load exceeds its ceiling, and none has anything of Studio or Admin', async () => {
  const loads = await readFirstLoads();
  expect(loads.map(({ route }) => route)).toEqual(
    expect.arrayContaining(['routes/home', 'routes/audio', 'routes/search', 'routes/account-profile', 'about']),
  );
  expect(loads.filter((load) => !isWithin(load, firstLoadCeiling[load.kind]))).toEqual([]);
});

test('a larger script, more requests or a module of Studio or Admin breaks the budget', async () => {
  const [load] = await readFirstLoads();
  if (load === undefined) throw new Error('The build has no pages');
  const budget = { script: load.scriptBytes / 1024, style: load.styleBytes / 1024, requests: load.scripts.length };
  expect(isWithin(load, budget)).toBe(true);
  for (const over of [
    { ...load, scriptBytes: load.scriptBytes + 1 },
    { ...load, styleBytes: load.styleBytes + 1 },
    { ...load, scripts: [...load.scripts, '/assets/one-more.js'] },
    { ...load, foreign: ['src/web/studio/upload.tsx'] },
  ])
    expect(isWithin(over, budget)).toBe(false);
});
