import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { endWithParent, findNode, replaceBy, root, runScript } from './run.mjs';

await runScript(async () => {
  await ensureInstalled();
  if (process.env.npm_lifecycle_event !== undefined) endWithParent();
  const main = join(root, 'src', 'main.ts');
  const options = ['--disable-warning=ExperimentalWarning', '--conditions', 'development'];
  replaceBy(findNode(), [...options, main, '--dev'], { ...process.env, NODE_ENV: 'development' });
});
