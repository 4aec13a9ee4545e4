import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type Config, parseConfig } from '#config';
import { createDemoAccounts } from '#demo/accounts.ts';
import { listenForChanges } from '#db/changes.ts';
import { claimDataDir } from '#db/data-dir-owner.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { runSotto } from '#test/support/processes/command-line.ts';
import { createAudio, createUser, createVoice } from '#test/support/factories.ts';
import { writeMmdb } from '#test/support/mmdb.ts';
import { reportInto } from '#test/support/findings.ts';
import { openTestIdentity } from '#test/support/identity.ts';
import { slow } from '#test/support/tags.ts';
import { checkAccounts } from './accounts.ts';
import { checkHiddenCreators } from './catalogue.ts';
import { checkBackupDir } from './data-dir.ts';
import { checkMail } from './mail.ts';
import { checkRegionDatabase } from './regions.ts';
import type { Report } from './report.ts';
import { checkEnvFile, checkOperator, checkVoice } from './software.ts';
import { checkSecret, checkSignIn } from './sign-in.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'sotto-doctor-'));

const smtp = new SMTPServer({
  // Otherwise it warns of its own certificate.
  logger: false,
  allowInsecureAuth: true,
  onAuth: ({ password }, _session, done) =>
    done(password === 'right' ? null : new Error('Authentication failed'), { user: 'sotto' }),
});
await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
const smtpPort = (smtp.server.address() as AddressInfo).port;

let toolkit = { status: 200, body: { authorizedDomains: ['127.0.0.1'] } };
const emulator = createServer((_request, response) =>
  response.writeHead(toolkit.status, { 'content-type': 'application/json' }).end(JSON.stringify(toolkit.body)),
);
await new Promise<void>((resolve) => emulator.listen(0, '127.0.0.1', resolve));
const emulatorPort = (emulator.address() as AddressInfo).port;

afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  emulator.closeAllConnections();
  await new Promise((resolve) => emulator.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
});

let findings: string[];
const report: Report = (...finding) => reportInto(findings)(...finding);
beforeEach(() => (findings = []));

const configOf = (settings: Record<string, string> = {}): Config => parseConfig({ DATA_DIR: dataDir, ...settings });
const publicly = { SITE_URL: 'https://sotto.example' };

test('without a mail server, mails are kept: well on one machine, a warning where others use the site', async () => {
  await checkMail(configOf(), report);
  await checkMail(configOf(publicly), report);
  expect(findings).toEqual([
    'ok Mail MAIL_URL is not set, so mails are kept in the database',
    expect.stringMatching(/^warn Mail MAIL_URL is not set.*; nobody who forgot a password gets a link$/),
  ]);
});

test('a mail server is asked, by the name and the password that are set', async () => {
  for (const [password, port] of [
    ['right', smtpPort],
    ['wrong', smtpPort],
    ['right', 1],
  ])
    await checkMail(configOf({ MAIL_URL: `smtp://sotto:${password}@127.0.0.1:${port}` }), report);
  expect(findings).toEqual([
    expect.stringMatching(/^ok Mail 127\.0\.0\.1:\d+ takes mail/),
    expect.stringMatching(/^FAIL Mail .*Authentication failed/),
    expect.stringMatching(/^FAIL Mail .*ECONNREFUSED/),
  ]);
  expect(findings.join()).not.toMatch(/wrong|right/);
});

test('a secret that others may read', async () => {
  await writeFile(join(dataDir, 'secret'), 'x'.repeat(43), { mode: 0o644 });
  checkSecret(configOf(), report);
  await rm(join(dataDir, 'secret'));
  expect(findings).toEqual([expect.stringContaining('FAIL Secret others on this machine may read')]);
});

test('on a site for others, an operator without a name and address is a warning', () => {
  checkOperator(configOf(), report);
  checkOperator(configOf({ ...publicly, OPERATOR_NAME: 'Owl Ltd' }), report);
  const operator = { OPERATOR_NAME: 'Owl Ltd', OPERATOR_ADDRESS: '1 Oak', OPERATOR_EMAIL: 'hello@owl.example' };
  checkOperator(configOf({ ...publicly, ...operator }), report);
  expect(findings).toEqual([
    expect.stringMatching(/^warn Operator OPERATOR_ADDRESS, OPERATOR_EMAIL are not set: .* refuse feeds without/),
    'ok Operator Owl Ltd, hello@owl.example',
  ]);
});

