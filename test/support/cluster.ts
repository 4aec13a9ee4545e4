import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startEmbeddedServer } from '#db/embedded/server.ts';
import { type SiteProcess, startSite, stopProcess } from '../../bench/site-process.ts';
import { openDatabaseProxy } from './servers/database-proxy.ts';
import { hasPgBouncer, startPgBouncer } from './servers/pgbouncer.ts';
import { isS3ServerInstalled } from '../../scripts/test-servers.mjs';
import { startS3Server } from './servers/s3-server.ts';
import { findFreePort } from './servers/free-port.ts';

const haproxy = '/usr/sbin/haproxy';

/** Programs from Debian packages. The cluster runs without those that are not installed. */
const installed = { pgbouncer: () => hasPgBouncer, haproxy: () => existsSync(haproxy), s3: isS3ServerInstalled };
type Part = keyof typeof installed;

export function isClusterInstalled(): boolean {
  return Object.values(installed).every((isInstalled) => isInstalled());
}

export type ClusterOptions = {
  /** Site processes behind the load balancer. */
  sites: number;
  /** Installed parts to leave out. */
  without?: readonly Part[];
  /** Added to the settings of each site. */
  settings?: Record<string, string>;
};

export type ClusterSite = {
  /** Its own address, behind the load balancer. */
  url: string;
  pid(): number;
  /** Like a machine that loses its power. */
  kill(): Promise<void>;
  /** Like an upgrade: shuts down cleanly, then starts again. */
  restart(): Promise<void>;
  start(): Promise<void>;
};

export type Cluster = {
  /** Address of the load balancer; without HAProxy, of the first site. */
  url: string;
  sites: ClusterSite[];
  /** PostgreSQL directly. */
  databaseUrl: string;
  /** Parts that are not installed. */
  missing: string[];
  /** Stops PostgreSQL, and starts it again on the same data after a time. @returns once it answers again */
  restartDatabase(awayMs: number): Promise<void>;
  close(): Promise<void>;
};

/**
 * A site on several processes, as in `deploy/`: PostgreSQL, PgBouncer in transaction mode, an S3 server, sites, and
 * HAProxy in front. Everything is on loopback and is deleted at the end.
 */
export async function startCluster({ sites: count, without = [], settings = {} }: ClusterOptions): Promise<Cluster> {
  const dir = await mkdtemp(join(tmpdir(), 'sotto-cluster-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  const missing: string[] = [];
  const has = (part: Part) => {
    if (without.includes(part)) return false;
    const isInstalled = installed[part]();
    if (!isInstalled) missing.push(part);
    return isInstalled;
  };
  async function close(): Promise<void> {
    for (const step of closing.toReversed()) await step();
  }

  try {
    const silent = { info: () => {}, warn: () => {} };
    const openDatabase = () => startEmbeddedServer({ dataDir: join(dir, 'database'), log: silent, isDurable: false });
    let database = await openDatabase();
    closing.push(() => database.stop());
    // It comes back on another port after a stop; the proxy keeps its address.
    const proxy = await openDatabaseProxy(database.url);
    closing.push(proxy.close);
    const direct = new URL(proxy.url);

    const addresses: Record<string, string> = { DATABASE_URL: direct.href };
    if (has('pgbouncer')) {
      const bouncer = await startPgBouncer(direct.href, { poolSize: 30 });
      closing.push(bouncer.close);
      Object.assign(addresses, { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: direct.href });
    }
    if (has('s3')) {
      const s3 = await startS3Server();
      closing.push(s3.close);
      const { endpoint, accessKeyId, secretAccessKey } = s3;
      const credentials = { accessKeyId, secretAccessKey };
      const admin = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
      await admin.send(new CreateBucketCommand({ Bucket: 'sotto' }));
      admin.destroy();
      Object.assign(addresses, {
        S3_BUCKET: 'sotto',
        S3_ENDPOINT: endpoint,
        S3_REGION: 'us-east-1',
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      });
    } else addresses['DATA_DIR'] = join(dir, 'files');

    const ports = await Promise.all(Array.from({ length: count }, findFreePort));
    const front = has('haproxy') ? await findFreePort() : undefined;
    const secret = randomBytes(32).toString('base64url');
    const sites = ports.map((port, index) =>
      clusterSite({
        DATA_DIR: join(dir, `site-${index}`),
        ...addresses,
        SECRET: secret,
        PORT: String(port),
        SITE_URL: `http://127.0.0.1:${front ?? ports[0]}`,
        TRUST_PROXY: front === undefined ? '0' : '1',
        DRAIN_SECONDS: '3',
        ...settings,
      }),
    );
    closing.push(() => Promise.all(sites.map((site) => site.stop())));
    // The first process prepares the database and the demo; the others use both.
    for (const site of sites) await site.start();
    if (front !== undefined) {
      const child = await startHaproxy({ dir, port: front, ports });
      closing.push(() => stopProcess(child));
    }

    return {
      url: `http://127.0.0.1:${front ?? ports[0]}`,
      sites,
      databaseUrl: direct.href,
      missing,
      async restartDatabase(awayMs) {
        await Promise.all([proxy.set('refuse'), database.stop()]);
        await wait(awayMs);
        database = await openDatabase();
        proxy.aim(database.url);
        await proxy.set('pass');
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function clusterSite(settings: Record<string, string>): ClusterSite & { stop(): Promise<void> } {
  let running: SiteProcess | undefined;
  const site = {
    url: `http://127.0.0.1:${settings['PORT']}`,
    pid: () => running?.pid ?? 0,
    async start() {
      running = await startSite(settings);
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async kill() {
      const killed = running;
      running = undefined;
      await killed?.kill();
    },
    async restart() {
      await site.stop();
      await site.start();
    },
  };
  return site;
}

/** Checks /readyz of each site twice a second; a call that changes something is never repeated. */
async function startHaproxy({ dir, port, ports }: { dir: string; port: number; ports: number[] }) {
  const file = join(dir, 'haproxy.cfg');
  const servers = ports.map((one, index) => `  server site-${index} 127.0.0.1:${one} check`).join('\n');
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 15s
  timeout queue 5s
  option redispatch 1
  retries 2
  retry-on conn-failure empty-response
  # No site is ready, such as while the database is away.
  http-error status 503 content-type text/plain string "Please try again in a moment." hdr Retry-After 5
frontend web
  bind 127.0.0.1:${port}
  option forwardfor
  http-request set-header X-Forwarded-Proto http
  http-request disable-l7-retry unless METH_GET || METH_HEAD
  default_backend sites
backend sites
  balance leastconn
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
  http-check expect status 200
  default-server inter 500ms fastinter 250ms downinter 500ms fall 1 rise 1 maxconn 400
${servers}
`,
  );
  const child = spawn(haproxy, ['-db', '-q', '-f', file], { stdio: 'ignore' });
  await untilReady(`http://127.0.0.1:${port}/readyz`);
  return child;
}

/** @throws when it is not ready within 30 s */
export async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > deadline) throw new Error(`${url} answered ${status} for 30 s`);
    await wait(50);
  }
}
