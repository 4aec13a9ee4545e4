import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#config';
import { ConfigError, parseConfig } from '#config';
import { readBlobReferences } from '#db/blob-columns.ts';
import type { CommandDatabase } from '#db/command-database.ts';
import { openForCommand } from '#db/command-database.ts';
import { StartError } from '#db/embedded-start-error.ts';
import { readSchemaState } from '#db/schema-state.ts';
import type { Blobs } from '#domain/gateways.ts';
import { openDiskBlobs } from '#gateways/disk-blobs.ts';
import type { Command, CommandContext } from './command.ts';
import { countOf, formatBytes, parseCommandLine } from './command.ts';
import { checkAccounts, checkIdentity, checkMail } from './doctor-accounts.ts';

export const doctorCommand: Command = {
  help: `doctor [--json]

Checks everything the site needs and says, line by line, what is well (ok), what should be looked at (warn) and what
is wrong (FAIL), with what to do. Changes nothing. Works while the site runs and while it is stopped.

  --json  one JSON object a line: level, about, message

Exit code 1 when something is wrong.`,
  async run(args, context) {
    const { values } = parseCommandLine(args, { json: { type: 'boolean', default: false } }, []);
    let worst = 0;
    await examine(context, (level, about, message) => {
      if (level === 'FAIL') worst = 1;
      context.say(values.json ? JSON.stringify({ level, about, message }) : `${level.padEnd(4)}  ${about}: ${message}`);
    });
    return worst;
  },
};

type Level = 'ok' | 'warn' | 'FAIL';
export type Finding = (level: Level, about: string, message: string) => void;

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

async function examine(context: CommandContext, find: Finding): Promise<void> {
  checkNode(find);
  const config = checkSettings(context, find);
  checkBuild(find);
  checkAddresses(config, find);
  const isThere = await checkDataDir(config, find);
  await checkPort(config, find);
  await checkMail(config, find);
  await checkIdentity(config, find);
  if (!isThere && config.databaseUrl === undefined) return;

  const opened = await checkDatabase(config, context, find);
  if (opened === undefined) return;
  try {
    const isCurrent = await checkSchema(opened, find);
    await checkClock(opened, find);
    if (isThere) await checkFiles(opened, openDiskBlobs({ dir: join(config.dataDir, 'blobs') }), find);
    if (isCurrent) await checkAccounts(opened, config, find);
    if (isCurrent) await checkCatalogue(opened, find);
  } catch (error) {
    find('FAIL', 'Database', `it does not answer as it should: ${(error as Error).message}`);
  } finally {
    await opened.close();
  }
}

function checkNode(find: Finding): void {
  const pinned = (
    JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { dependencies: { node: string } }
  ).dependencies.node;
  const { node } = process.versions;
  if (node === pinned) find('ok', 'Node', node);
  else if (node.split('.')[0] === pinned.split('.')[0])
    find('warn', 'Node', `${node}, and Sotto is tested with ${pinned}; start it through npm`);
  else
    find(
      'FAIL',
      'Node',
      `${node}, and Sotto needs ${pinned}; run it through npm, which brings it (npm run sotto -- doctor)`,
    );
}

