import { existsSync } from 'node:fs';
import { apt } from './browser.mjs';

const programs = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];
const packages = ['radosgw', 'ceph-osd', 'ceph-mon'];

export function isS3ServerInstalled() {
  return programs.every((name) => existsSync(`/usr/bin/${name}`));
}

/** Installs the S3 server of the tests from a Debian, when its packages come quickly: they are up to 100 MB. */
export async function prepareS3Server() {
  if (isS3ServerInstalled() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Installing for the tests: ${packages.join(' ')}\n`);
  const install = ['install', '-y', '--no-install-recommends'];
  // Only the download has the short limit: an installation that is broken off leaves packages half configured.
  if ((await apt(['update'])) && (await apt([...install, '--download-only', ...packages], 60_000)))
    await apt([...install, ...packages]);
}
