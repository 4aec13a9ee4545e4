import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './free-port.ts';

const program = '/usr/sbin/pgbouncer';

/** Debian's package; tests that need it are skipped without it. */
export const hasPgBouncer = spawnSync(program, ['--version']).status === 0;

/** PgBouncer in transaction mode for one database; with its default of refusing time limits as start-up parameters. */
export async function startPgBouncer(
  databaseUrl: string,
  { poolSize = 5 }: { poolSize?: number } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const dir = await mkdtemp(join(tmpdir(), 'sotto-pgbouncer-'));
  await chmod(dir, 0o755);
  const own = await findFreePort();
  const name = pathname.slice(1);
  await writeFile(
    join(dir, 'pgbouncer.ini'),
    `[databases]
${name} = host=${hostname} port=${port} dbname=${name} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${poolSize}
server_login_retry = 1
ignore_startup_parameters = extra_float_digits
`,
  );
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program, ['-q', join(dir, 'pgbouncer.ini')], { stdio: 'ignore', ...asNobody });
  const url = `postgres://anyone@127.0.0.1:${own}/${name}`;
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries === 100 || child.exitCode !== null) throw new Error('PgBouncer did not start');
    await wait(50);
  }
  return {
    url,
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
