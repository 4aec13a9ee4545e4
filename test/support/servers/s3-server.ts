import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';

const run = promisify(execFile);

export type S3Server = {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  close(): Promise<void>;
};

/**
 * Ceph's object gateway with everything in memory: an S3 server that verifies signatures and expiry. Starts in about a
 * second, because its monitor need not collect changes of a cluster.
 */
export async function startS3Server(): Promise<S3Server> {
  const dir = await mkdtemp(join(tmpdir(), 'sotto-s3-'));
  const [monPort, port] = [await findFreePort(), await findFreePort()];
  const fsid = randomUUID();
  const conf = join(dir, 'ceph.conf');
  for (const name of ['mon', 'osd', 'run']) mkdirSync(join(dir, name));
  await writeFile(conf, configuration({ dir, fsid, monPort, port }));
  const log = openSync(join(dir, 'output.log'), 'a');
  const children: ChildProcess[] = [];
  const start = (program: string, ...args: string[]) => {
    // They end with this process, even when it is killed.
    const command = ['--pdeathsig', 'KILL', `/usr/bin/${program}`, '-c', conf, ...args, '-f'];
    const child = spawn('/usr/bin/setpriv', command, { stdio: ['ignore', log, log] });
    children.push(child);
    return child;
  };
  const ceph = (program: string, ...args: string[]) =>
    run(`/usr/bin/${program}`, ['-c', conf, ...args], { timeout: 20_000, killSignal: 'SIGKILL' });

  async function close(): Promise<void> {
    // In the order of their dependencies; their data is not needed again.
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await ended;
      }),
    );
    closeSync(log);
    await rm(dir, { recursive: true, force: true });
  }

  try {
    const map = join(dir, 'map');
    await run('/usr/bin/monmaptool', ['--create', '--addv', 'a', `[v1:127.0.0.1:${monPort}]`, '--fsid', fsid, map]);
    await ceph('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map);
    start('ceph-mon', '-i', 'a');
    const osd = randomUUID();
    await ceph('ceph', 'osd', 'new', osd);
    await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    await untilUp(
      () => start('ceph-osd', '-i', '0'),
      // The monitor refuses to answer for a moment after its start.
      () =>
        ceph('ceph', 'osd', 'stat').then(
          ({ stdout }) => / 1 up/.test(stdout),
          () => false,
        ),
    );
    const key = { accessKeyId: 'TESTKEY', secretAccessKey: 'a-secret/of+tests' };
    const user = [
      '--uid=sotto',
      '--display-name=Sotto',
      '--access-key',
      key.accessKeyId,
      '--secret',
      key.secretAccessKey,
    ];
    await ceph('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user);
    start('radosgw', '-n', 'client.rgw');
    const endpoint = `http://127.0.0.1:${port}`;
    await untilAnswering(endpoint);
    return { endpoint, ...key, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function configuration(options: { dir: string; fsid: string; monPort: number; port: number }): string {
  const { dir, fsid, monPort, port } = options;
  return `
[global]
fsid = ${fsid}
mon host = [v1:127.0.0.1:${monPort}]
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
osd crush chooseleaf type = 0
osd class update on start = false
ms bind msgr2 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
mon data avail crit = 1
paxos propose interval = 0.01
paxos min wait = 0.01
ms initial backoff = 0.02
mon client hunt interval = 0.3
mon data = ${dir}/mon
osd data = ${dir}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
run dir = ${dir}/run
admin socket = ${dir}/run/$name.asok
log file = ${dir}/$name.log
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw thread pool size = 32
`;
}

/** Restarts it when it exits: an OSD gives up when it asks the monitor before that has the cluster's id. */
async function untilUp(startOsd: () => ChildProcess, isUp: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  let osd = startOsd();
  while (!(await isUp())) {
    if (Date.now() > deadline) throw new Error('The OSD of the S3 server does not come up');
    if (osd.exitCode !== null) osd = startOsd();
    await wait(50);
  }
}

async function untilAnswering(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await wait(50);
    }
  }
}
