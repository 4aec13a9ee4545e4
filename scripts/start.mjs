import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { endWithParent, findNode, isNewEnough, replaceBy, root, runScript, printAsLog } from './run.mjs';

if (!process.stdout.isTTY) printAsLog();
await runScript(async () => {
  await ensureInstalled({ development: false });
  await ensureBuilt();
  process.env.NODE_ENV ??= 'production';
  if (process.env.npm_lifecycle_event !== undefined) endWithParent();
  // npm puts the packages' Node first on the PATH, but at the very first start none was installed.
  if (isNewEnough()) {
    // Caches compiled code between starts: a quarter of the start's work.
    nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'sotto-start'));
    await import('../src/main.ts');
  } else replaceBy(findNode(), [fileURLToPath(import.meta.url)], process.env);
});