/** Lists every wrong setting, where the start stops at the first. */
function checkSettings(context: CommandContext, find: Finding): Config {
  try {
    const config = context.readConfig();
    find('ok', 'Settings', 'all can be used');
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  const environment = { ...context.environment };
  for (;;) {
    try {
      const config = parseConfig(environment);
      find('warn', 'Settings', 'what follows is checked with the defaults in place of the wrong ones');
      return config;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      find('FAIL', 'Settings', error.message);
      const [, name, problem] = /setting (\w+) is (wrong|missing)/.exec(error.message) ?? [];
      if (name === undefined) return parseConfig({});
      if (problem === 'missing') environment[name] = 'https://sotto.invalid';
      else delete environment[name];
    }
  }
}

function checkBuild(find: Finding): void {
  const isBuilt =
    existsSync(join(packageRoot, 'build', 'server', 'index.js')) && existsSync(join(packageRoot, 'build', 'client'));
  if (isBuilt) find('ok', 'Build', 'the pages are built');
  else find('warn', 'Build', 'the pages are not built yet; npm start does it');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.');
}

function checkAddresses(config: Config, find: Finding): void {
  const { protocol, hostname } = new URL(config.siteUrl);
  const problems: string[] = [];
  if (protocol === 'http:' && !isLoopback(hostname))
    problems.push(
      `SITE_URL is ${config.siteUrl}: without https, passwords and what is heard can be read on the way; put a proxy with TLS in front`,
    );
  if (isLoopback(hostname) && !isLoopback(config.host))
    problems.push(
      `SITE_URL is ${config.siteUrl}, which only this machine can open, and HOST=${config.host} lets others in; set it to the address they use`,
    );
  if (protocol === 'https:' && config.trustProxy === 0)
    problems.push(
      'SITE_URL is https, so a proxy stands in front, and TRUST_PROXY is 0: every listener seems to come from one address; set it to the number of proxies',
    );
  if (config.trustProxy > 0 && !isLoopback(config.host))
    problems.push(
      `TRUST_PROXY is ${config.trustProxy} and HOST=${config.host}: whoever reaches the port past the proxy can claim any address; close it to all but the proxy`,
    );
  if (config.proxyCache && config.trustProxy === 0)
    problems.push('PROXY_CACHE is on and TRUST_PROXY says that there is no proxy');
  for (const problem of problems) find('warn', 'Addresses', problem);
  if (problems.length === 0)
    find(
      'ok',
      'Addresses',
      `${config.siteUrl}, listening on ${config.host}:${config.port}, ${countOf(config.trustProxy, 'proxy', 'proxies')} trusted`,
    );
}

/** @returns whether the folder is there */
async function checkDataDir({ dataDir, databaseUrl }: Config, find: Finding): Promise<boolean> {
  const found = await stat(dataDir).catch(() => undefined);
  if (found === undefined) {
    find('warn', 'DATA_DIR', `${dataDir} is not there yet; the first start makes it`);
    return false;
  }
  const probe = join(dataDir, `.doctor-${randomUUID()}`);
  const error = await writeFile(probe, '', { flag: 'wx' }).then(
    () => rm(probe, { force: true }).then(() => undefined),
    (failure: NodeJS.ErrnoException) => failure,
  );
  if (error !== undefined)
    find('FAIL', 'DATA_DIR', `${dataDir} cannot be written (${error.code}); give it to the user that runs Sotto`);
  else if (process.getuid !== undefined && found.uid !== process.getuid())
    find(
      'warn',
      'DATA_DIR',
      `${dataDir} belongs to the user with id ${found.uid}, and this command runs as ${process.getuid()}; run both as the same user`,
    );
  else if ((found.mode & 0o002) !== 0)
    find('FAIL', 'DATA_DIR', `everyone on this machine may write to ${dataDir}; chmod o-w it`);
  else find('ok', 'DATA_DIR', `${dataDir} can be written`);

  if (databaseUrl === undefined) checkPasswordFile(dataDir, find);
  await checkSpace(dataDir, find);
  return true;
}

function checkPasswordFile(dataDir: string, find: Finding): void {
  const path = join(dataDir, 'postgres.password');
  const file = statSync(path, { throwIfNoEntry: false });
  if (file !== undefined && process.platform !== 'win32' && (file.mode & 0o077) !== 0) {
    find('FAIL', 'Password file', `others on this machine may read ${path}, which opens the database; chmod 600 it`);
  } else if (file !== undefined) find('ok', 'Password file', 'only its owner may read it');
  const cluster = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false });
  if (cluster !== undefined && process.platform !== 'win32' && (cluster.mode & 0o027) !== 0) {
    find(
      'FAIL',
      'Database folder',
      `others on this machine may enter ${join(dataDir, 'postgres')}, and PostgreSQL will not start; chmod 700 it`,
    );
  }
}

async function checkSpace(dataDir: string, find: Finding): Promise<void> {
  const { bavail, bsize, files, ffree } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < 200e6)
    find('FAIL', 'Disk', `only ${formatBytes(free)} free in ${dataDir}; the database stops when there is none`);
  else if (free < 2e9)
    find('warn', 'Disk', `${formatBytes(free)} free in ${dataDir}; make room before uploads and backups need it`);
  else if (files > 0 && ffree < 10_000) find('warn', 'Disk', `only ${ffree} more files can be made in ${dataDir}`);
  else find('ok', 'Disk', `${formatBytes(free)} free`);
}

