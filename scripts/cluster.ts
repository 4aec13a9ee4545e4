// `npm run cluster`: the site on several processes on this machine, as `deploy/` runs it on many.
import { parseArgs } from 'node:util';
import { startCluster } from '#test/support/cluster.ts';
import { ensureBuilt } from './build.mjs';

const { values } = parseArgs({ options: { sites: { type: 'string', default: '2' } } });
const sites = Number(values.sites);
if (!Number.isInteger(sites) || sites < 1 || sites > 20) {
  console.error('--sites is a whole number from 1 to 20');
  process.exit(1);
}

await ensureBuilt();
const cluster = await startCluster({ sites });
for (const part of cluster.missing) console.log(`${part} is not installed: the cluster runs without it`);
for (const site of cluster.sites) console.log(`Site ${site.url} (process ${site.pid()})`);
console.log(`The cluster is ready at ${cluster.url}; Ctrl+C ends it and deletes its data`);

let isClosing = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isClosing) return;
    isClosing = true;
    void cluster.close().finally(() => process.exit(0));
  });
