import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { writeSettingFiles } from '../scripts/settings.ts';
import { senderOf } from './settings/mail.ts';
import { ConfigError, parseConfig, readConfig, settingNames } from './config.ts';

test('without any setting the site is for this machine only', () => {
  expect(parseConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    siteName: 'Sotto',
    siteUrl: 'http://127.0.0.1:3000',
    databaseUrl: undefined,
    trustProxy: 0,
    clientConnections: 256,
    demo: true,
  });
});

test('empty values count as absent, as in .env files', () => {
  expect(parseConfig({ PORT: ' ', TRUST_PROXY: '\t' })).toMatchObject({ port: 3000, trustProxy: 0 });
  expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test.each([
  ['PORT', 'eighty', 'must be a whole number from 0 to 65535'],
  ['PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
  ['HOST', 'not a host', 'must be an IP address or localhost'],
  ['DATABASE_URL', 'mysql://x', 'must look like postgres://user:password@host:5432/name'],
  ['DATABASE_POOL_SIZE', '0', 'must be a whole number from 1 to 200'],
  ['DATA_DIR', '/', 'must be a folder of its own, not the root of the file system'],
  ['DATA_DIR', '/var/../.', 'must be a folder of its own, not the root of the file system'],
  ['DATA_DIR', 'a\0b', 'must be one line of plain characters'],
  ['DATA_DIR', 'a\nb', 'must be one line of plain characters'],
  ['SITE_URL', 'sotto.example', 'must be an address such as https://sotto.example'],
  ['SITE_URL', 'https://sotto.example/deep/path', 'must be an address without a path, such as https://sotto.example'],
  ['SITE_URL', 'javascript:alert(1)', 'must be an address such as https://sotto.example'],
  ['SITE_NAME', 'x'.repeat(41), 'must have no more than 40 characters'],
  ['TRUST_PROXY', 'yes', 'must be a whole number from 0 to 5'],
  ['MAIL_URL', 'mail.example', 'must look like smtp://user:password@mail.example:587'],
  [
    'MAIL_URL',
    'smtp://a:100%@mail.example',
    'must look like smtp://user:password@mail.example:587; in the password, write % as %25',
  ],
  [
    'MAIL_URL',
    'smtp://mail.example?connections=all',
    'may end with ?connections=5 (1 to 50) and tls=none or tls=required, and nothing else',
  ],
  [
    'MAIL_URL',
    'smtp://mail.example?connections=51',
    'may end with ?connections=5 (1 to 50) and tls=none or tls=required, and nothing else',
  ],
  [
    'MAIL_URL',
    'smtp://mail.example?tls=no',
    'may end with ?connections=5 (1 to 50) and tls=none or tls=required, and nothing else',
  ],
  [
    'MAIL_FROM',
    'Sotto hello@sotto.example',
    'must be one address such as hello@sotto.example, or Name <hello@sotto.example>',
  ],
  [
    'MAIL_FROM',
    'a@sotto.example, b@sotto.example',
    'must be one address such as hello@sotto.example, or Name <hello@sotto.example>',
  ],
  [
    'MAIL_FROM',
    'Sotto <hello@sotto.example',
    'must be one address such as hello@sotto.example, or Name <hello@sotto.example>',
  ],
  ['MAIL_FROM', `${'x'.repeat(200)}@sotto.example`, 'must have no more than 200 characters'],
  ['OPERATOR_EMAIL', `${'x'.repeat(200)}@sotto.example`, 'must have no more than 200 characters'],
  ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ['DEMO', 'maybe', 'must be true or false'],
])('a wrong %s (%j) is one line that says what it must be', (name, value, reason) => {
  expect(() => parseConfig({ [name]: value })).toThrow(new ConfigError(`the setting ${name} is wrong: ${reason}`));
});

test.each([
  ['SITE_ULR', 'SITE_URL'],
  ['SITEURL', 'SITE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['EMAIL_URL', 'MAIL_URL'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['OPERATOR_EMIAL', 'OPERATOR_EMAIL'],
  ['PROT', 'PORT'],
])('the misspelt setting %s is refused', (name, meant) => {
  expect(() => parseConfig({ [name]: 'x' })).toThrow(
    new ConfigError(`the setting ${name} is unknown: did you mean ${meant}?`),
  );
  expect(() => parseConfig({ [name]: '' })).not.toThrow();
});

test('names of other programs are left alone', () => {
  const names =
    'PATH HOME HOSTNAME HOSTS PORTS POST NODE_ENV LOGNAME MAIL SHELL TERM DEMOS SECRETS PGHOST PGPORT LOG_LINES SITE_ID ' +
    'SITE_PORT SITE_SERVICE_HOST BASE_URL APP_URL HTTP_PROXY NO_PROXY MAIL_PORT AWS_REGION XDG_DATA_DIRS DATABASE_HOST';
  expect(() => parseConfig(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).not.toThrow();
});

test('the .env file may hold other names, which are reported, but no misspelt ones', () => {
  const former = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'sotto-config-'));
  try {
    process.chdir(folder);
    writeFileSync('.env', 'POSTGRES_PASSWORD=x\nSITE_NAME=Owl\n');
    expect(readConfig()).toMatchObject({ siteName: 'Owl', unknownSettings: ['POSTGRES_PASSWORD'] });
    writeFileSync('.env', 'SITE_ULR=https://owl.example\n');
    expect(readConfig).toThrow('did you mean SITE_URL?');
  } finally {
    process.chdir(former);
    rmSync(folder, { recursive: true });
    for (const name of ['POSTGRES_PASSWORD', 'SITE_NAME', 'SITE_ULR']) delete process.env[name];
  }
});

test.each([
  ['p@ss', '@', '%40'],
  ['p/ss', '/', '%2F'],
  ['p?ss', '?', '%3F'],
  ['p#ss', '#', '%23'],
  ['p[ss', '[', '%5B'],
  ['p%ss', '%', '%25'],
])('the password %s in DATABASE_URL gets an error that says what to encode', (password, character, code) => {
  expect(() => parseConfig({ DATABASE_URL: `postgres://sotto:${password}@db.example:5432/sotto` })).toThrow(
    new ConfigError(
      `the setting DATABASE_URL is wrong: its user name or password holds ${character}, which has a meaning in addresses; write ${code} instead`,
    ),
  );
  const encoded = `postgres://sotto:${password.replace(character, code)}@db.example:5432/sotto`;
  expect(parseConfig({ DATABASE_URL: encoded, SECRET: 'x'.repeat(32) }).databaseUrl).toBe(encoded);
});

test.each([
  'postgres://sotto@db.example/sotto',
  'postgres:///sotto?host=/var/run/postgresql',
  'postgres://sotto:secret@/sotto?host=/var/run/postgresql',
  'postgres://db.example/sotto?user=a@b',
])('DATABASE_URL may be %s', (url) => {
  expect(parseConfig({ DATABASE_URL: url, SECRET: 'x'.repeat(32) }).databaseUrl).toBe(url);
});

test('a MAIL_URL with a password that is not encoded is refused', () => {
  for (const url of ['smtp://:::', 'smtp://sotto:p/ss@mail.example', 'smtp://sotto:p#ss@mail.example:587'])
    expect(() => parseConfig({ MAIL_URL: url })).toThrow(/MAIL_URL is wrong: .* as %2F %3F %23 and %40/);
});

test('a DATABASE_URL cut at a # by the .env file is refused', () => {
  expect(() => parseConfig({ DATABASE_URL: 'postgres://sotto:p' })).toThrow(/must look like .* as %2F %3F %23 and %40/);
});

test.each([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?a=b&sslmode=prefer&c=d', '?a=b&sslmode=verify-full&c=d'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
])('%s of a database means to pg what it says: %s', (given, meant) => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const { databaseUrl = '' } = parseConfig({
    DATABASE_URL: `postgres://u:sslmode=require@h/n${given}`,
    SECRET: 'x'.repeat(32),
  });
  expect(databaseUrl).toBe(`postgres://u:sslmode=require@h/n${meant}`);
  const quiet = new pg.Client(databaseUrl) as unknown as { ssl: unknown };
  expect(warned).not.toHaveBeenCalled();
  expect(quiet.ssl).toEqual((new pg.Client(`postgres://u:p@h/n${given}`) as unknown as { ssl: unknown }).ssl);
  warned.mockRestore();
});

test('the demo is loaded on loopback only, unless it is asked for', () => {
  const publicly = { SITE_URL: 'https://sotto.example' };
  expect(parseConfig(publicly).demo).toBe(false);
  expect(parseConfig({ ...publicly, DEMO: 'true' }).demo).toBe(true);
  expect(parseConfig({ SITE_URL: 'http://localhost:3000' }).demo).toBe(true);
  expect(parseConfig({ DEMO: 'false' }).demo).toBe(false);
});

test('former addresses are others than the present one', () => {
  const site = { SITE_URL: 'https://sotto.example' };
  expect(parseConfig({ ...site, OLD_SITE_URLS: 'https://a.example,http://b.example ' }).oldSiteUrls).toEqual([
    'https://a.example',
    'http://b.example',
  ]);
  expect(() => parseConfig({ ...site, OLD_SITE_URLS: 'http://sotto.example' })).toThrow(
    /is the host of SITE_URL itself/,
  );
  expect(() => parseConfig({ ...site, OLD_SITE_URLS: 'a.example' })).toThrow(
    /OLD_SITE_URLS is wrong: must be an address/,
  );
});

test('a site that others can reach must know its own address', () => {
  expect(() => parseConfig({ HOST: '0.0.0.0' })).toThrow(/SITE_URL is missing/);
  expect(parseConfig({ HOST: '0.0.0.0', SITE_URL: 'https://sotto.example' }).siteUrl).toBe('https://sotto.example');
});

test('processes that share a database must share a secret', () => {
  const shared = { DATABASE_URL: 'postgres://h/n', DATA_DIR: '/srv/sotto' };
  expect(() => parseConfig(shared)).toThrow(
    /^the setting SECRET is missing: .* keeps its own in \/srv\/sotto\/secret$/,
  );
  expect(parseConfig({ ...shared, SECRET: 'x'.repeat(32) }).secret).toBe('x'.repeat(32));
  expect(parseConfig({}).secret).toBeUndefined();
});

const key = Buffer.alloc(32, 255);

test.each([key.toString('base64'), key.toString('base64').replace('=', ''), key.toString('hex')])(
  'the transport key %s is 32 bytes',
  (text) => {
    expect(parseConfig({ TRANSPORT_KEY: text }).transportKey).toBe(key.toString('base64'));
  },
);

test.each(['secret', key.subarray(1).toString('base64'), key.subarray(1).toString('hex'), `${'A'.repeat(42)}!=`])(
  'the transport key %s is invalid',
  (text) => {
    expect(() => parseConfig({ TRANSPORT_KEY: text })).toThrow(/^the setting TRANSPORT_KEY is wrong: must be 32 bytes/);
  },
);

const firebase = {
  FIREBASE_PROJECT_ID: 'my-sotto',
  FIREBASE_API_KEY: 'AIzaSy-key_1',
  FIREBASE_AUTH_DOMAIN: 'my-sotto.firebaseapp.com',
};

test('Firebase is the provider when its project is named, whole', () => {
  expect(parseConfig({}).firebase).toBeUndefined();
  expect(parseConfig(firebase).firebase).toEqual({
    projectId: 'my-sotto',
    apiKey: 'AIzaSy-key_1',
    authDomain: 'my-sotto.firebaseapp.com',
    emulatorHost: undefined,
  });
  expect(() => parseConfig({ FIREBASE_PROJECT_ID: 'my-sotto' })).toThrow(
    new ConfigError('for Firebase, FIREBASE_API_KEY and FIREBASE_AUTH_DOMAIN are missing'),
  );
  expect(() => parseConfig({ ...firebase, FIREBASE_API_KEY: '' })).toThrow(
    new ConfigError('for Firebase, FIREBASE_API_KEY is missing'),
  );
  // The value becomes part of the pages' policy.
  expect(() => parseConfig({ ...firebase, FIREBASE_AUTH_DOMAIN: "x.example; script-src 'unsafe-inline'" })).toThrow(
    /FIREBASE_AUTH_DOMAIN is wrong/,
  );
});

test('the emulator, whose tokens anyone can make, is for a site on this machine alone', () => {
  const emulated = { ...firebase, FIREBASE_EMULATOR_HOST: '127.0.0.1:9099' };
  expect(parseConfig(emulated).firebase?.emulatorHost).toBe('127.0.0.1:9099');
  expect(parseConfig({ ...emulated, SITE_URL: 'http://localhost:3000' }).firebase?.emulatorHost).toBeDefined();
  const refused = /^the setting FIREBASE_EMULATOR_HOST is for a site on this machine alone/;
  expect(() => parseConfig({ ...emulated, SITE_URL: 'https://sotto.example' })).toThrow(refused);
  expect(() => parseConfig({ ...emulated, SITE_URL: 'http://127.evil.example' })).toThrow(refused);
  expect(() => parseConfig({ ...emulated, HOST: '0.0.0.0', SITE_URL: 'http://localhost:3000' })).toThrow(refused);
});

test('Algolia is the index when its application is named, whole', () => {
  expect(parseConfig({}).algolia).toBeUndefined();
  const algolia = { ALGOLIA_APP_ID: 'BH4D9OD16A', ALGOLIA_API_KEY: '0123456789abcdef' };
  expect(parseConfig(algolia).algolia).toEqual({ appId: 'BH4D9OD16A', apiKey: '0123456789abcdef', prefix: 'sotto' });
  expect(parseConfig({ ...algolia, ALGOLIA_INDEX_PREFIX: 'night' }).algolia?.prefix).toBe('night');
  const halves = new ConfigError('ALGOLIA_APP_ID and ALGOLIA_API_KEY belong together; one of them is missing');
  expect(() => parseConfig({ ...algolia, ALGOLIA_API_KEY: '' })).toThrow(halves);
  expect(() => parseConfig({ ...algolia, ALGOLIA_APP_ID: '' })).toThrow(halves);
  expect(() => parseConfig({ ...algolia, ALGOLIA_APP_ID: 'evil.example/' })).toThrow(
    /^the setting ALGOLIA_APP_ID is wrong/,
  );
});

const storage = {
  S3_BUCKET: 'sotto-files',
  S3_ENDPOINT: 'https://storage.example/',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'very/secret+',
};

test('files are in object storage when its bucket is named, whole', () => {
  expect(parseConfig({}).storage).toBeUndefined();
  expect(parseConfig({ MEDIA_REDIRECT: 'false' }).storage).toBeUndefined();
  expect(parseConfig(storage).storage).toEqual({
    bucket: 'sotto-files',
    endpoint: 'https://storage.example',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'very/secret+',
    publicUrl: undefined,
    redirect: true,
  });
  const amazon = { ...storage, S3_ENDPOINT: '', S3_REGION: 'eu-central-1', MEDIA_REDIRECT: 'false' };
  expect(parseConfig(amazon).storage).toMatchObject({ endpoint: undefined, region: 'eu-central-1', redirect: false });
});

test.each([
  [{ S3_BUCKET: 'x', S3_REGION: '' }, 'the setting S3_BUCKET is wrong: must be the name of a bucket'],
  [{ S3_BUCKET: '' }, 'for files in S3, S3_BUCKET is missing'],
  [{ S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are missing'],
  [{ S3_ENDPOINT: '' }, 'for files in S3, S3_REGION is missing'],
  [{ S3_ENDPOINT: 'https://storage.example/sotto' }, 'S3_ENDPOINT is wrong: must be an address without a path'],
  [{ S3_ENDPOINT: 'https://key:secret@storage.example' }, 'S3_ENDPOINT is wrong: must be an address without a path'],
  [{ S3_SECRET_ACCESS_KEY: 'two words' }, 'the setting S3_SECRET_ACCESS_KEY is wrong: must be one word'],
  [
    { S3_ENDPOINT: 'http://10.0.0.1:9000', SITE_URL: 'https://sotto.example' },
    'listeners of an https site cannot load sound from http://10.0.0.1:9000: set S3_PUBLIC_URL to an https address',
  ],
])('object storage with %j is refused, without the secret', (wrong, reason) => {
  const parse = () => parseConfig({ ...storage, ...wrong });
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow(reason);
  expect(parse).not.toThrow(/very\/secret|two words/);
});

test('an https site may keep files in a storage of its own network', () => {
  const near = { ...storage, S3_ENDPOINT: 'http://10.0.0.1:9000', SITE_URL: 'https://sotto.example' };
  expect(parseConfig({ ...near, MEDIA_REDIRECT: 'false' }).storage).toMatchObject({ redirect: false });
  const { storage: public_ } = parseConfig({ ...near, S3_PUBLIC_URL: 'https://cdn.sotto.example' });
  expect(public_).toMatchObject({ endpoint: 'http://10.0.0.1:9000', publicUrl: 'https://cdn.sotto.example' });
});

test.each([
  [{}, '"Sotto" <no-reply@127.0.0.1>'],
  [{ SITE_NAME: 'Night "Owl"', SITE_URL: 'https://owl.example' }, '"Night \\"Owl\\"" <no-reply@owl.example>'],
  [{ MAIL_FROM: 'hello@owl.example' }, '"Sotto" <hello@owl.example>'],
  [{ MAIL_FROM: 'Owl <hello@owl.example>' }, 'Owl <hello@owl.example>'],
])('mails with %j come from %s', (settings, from) => {
  const { mail, siteName } = parseConfig(settings);
  expect(senderOf(mail, siteName)).toBe(from);
});

test('.env.example names every setting, with its default', () => {
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  const named = Object.fromEntries(
    [...example.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(Object.keys(named).toSorted()).toEqual(settingNames.toSorted());
  expect(parseConfig(named)).toEqual(parseConfig({}));
});

test.each(Object.entries(writeSettingFiles()))('%s is what `npm run settings` writes', (path, text) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text);
});