async function checkPort(config: Config, find: Finding): Promise<void> {
  const { host, port } = config;
  if (port === 0) return find('ok', 'Port', 'any that is free');
  const address = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const base = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  const ask = async (path: string) => {
    const response = await fetch(`${base}${path}`, { signal: AbortSignal.timeout(3000), redirect: 'manual' });
    return { status: response.status, text: (await response.text()).slice(0, 100) };
  };
  try {
    const health = await ask('/healthz');
    if (health.status !== 200 || health.text !== 'ok\n')
      return find(
        'FAIL',
        'Port',
        `something other than Sotto answers on ${host}:${port}; stop it, or set another PORT`,
      );
    const ready = await ask('/readyz');
    if (ready.status === 200) find('ok', 'Port', `a Sotto answers on ${host}:${port}`);
    else find('FAIL', 'Port', `a Sotto answers on ${host}:${port}, and its database does not; see its log`);
  } catch {
    const error = await tryListening(host, port);
    if (error === undefined) find('ok', 'Port', `${host}:${port} is free; the site is stopped`);
    else if (error === 'EADDRINUSE')
      find(
        'FAIL',
        'Port',
        `something listens on ${host}:${port} and does not answer as a site; stop it, or set another PORT`,
      );
    else find('FAIL', 'Port', `the site cannot listen on ${host}:${port} (${error})`);
  }
}

function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function checkDatabase(
  config: Config,
  context: CommandContext,
  find: Finding,
): Promise<CommandDatabase | undefined> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    find('warn', 'Database', 'there is none yet; the first start makes it');
    return undefined;
  }
  try {
    return await openForCommand(config, { create: false, schema: 'any', note: context.note });
  } catch (error) {
    find('FAIL', 'Database', error instanceof StartError ? error.message : (error as Error).message);
    return undefined;
  }
}

const places: Record<CommandDatabase['server'], string> = {
  external: 'named by DATABASE_URL',
  site: 'of the running site',
  own: 'started for this check',
};

