import { existsSync } from 'node:fs';
import { apt } from './browser.mjs';

/** Debian's packages of servers that tests use, with the programs in them. */
const packages = {
  'ceph-mon': ['/usr/bin/ceph', '/usr/bin/ceph-mon', '/usr/bin/monmaptool'],
  'ceph-osd': ['/usr/bin/ceph-osd'],
  radosgw: ['/usr/bin/radosgw', '/usr/bin/radosgw-admin'],
  pgbouncer: ['/usr/sbin/pgbouncer'],
  haproxy: ['/usr/sbin/haproxy'],
};

const isInstalled = (name) => packages[name].every((program) => existsSync(program));

export function isS3ServerInstalled() {
  return ['ceph-mon', 'ceph-osd', 'radosgw'].every(isInstalled);
}

/** @returns the packages whose tests are skipped */
export function missingServers() {
  return Object.keys(packages).filter((name) => !isInstalled(name));
}

/** Installs them on Debian when the download is fast: they are up to 100 MB. */
export async function prepareServers() {
  const missing = missingServers();
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Installing for the tests: ${missing.join(' ')}\n`);
  const install = ['install', '-y', '--no-install-recommends'];
  // Only the download has the short limit: an interrupted installation leaves packages half configured.
  if ((await apt(['update'])) && (await apt([...install, '--download-only', ...missing], 60_000)))
    await apt([...install, ...missing]);
}