test('an .env file that others may read', async () => {
  const former = process.cwd();
  process.chdir(dataDir);
  try {
    await writeFile('.env', 'SITE_NAME=Owl', { mode: 0o644 });
    checkEnvFile(configOf(), report);
    await writeFile('.env', 'DATABASE_URL=postgres://u:p@h/n');
    checkEnvFile(configOf(), report);
    await chmod('.env', 0o600);
    checkEnvFile(configOf(), report);
  } finally {
    process.chdir(former);
    await rm(join(dataDir, '.env'), { force: true });
  }
  const line = `Settings others on this machine may read ${join(dataDir, '.env')}; chmod 600 it`;
  expect(findings).toEqual([`warn ${line}`, `FAIL ${line}`]);
});

test('a database elsewhere: its rights, its processes, and files that are not in DATA_DIR', slow, async () => {
  const database = await createTestDatabase();
  await createAudio(database.db);
  const owned = join(dataDir, 'owned');
  await mkdir(owned, { recursive: true });
  await claimDataDir((await createTestDatabase()).pool, { dataDir: owned, databaseUrl: undefined });
  const listening = await listenForChanges({ url: database.url, onChange: () => {}, onError: () => {} });
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name');
  await database.pool.query(`revoke create on database ${rows[0]?.name} from public, current_user`);
  const examine = async (folder: string): Promise<string> => {
    const environment = { DATA_DIR: folder, DATABASE_URL: database.url, PORT: '0', SECRET: 's'.repeat(32) };
    return (await runSotto(['doctor'], { environment })).stdout;
  };
  const output = await examine(join(dataDir, 'missing'));
  await listening.close();
  expect(output).toMatch(/^FAIL {2}Files: .*missing\/blobs is missing, and the database names 1 file;/m);
  expect(output).toMatch(/^ok {4}Processes: 1 process of the site/m);
  expect(output).toMatch(/^FAIL {2}Database: the role \w+ may not make tables .*: alter database \w+ owner to \w+;/m);
  expect(await examine(owned)).toMatch(/^FAIL {2}DATA_DIR: .* belongs to another site/m);
  await writeFile(join(owned, 'site.json'), JSON.stringify({ siteId: 'x', database: 'db.example/sotto' }));
  const forgotten = await runSotto(['doctor'], { environment: { DATA_DIR: owned, PORT: '0' } });
  expect(forgotten.stdout).toMatch(/^FAIL {2}Database: .* at db\.example\/sotto, and DATABASE_URL is not set/m);
});

test('Google and Facebook have to know where to return to', async () => {
  await checkSignIn(configOf({ ...publicly, GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }), report);
  expect(findings).toEqual([
    'ok Sign-in built in, by password and google',
    expect.stringContaining('https://sotto.example/identity/callback/google'),
  ]);
});

test('Firebase is asked whether it knows the key and this site', async () => {
  const firebase = (port: number) =>
    configOf({
      FIREBASE_PROJECT_ID: 'my-sotto',
      FIREBASE_API_KEY: 'key',
      FIREBASE_AUTH_DOMAIN: 'my-sotto.firebaseapp.com',
      FIREBASE_EMULATOR_HOST: `127.0.0.1:${port}`,
    });
  await checkSignIn(firebase(emulatorPort), report);
  toolkit.body.authorizedDomains = ['elsewhere.example'];
  await checkSignIn(firebase(emulatorPort), report);
  toolkit = { ...toolkit, status: 400 };
  await checkSignIn(firebase(emulatorPort), report);
  await checkSignIn(firebase(1), report);
  expect(findings).toEqual([
    'ok Sign-in Firebase, project my-sotto',
    expect.stringContaining('warn Sign-in 127.0.0.1 is not among the authorized domains'),
    expect.stringContaining('FAIL Sign-in Firebase refuses the API key (status 400)'),
    expect.stringMatching(/^FAIL Sign-in Firebase cannot be reached \(.+\)/),
  ]);
});