/** @returns whether the schema is the one this version works with */
async function checkSchema({ database: { pool }, server }: CommandDatabase, find: Finding): Promise<boolean> {
  const { rows } = await pool.query<{ number: number; version: string; encoding: string; fsync: string; size: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, pg_database_size(current_database()) as size`,
  );
  const facts = rows[0];
  if (facts === undefined) throw new Error('it tells nothing of itself');
  if (facts.number < 150_000) find('FAIL', 'Database', `PostgreSQL ${facts.version}, and 15 or later is needed`);
  else find('ok', 'Database', `PostgreSQL ${facts.version}, ${places[server]}, ${formatBytes(Number(facts.size))}`);
  if (facts.encoding !== 'UTF8') find('FAIL', 'Database', `its encoding is ${facts.encoding}; make it anew with UTF8`);
  if (facts.fsync !== 'on') find('FAIL', 'Database', 'fsync is off: a power cut can destroy it; switch it on');

  const { applied, pending, unknown } = await readSchemaState(pool);
  if (unknown > 0)
    find(
      'FAIL',
      'Schema',
      `the database belongs to a newer Sotto (${countOf(unknown, 'step')} ahead); update this one`,
    );
  else if (applied.length === 0) find('warn', 'Schema', 'the database is empty; the first start makes its tables');
  else if (pending.length > 0)
    find(
      'warn',
      'Schema',
      `${countOf(pending.length, 'step')} behind (${pending.map(({ name }) => name).join(', ')}); the next start brings it up to date`,
    );
  else find('ok', 'Schema', `up to date, ${countOf(applied.length, 'step')}`);
  return unknown === 0 && pending.length === 0;
}

async function checkClock({ database: { pool } }: CommandDatabase, find: Finding): Promise<void> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const after = Date.now();
  const theirs = rows[0]?.now.getTime() ?? Number.NaN;
  const apart = Math.max(0, before - theirs, theirs - after) / 1000;
  const released = statSync(join(packageRoot, 'package.json')).mtimeMs;
  if (after < released - 24 * 60 * 60 * 1000)
    find(
      'FAIL',
      'Clock',
      `this machine says ${new Date(after).toISOString()}, which is before this version was installed; set it`,
    );
  else if (apart > 60)
    find(
      'FAIL',
      'Clock',
      `the database's clock is ${Math.round(apart)} s apart from this machine's; let both keep time (NTP)`,
    );
  else if (apart > 2)
    find(
      'warn',
      'Clock',
      `the database's clock is ${apart.toFixed(1)} s apart from this machine's; let both keep time (NTP)`,
    );
  else find('ok', 'Clock', new Date(after).toISOString());
}

const sampleSize = 24;

async function checkFiles({ database: { pool } }: CommandDatabase, blobs: Blobs, find: Finding): Promise<void> {
  const references = await readBlobReferences(pool);
  const wrong: string[] = [];
  const images: string[] = [];
  let bytes = 0;
  for (const reference of references) {
    const info = await blobs.stat(reference.key);
    if (info === undefined) wrong.push(`${reference.key} (of ${reference.table}) is missing`);
    else if (info.bytes === 0 || (reference.bytes !== undefined && info.bytes !== reference.bytes))
      wrong.push(
        `${reference.key} (of ${reference.table}) has ${info.bytes} bytes instead of ${reference.bytes ?? 'some'}`,
      );
    else if (reference.key.startsWith('images/')) images.push(reference.key);
    bytes += info?.bytes ?? 0;
  }
  for (const problem of wrong.slice(0, 5)) find('FAIL', 'Files', `${problem}; bring it back from a backup`);
  if (wrong.length > 5) find('FAIL', 'Files', `and ${wrong.length - 5} more are missing or of the wrong size`);
  if (wrong.length === 0)
    find('ok', 'Files', `all ${references.length} that the database names are there, ${formatBytes(bytes)}`);

  const named = new Set(references.map(({ key }) => key));
  const orphans = { count: 0, bytes: 0 };
  let unreadable = 0;
  for await (const info of blobs.list('')) {
    if (!named.has(info.key)) {
      orphans.count += 1;
      orphans.bytes += info.bytes;
    }
  }
  if (orphans.count > 0)
    find(
      'ok',
      'Files',
      `${countOf(orphans.count, 'file')} that nothing names (${formatBytes(orphans.bytes)}), left by imports that broke off or audios that were removed`,
    );

  const step = Math.max(1, Math.ceil(images.length / sampleSize));
  const sample = images.filter((_key, index) => index % step === 0);
  const { openCovers } = await import('#gateways/covers.ts');
  const covers = openCovers();
  for (const key of sample) {
    const content = new Uint8Array(await new Response(blobs.read(key)).arrayBuffer());
    if (await covers.isDecodable(content)) continue;
    unreadable += 1;
    find('FAIL', 'Images', `${key} cannot be decoded; bring it back from a backup`);
  }
  if (unreadable === 0 && sample.length > 0)
    find('ok', 'Images', `${sample.length} of ${images.length} tried, all can be decoded`);
}

async function checkCatalogue({ database: { pool } }: CommandDatabase, find: Finding): Promise<void> {
  const { rows } = await pool.query<{
    published: number;
    drafts: number;
    preview: 'none' | 'gone' | 'unpublished' | 'published';
  }>(
    `select (select count(*)::int from audios where published_at <= now()) as published,
       (select count(*)::int from audios where published_at is null or published_at > now()) as drafts,
       coalesce((select case when a.id is null then 'gone' when a.published_at <= now() then 'published' else 'unpublished' end
         from site_settings s left join audios a on a.id::text = s.value ->> 'audioId' where s.key = 'preview'), 'none') as preview`,
  );
  const facts = rows[0];
  if (facts === undefined) return;
  if (facts.published === 0) find('warn', 'Catalogue', 'nothing is published; see npm run sotto -- help import');
  else find('ok', 'Catalogue', `${countOf(facts.published, 'audio')} published, ${facts.drafts} not`);
  const advice = 'visitors have nothing to try; name one with npm run sotto -- preview <slug>';
  if (facts.preview === 'published') find('ok', 'Preview', 'set, and published');
  else
    find(
      'warn',
      'Preview',
      `${{ none: 'none is set', gone: 'the audio it names is gone', unpublished: 'the audio it names is not published' }[facts.preview]}; ${advice}`,
    );
}
