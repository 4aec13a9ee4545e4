import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { formerAssets } from '../scripts/former-builds.mjs';
import { slow } from './support/tags.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const copy = await mkdtemp(join(tmpdir(), 'sotto-former-'));
afterAll(() => rm(copy, { recursive: true, force: true }));

/** The smallest app that React Router builds. */
const files = {
  'package.json': '{ "type": "module", "imports": {}, "dependencies": { "isbot": "*" } }',
  'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite'; export default { plugins: [reactRouter()] };`,
  'react-router.config.ts': `export default { appDirectory: 'src/web' };`,
  'src/web/routes.ts': 'export default [];',
  'src/web/root.tsx': `import { Scripts } from 'react-router';
    export default function Root() { return <html><head /><body><Scripts /></body></html>; }`,
};

const client = join(copy, 'build', 'client', 'assets');
await cp(join(root, 'scripts'), join(copy, 'scripts'), { recursive: true });
await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
for (const folder of [join(copy, 'src', 'web'), client]) await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) await writeFile(join(copy, name), text);
await mkdir(join(client, 'de'));
for (const name of ['page-former.js', 'de/page-former.js']) await writeFile(join(client, name), 'former');

test('a real build keeps the files of the former one, which open tabs still request', slow, async () => {
  const code = `import { ensureBuilt } from './scripts/build.mjs'; await ensureBuilt();`;
  await run(process.execPath, ['--input-type=module', '-e', code], { cwd: copy });
  const built = await readdir(client);
  expect(built.length).toBeGreaterThan(0);
  expect(built).not.toContain('page-former.js');
  expect((await readdir(join(copy, formerAssets), { recursive: true })).toSorted()).toEqual([
    'de',
    'de/page-former.js',
    'page-former.js',
  ]);
});