test('demo accounts on a site for others, and accounts of a provider that is not used', async () => {
  const database = await createTestDatabase();
  const { provider } = await openTestIdentity(database);
  await database.db.insert(siteSettings).values({ key: 'demo', value: {} });
  await createDemoAccounts(database.db, provider);
  await checkAccounts({ opened: { database }, config: configOf() }, report);
  expect(findings).toEqual(['ok Accounts 4 accounts, 1 admin']);
  await database.pool.query(`update users set identity_provider = 'firebase' where username = 'listener'`);
  await database.pool.query('update users set is_admin = false');
  await checkAccounts({ opened: { database }, config: configOf(publicly) }, report);
  expect(findings.slice(2)).toEqual([
    expect.stringContaining('warn Accounts 1 account of another identity provider'),
    'warn Accounts no account is an admin; make one with npm run sotto -- admin <email> --username <name>',
    expect.stringContaining('FAIL Accounts the demo accounts are here'),
  ]);
  // The advice was followed.
  await database.pool.query(`update users set identity_provider = 'built-in', suspended_at = now()`);
  await createUser(database.db, {
    username: 'the-boss',
    isAdmin: true,
    identityProvider: 'built-in',
    identitySubject: 'boss',
  });
  findings = [];
  await checkAccounts({ opened: { database }, config: configOf(publicly) }, report);
  expect(findings).toEqual(['ok Accounts 5 accounts, 1 admin']);
});

test('audios that can be heard although their creator is hidden', async () => {
  const database = await createTestDatabase();
  const opened = { database, url: database.url, server: 'site' as const, close: async () => undefined };
  const check = () => checkHiddenCreators({ opened, config: configOf() }, report);
  const voice = await createVoice(database.db, { slug: 'hidden-heron' });
  for (const slug of ['reeds', 'marsh']) await createAudio(database.db, { voiceId: voice.id, slug });
  await check();
  await database.pool.query('update voices set hidden_at = now()');
  await check();
  expect(findings).toEqual([]);
  await database.pool.query(
    'alter table audios disable trigger audios_hold_back; update audios set published_at = now()',
  );
  await check();
  expect(findings).toEqual([
    'FAIL Hidden creators 2 audios of hidden-heron can be heard, although the creator is hidden; show and hide the creator again in Admin',
  ]);
});

test('backups inside the data folder cause a warning, also behind a link', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'sotto-doctor-backups-'));
  const link = join(outside, 'link');
  await symlink(dataDir, link);
  await checkBackupDir(configOf(), report);
  expect(findings).toEqual([]);
  for (const dir of [join(dataDir, 'backups'), dataDir, join(link, 'backups'), `${dataDir}-backups`, outside])
    await checkBackupDir(configOf({ BACKUP_DIR: dir }), report);
  await rm(outside, { recursive: true });
  expect(findings.map((finding) => finding.split(' ')[0])).toEqual(['warn', 'warn', 'warn', 'ok', 'ok']);
});

test('a folder for backups that cannot be written is named', async () => {
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  for (const dir of [file, join(file, 'backups')]) await checkBackupDir(configOf({ BACKUP_DIR: dir }), report);
  expect(findings.map((finding) => finding.split(' ').slice(0, 2).join(' '))).toEqual([
    'FAIL BACKUP_DIR',
    'FAIL BACKUP_DIR',
  ]);
});

test('the file of regions is to be new, and an MMDB file', async () => {
  const path = join(dataDir, 'regions.mmdb');
  const check = () => checkRegionDatabase(configOf({ REGION_DATABASE: path }), report);
  check();
  await writeFile(path, 'rubbish');
  check();
  const networks = { '198.51.100.0/24': 'FR' };
  writeMmdb(path, networks, { builtAt: new Date(Date.now() - 59 * 24 * 60 * 60 * 1000) });
  check();
  writeMmdb(path, networks, { builtAt: new Date('2026-01-31T12:00:00Z') });
  check();
  checkRegionDatabase(configOf(), report);
  expect(findings).toEqual([
    expect.stringMatching(/^FAIL REGION_DATABASE .*mmdb cannot be read, or is no MMDB file/),
    expect.stringMatching(/^FAIL REGION_DATABASE /),
    expect.stringMatching(/^ok REGION_DATABASE Test-City of 20/),
    expect.stringMatching(/^warn REGION_DATABASE Test-City of 2026-01-31 is older than 60 days; put a new file/),
  ]);
});

test('eSpeak NG reads a line, the system’s or npm’s', async () => {
  await checkVoice(configOf(), report);
  expect(findings).toEqual(['ok Scripts eSpeak NG reads them, to time their lines']);
});
