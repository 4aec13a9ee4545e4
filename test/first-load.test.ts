import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { parseAst } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { serveAssets } from '#http/files/assets.ts';
import { staticImportsOf } from '#web/load-chunk.ts';
import { browserHeaders } from '../bench/browser-headers.ts';
import { firstLoadCeiling, isWithin, readFirstLoads } from '../bench/first-load.ts';
import { ensureBuilt } from '../scripts/build.mjs';

beforeAll(ensureBuilt);

test('no page’s first load exceeds its ceiling, and none has anything of Studio or Admin', async () => {
  const loads = await readFirstLoads();
  expect(loads.map(({ route }) => route)).toEqual(
    expect.arrayContaining([
      'routes/listener/home',
      'routes/listener/audio',
      'routes/listener/search',
      'routes/account/profile',
      'about',
    ]),
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

test('a browser gets the compressed bytes that the budget counts', async () => {
  const app = new Hono();
  serveAssets({ dir: join(import.meta.dirname, '..', 'build', 'client') })(app);
  const loads = await readFirstLoads();
  const served = async (addresses: string[]) => {
    const sizes = addresses.map(async (address) => {
      const answer = await app.request(address, { headers: browserHeaders });
      return [answer.status, (await answer.arrayBuffer()).byteLength] as const;
    });
    return (await Promise.all(sizes)).reduce((sum, [status, size]) => (status === 200 ? sum + size : Number.NaN), 0);
  };
  for (const { scripts, styles, scriptBytes, styleBytes } of loads)
    expect([await served(scripts), await served(styles)]).toEqual([scriptBytes, styleBytes]);
});

test('the loader of late scripts finds the imports of each built script', async () => {
  const assets = join(import.meta.dirname, '..', 'build', 'client', 'assets');
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  let imports = 0;
  for (const name of names) {
    const script = await readFile(join(assets, name), 'utf8');
    const parsed = parseAst(script).body.flatMap((statement) =>
      'source' in statement && statement.source !== null ? [String(statement.source.value)] : [],
    );
    imports += parsed.length;
    expect([name, staticImportsOf(script, `/assets/${name}`)]).toEqual([
      name,
      parsed.map((path) => path.replace('./', '/assets/')),
    ]);
  }
  expect(imports).toBeGreaterThan(100);
});
