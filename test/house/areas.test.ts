import { existsSync } from 'node:fs';
import { access, glob, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';

/** The linter enforces what each area may use; these tests hold its rules themselves. */

type Override = {
  files: string[];
  rules: { 'no-restricted-imports'?: [level: string, options: { patterns: { group?: string[] }[] }] };
};

/** By area, the areas that it may use. @param folder of the areas */
async function readAllowed(folder: string): Promise<Map<string, string[]>> {
  const { overrides } = JSON.parse(await readFile('.oxlintrc.json', 'utf8')) as { overrides: Override[] };
  const allowed = new Map<string, string[]>();
  for (const { files, rules } of overrides) {
    const groups = rules['no-restricted-imports']?.[1].patterns.flatMap(({ group = [] }) => group) ?? [];
    const below = groups.flatMap((pattern) => /^!\.\.\/(?:\*\*\/)?([a-z-]+)\/\*\*$/.exec(pattern)?.[1] ?? []);
    for (const file of files) {
      const area = new RegExp(`^${folder}/([a-z]+)/\\*\\*$`).exec(file)?.[1];
      if (area === undefined || !groups.includes('../**')) continue;
      const isOwnRoom = (name: string) => existsSync(`${folder}/${area}/${name}`);
      allowed.set(
        area,
        below.filter((name) => !isOwnRoom(name)),
      );
    }
  }
  return allowed;
}

/** Folders with code. Routes are above all areas. */
async function listAreas(folder: string): Promise<string[]> {
  const areas = new Set<string>();
  for await (const path of glob(`${folder}/*/**/*.{ts,tsx}`))
    if (!path.includes('.test.')) areas.add(path.split('/')[2] ?? '');
  areas.delete('routes');
  return [...areas].toSorted();
}

test.each(['src/domain', 'src/web'])('the linter knows what every area of %s may use', async (folder) => {
  const allowed = await readAllowed(folder);
  expect([...allowed.keys()].toSorted()).toEqual(await listAreas(folder));
});

test.each(['src/domain', 'src/web'])('the allowed imports of the areas of %s have no cycle', async (folder) => {
  const allowed = await readAllowed(folder);
  const withoutCode = ['art', 'styles'];
  const layered = new Set(withoutCode);
  for (let size = -1; size < layered.size;) {
    size = layered.size;
    for (const [area, below] of allowed) if (below.every((other) => layered.has(other))) layered.add(area);
  }
  expect([...allowed.keys()].filter((area) => !layered.has(area))).toEqual([]);
});

test('the map in docs/architecture.md names files that exist', async () => {
  const [, map = ''] = (await readFile('docs/architecture.md', 'utf8')).split('## Where is …?');
  const paths = [...map.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThanOrEqual(20);
  for (const path of paths) await access(`src/${path}`);
});

test('no folder holds more than forty files', async () => {
  const files = new Map<string, number>();
  for await (const path of glob(['src/**/*.*', 'test/**/*.*']))
    files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
  expect([...files].filter(([, count]) => count > 40)).toEqual([]);
});
