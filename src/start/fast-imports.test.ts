import type { ResolveFnOutput, ResolveHookContext } from 'node:module';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { largePackages, resolveFast } from './fast-imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const own = pathToFileURL(join(root, 'src', 'start', 'start.ts')).href;
const contextOf = (parentURL: string, conditions = ['node', 'import']): ResolveHookContext => ({
  parentURL,
  conditions,
  importAttributes: {},
});
const looked: string[] = [];
const next = (specifier: string): ResolveFnOutput => {
  looked.push(specifier);
  return { url: `file:///looked-up/${specifier}`, format: 'module' };
};

describe('imports', () => {
  test('of the site’s own files and within large packages need no look-up', () => {
    looked.length = 0;
    expect(resolveFast('./log.ts', contextOf(own), next)).toMatchObject({
      url: pathToFileURL(join(root, 'src', 'start', 'log.ts')).href,
      format: 'module-typescript',
    });
    const inPackage = pathToFileURL(join(root, 'node_modules', 'drizzle-orm', 'pg-core', 'index.js')).href;
    const found = resolveFast('../sql/sql.js', contextOf(inPackage), next);
    expect(found.format).toBe('module');
    expect(existsSync(fileURLToPath(found.url))).toBe(true);
    expect(looked).toEqual([]);
  });

  test('by name are looked up once for all of the site’s files', () => {
    looked.length = 0;
    // Imported by nothing: this process resolves its own imports by the same function, which remembers the answer.
    const name = '#db/of-this-test.ts';
    const first = resolveFast(name, contextOf(own), next);
    expect(resolveFast(name, contextOf(own.replace('start.ts', 'log.ts')), next)).toEqual(first);
    expect(looked).toEqual([name]);
  });

  test.each([
    ['./x.ts', contextOf('file:///elsewhere/a.ts')],
    ['./x.js', contextOf('file:///elsewhere/node_modules/other/a.js')],
    ['./x.json', contextOf(own)],
    ['./x.ts', contextOf(own, ['node', 'require'])],
    ['zod', contextOf('file:///elsewhere/node_modules/other/a.js')],
  ])('of %s elsewhere are Node’s', (specifier, context) => {
    looked.length = 0;
    resolveFast(specifier, context, next);
    expect(looked).toEqual([specifier]);
  });

  test.each(largePackages)('within %s are ES modules as a whole', (name) => {
    const folder = join(root, 'node_modules', name);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const nested = files.filter((file) => file.endsWith('package.json') && !/^dist[\\/](?:cjs|types)[\\/]/.test(file));
    const types = nested.map(
      (file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { type?: string }).type,
    );
    expect(types).toContain('module');
    expect(types.filter((type) => type === 'commonjs')).toEqual([]);
    // Only imports with the name of a file are fast, and nothing leads from here to CommonJS.
    const modules = files.filter((file) => file.endsWith('.js') && !/^dist[\\/](?:cjs|types)[\\/]/.test(file));
    const imported = modules.flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /^(?:import|export)\b[^'"]*from\s*["'](\.[^"']+\.js)["']/gm,
        ),
      ].map(([, path = '']) => join(dirname(file), path)),
    );
    expect(imported.length).toBeGreaterThan(50);
    expect([...new Set(imported)].filter((file) => file.includes('cjs') || !files.includes(file))).toEqual([]);
  });
});
