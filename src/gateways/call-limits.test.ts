/** @module-tag slow */
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '#config';
import { createBackup } from '#db/backup.ts';
import { listenForChanges } from '#db/changes.ts';
import { openDatabase } from '#db/database.ts';
import { checkResponses } from '#db/embedded/launch.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { openReplica } from '#db/read-replica.ts';
import { outageOf } from '#domain/kernel/database/outages.ts';
import { allowLongStatements } from '#domain/kernel/db.ts';
import { openAlgoliaIndex } from '#gateways/algolia/algolia-index.ts';
import { openBuiltInIdentity } from '#gateways/built-in-identity/built-in-identity.ts';
import { socialConfig } from '#gateways/built-in-identity/social.ts';
import { probeSite } from '#http/site-probe.ts';
import { startAlgoliaServer } from '#test/support/servers/algolia-server.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUser } from '#test/support/factories.ts';
import { reportInto } from '#test/support/findings.ts';
import { startMailServer } from '#test/support/servers/mail-server.ts';
import { type Silence, type SilentPeer, openSilentPeer, shortenCallLimits } from '#test/support/servers/silent-peer.ts';
import { checkMail } from '#doctor/mail.ts';
import { checkSite } from '#doctor/network.ts';
import type { Report } from '#doctor/report.ts';
import { checkSignIn } from '#doctor/sign-in.ts';
import { openJobs } from '../jobs/open-jobs.ts';
import { callLimits } from './call-limits.ts';
import { openDiskBlobs } from './disk-blobs.ts';
import { openFeedHub } from './feed-hub.ts';
import { openSpeech } from './speech.ts';
import { openFirebaseIdentity } from './firebase-identity.ts';
import { openMail } from './mail.ts';
import { openOpenIdProvider } from './openid-provider.ts';
import { openS3Blobs } from './s3-blobs.ts';
import { openS3IncomingFiles } from './s3-incoming-files.ts';
import { openSegmentEvents } from './segment/segment-events.ts';
import { openStripePayments } from './stripe/stripe-payments.ts';
import { timedFetch } from './timed-fetch.ts';
import { openVerotel } from './verotel/verotel.ts';
import { openWeb } from './web/open-web.ts';
import { openWebPush } from './web-push.ts';

const { db, url: databaseUrl } = await createTestDatabase();
const scratch = await mkdtemp(join(tmpdir(), 'sotto-silent-'));
const full = structuredClone(callLimits);
type Limits = typeof callLimits;

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

async function serve(listener: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(listener);
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n';
const trickle = { text: ' ', everyMs: 10 };
/** Silent from the start, after the head of its answer, and never quite. */
const httpSilences: Record<string, Silence> = {
  silent: {},
  'silent after a head': { beginning: head },
  'a byte now and then': { beginning: head, trickle },
  'a head that never ends': { beginning: 'HTTP/1.1 200 OK\r\n', trickle: { ...trickle, text: 'x: y\r\n' } },
};
/** For calls whose answer is whole with its head. */
const headSilences = { silent: {}, 'a head that never ends': httpSilences['a head that never ends'] as Silence };
/** PostgreSQL that lets anyone in (protocol: AuthenticationOk, ReadyForQuery). */
const opened = 'R\0\0\0\u0008\0\0\0\0Z\0\0\0\u0005I';

type Case = {
  silences?: Record<string, Silence>;
  /** Before the limits are shortened. @returns the call */
  open(peer: SilentPeer): (() => Promise<unknown>) | Promise<() => Promise<unknown>>;
  /** The caller's result, or error. */
  gets: unknown;
  /** Milliseconds after which it ends. */
  after(limits: Limits): number;
  /** Nothing is lost: once the peer answers, the call succeeds. */
  later?(peer: SilentPeer): Promise<void>;
};

const away = { code: 'server/unavailable' };
/** Machines that somebody else names. */
const foreignCases = (
  name: 'foreign' | 'foreignFile',
  call: (web: ReturnType<typeof openWeb>, address: string) => Promise<unknown>,
): Case[] => {
  const open = ({ host, port }: SilentPeer) => {
    const web = openWeb({ isPublic: () => true, ports: [String(port)] });
    closers.push(web.close);
    return () => call(web, `http://${host}/`);
  };
  const gets = { reason: 'unreachable' };
  const {
    'silent after a head': silentAfterHead = {},
    'a byte now and then': trickling = {},
    ...headless
  } = httpSilences;
  return [
    { silences: headless, open, gets, after: (limits) => limits[name].answerMs },
    { silences: { 'silent after a head': silentAfterHead }, open, gets, after: (limits) => limits[name].silenceMs },
    // An hour would be too long for a test; the call is the same.
    ...(name === 'foreign'
      ? [
          {
            silences: { 'a byte now and then': trickling },
            open,
            gets,
            after: (limits: Limits) => limits[name].wholeMs,
          },
        ]
      : []),
  ];
};
const storageAt = ({ host }: SilentPeer) => ({
  bucket: 'sotto',
  endpoint: `http://${host}`,
  region: 'us-east-1',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
  publicUrl: undefined,
  redirect: false,
});
const postgresAt = ({ host }: SilentPeer) => `postgresql://sotto@${host}/sotto`;
const findingsOf = async (check: (report: Report) => Promise<void>) => {
  const findings: string[] = [];
  await check(reportInto(findings));
  return findings;
};
const openSocial = (social: Parameters<typeof openBuiltInIdentity>[0]['social']) =>
  openBuiltInIdentity({
    db,
    secret: 'a secret of this test that has more than 32 characters',
    siteUrl: 'https://sotto.example',
    siteName: () => 'Sotto',
    takesAnswers: false,
    mail: { send: async () => undefined, purge: async () => undefined },
    social,
    log: { warn: () => undefined, debug: () => undefined },
    onPasswordChanged: async () => undefined,
  });
const facebookAt = ({ host }: SilentPeer) => ({
  facebook: {
    clientId: 'id',
    clientSecret: 'secret',
    tokenUrl: `http://${host}/token`,
    userInfoUrl: `http://${host}/me`,
  },
});
const locationOf = (answer: Response) => answer.headers.get('location');
const openMailAt = ({ host }: SilentPeer) =>
  openMail({
    url: `smtp://${host}?tls=none`,
    from: () => 'site@sotto.example',
    db,
    log: { warn: () => undefined },
  });
const mailTo = ({ port }: SilentPeer) => ({ to: `to-${port}@sotto.example`, subject: 'Hello', text: 'x', html: 'x' });
const pushTo = ({ host }: SilentPeer) => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const gateway = openWebPush({
    secret: 's'.repeat(32),
    contact: 'mailto:a@b.example',
    moreServices: [`http://${host}`],
  });
  return gateway.send({ endpoint: `http://${host}/device`, ...keys }, { payload: '{}', topic: 't', ttlSeconds: 60 });
};
const algoliaHost = ({ port }: SilentPeer) =>
  ({ url: '127.0.0.1', port, accept: 'readWrite', protocol: 'http' }) as const;
const algoliaAt = (peer: SilentPeer, onError: (error: unknown) => void, hosts = 1) =>
  openAlgoliaIndex({
    appId: 'TESTAPP',
    apiKey: 'testkey1',
    prefix: `to${peer.port}`,
    db,
    onError,
    hosts: Array.from({ length: hosts }, () => algoliaHost(peer)),
  });

/** To connect, and once the connection is open. */
const postgresCases = (
  name: 'database' | 'databaseReplica' | 'databaseChanges' | 'databaseJobs',
  one: Pick<Case, 'open' | 'gets'>,
): Case[] => [
  { ...one, after: (limits) => limits[name].connectMs },
  {
    ...one,
    silences: { 'silent once it is open': { beginning: opened } },
    after: (limits) => limits[name].answerMs,
  },
];

const stripeCall = {
  open: (peer: SilentPeer) => () =>
    openStripePayments({
      apiKey: 'sk_test_silent',
      webhookSecret: 'whsec',
      connection: { host: '127.0.0.1', port: peer.port, protocol: 'http' },
      siteName: () => 'Sotto',
    }).listPromoCodes(),
  gets: { code: 'payment/unavailable' },
};

const cases: Record<keyof Limits, Case[]> = {
  stripe: [
    {
      silences: headSilences,
      ...stripeCall,
      after: ({ stripe }) => stripe.answerMs * stripe.attempts,
    },
    {
      // A peer that has begun to answer is not asked again.
      silences: {
        'silent after a head': { beginning: head },
        'a byte now and then': { beginning: head, trickle },
      },
      ...stripeCall,
      after: ({ stripe }) => stripe.answerMs,
    },
  ],
  hostedPayments: [
    {
      silences: httpSilences,
      open:
        ({ host }) =>
        () =>
          openVerotel({ shopId: '1', signatureKey: 'key', baseUrl: `http://${host}` }).askAbout({
            reference: '',
            saleId: '1',
          }),
      gets: { code: 'payment/unavailable' },
      after: ({ hostedPayments }) => hostedPayments.answerMs,
    },
  ],
  mail: (
    [
      [{}, ({ mail }) => mail.connectMs],
      [{ greeting: '220 mail.example\r\n' }, ({ mail }) => mail.silenceMs],
      [
        { greeting: '220 mail.example\r\n', trickle: { text: '250-still here\r\n', everyMs: 10 } },
        ({ mail }) => mail.wholeMs,
      ],
    ] satisfies [Silence, Case['after']][]
  ).map(([silence, after]) => ({
    silences: { [Object.keys(silence).join(' and ') || 'silent']: silence },
    open: async (peer) => {
      const gateway = await openMailAt(peer);
      await gateway.close();
      return async () => {
        const mail = await openMailAt(peer);
        await mail.send(mailTo(peer));
        const kept = (await mail.list()).filter(({ to }) => to === mailTo(peer).to);
        await mail.close();
        return kept;
      };
    },
    gets: [{ reason: expect.any(String) }],
    after,
    async later(peer) {
      const server = await startMailServer();
      closers.push(server.close);
      peer.answerBy(Number(new URL(server.url).port));
      const mail = await openMailAt(peer);
      const kept = (await mail.list()).find(({ to }) => to === mailTo(peer).to);
      expect(await mail.retry(kept?.name ?? '')).toBe('sent');
      expect(server.arrived).toMatchObject([{ to: mailTo(peer).to, subject: 'Hello' }]);
      await mail.close();
    },
  })),
  storage: [
    ...(['stat', 'remove', 'list', 'read'] as const).map((act): Case => ({
      silences: act === 'stat' || act === 'read' ? headSilences : httpSilences,
      open: (peer) => async () => {
        const blobs = await openS3Blobs(storageAt(peer));
        if (act === 'list') return blobs.list('')[Symbol.asyncIterator]().next();
        if (act === 'read') return blobs.remote?.open('audio/one.mp3', { start: 0, end: 9 });
        return blobs[act]('audio/one.mp3');
      },
      gets: away,
      after: ({ storage }) => storage.wholeMs,
    })),
    {
      silences: headSilences,
      open: (peer) => async () => {
        const blobs = await openS3Blobs(storageAt(peer));
        return openS3IncomingFiles({ ...storageAt(peer), blobs }).received('019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b');
      },
      gets: away,
      after: ({ storage }) => storage.wholeMs,
    },
  ],
  storageReading: [
    {
      silences: { 'silent within a file': { beginning: head } },
      open: async (peer) => {
        const blobs = await openS3Blobs(storageAt(peer));
        const part = await blobs.remote?.open('audio/one.mp3', { start: 0, end: 99_999 });
        return () => new Response(part?.body).arrayBuffer();
      },
      gets: away,
      after: ({ storageReading }) => storageReading.silenceMs * storageReading.attempts,
    },
  ],
  storageUpload: [
    {
      silences: { silent: {}, 'silent after a head': { beginning: head } },
      open: (peer) => async () => (await openS3Blobs(storageAt(peer))).write('audio/one.mp3', Buffer.from('sound')),
      gets: away,
      after: ({ storageUpload }) => storageUpload.silenceMs * storageUpload.attempts,
    },
  ],
  firebase: [
    {
      silences: httpSilences,
      open: (peer) => () =>
        openFirebaseIdentity({ projectId: 'p', apiKey: 'key', emulatorHost: peer.host }).hasPassword({
          subject: 'x',
          email: 'a@b.example',
        }),
      gets: away,
      after: ({ firebase }) => firebase.answerMs,
    },
    {
      silences: httpSilences,
      // Google's keys have one address, so the request goes elsewhere.
      open: (peer) => () =>
        openFirebaseIdentity({
          projectId: 'p',
          apiKey: 'key',
          fetch: (_address, init) => timedFetch(`http://${peer.host}/keys`, init),
        }).verifyIdToken('eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.YQ'),
      gets: away,
      after: ({ firebase }) => firebase.answerMs,
    },
  ],
  socialDiscovery: [
    {
      silences: httpSilences,
      open: async (peer) => {
        const issuer = `http://${peer.host}`;
        const identity = await openSocial({ google: { clientId: 'id', clientSecret: 'secret', issuer } });
        return async () =>
          locationOf(await identity.handle(new Request('https://sotto.example/identity/start?provider=google')));
      },
      gets: 'https://sotto.example/identity/done?error=unavailable',
      after: ({ socialDiscovery }) => socialDiscovery.answerMs,
    },
  ],
  social: [
    {
      silences: httpSilences,
      open: async (peer) => {
        const identity = await openSocial(facebookAt(peer));
        const started = await identity.handle(new Request('https://sotto.example/identity/start?provider=facebook'));
        const state = new URL(locationOf(started) ?? '').searchParams.get('state');
        const cookie = started.headers
          .getSetCookie()
          .map((one) => one.split(';')[0])
          .join('; ');
        const address = `https://sotto.example/identity/callback/facebook?code=x&state=${state}`;
        return async () => locationOf(await identity.handle(new Request(address, { headers: { cookie } })));
      },
      gets: 'https://sotto.example/identity/done?error=unavailable',
      after: ({ social }) => social.wholeMs,
    },
  ],
  facebookAccount: [
    {
      silences: httpSilences,
      open: (peer) => async () => socialConfig('facebook', facebookAt(peer))?.getUserInfo?.({ accessToken: 'x' }),
      gets: { code: 'ETIMEDOUT' },
      after: ({ facebookAccount }) => facebookAccount.answerMs,
    },
  ],
  openId: [
    {
      silences: httpSilences,
      open({ host }) {
        const issuer = `http://${host}`;
        const provider = openOpenIdProvider({ issuer, clientId: 'id', clientSecret: 'secret', scope: 'openid' });
        const returnTo = 'https://sotto.example/age/return';
        return () => provider.begin({ returnTo, state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) });
      },
      gets: undefined,
      after: ({ openId }) => openId.answerMs,
    },
  ],
  push: [
    {
      silences: httpSilences,
      open: (peer) => () => pushTo(peer),
      gets: { is: 'later' },
      after: ({ push }) => push.answerMs,
      async later(peer) {
        peer.answerBy(await serve((_request, response) => void response.writeHead(201).end()));
        expect(await pushTo(peer)).toEqual({ is: 'sent' });
      },
    },
  ],
  speech: [
    {
      silences: httpSilences,
      open:
        ({ host }) =>
        () =>
          openSpeech({ url: `http://${host}`, key: undefined, model: 'm' }).transcribe(import.meta.filename, 'en'),
      gets: { code: 'ETIMEDOUT' },
      after: ({ speech }) => speech.answerMs,
    },
  ],
  foreign: foreignCases('foreign', (web, address) => web.read(address, { bytes: 1_000_000 })),
  foreignFile: foreignCases('foreignFile', (web, address) =>
    web.download(address, { bytes: 1_000_000 }, async () => 0),
  ),
  feedHub: [
    {
      silences: httpSilences,
      open:
        ({ host }) =>
        () =>
          openFeedHub(`http://${host}/`).publish(['https://sotto.example/blog/feed.xml']),
      gets: { code: 'ETIMEDOUT' },
      after: ({ feedHub }) => feedHub.answerMs,
    },
  ],
  segment: [
    {
      open: (peer) => async () => {
        const { promise, resolve } = Promise.withResolvers<number>();
        const forwarder = openSegmentEvents({ writeKey: 'key', host: `http://${peer.host}`, onLost: resolve });
        forwarder.identify({ id: 'user', email: null });
        return { lost: await promise };
      },
      gets: { lost: 1 },
      after: ({ segment }) => segment.answerMs * segment.attempts,
    },
  ],
  algolia: [
    {
      silences: httpSilences,
      open: (peer) => () =>
        algoliaAt(peer, () => undefined, 4).find({
          term: 'a',
          ranges: {},
          hidden: { userIds: [], voiceIds: [], audioIds: [], tagIds: [] },
          onlyFree: false,
        }),
      gets: away,
      after: ({ algolia }) => algolia.wholeMs,
    },
  ],
  algoliaChanges: [
    {
      silences: httpSilences,
      open: (peer) => async () => {
        const errors: unknown[] = [];
        await algoliaAt(peer, (error) => void errors.push(error)).catchUp();
        return errors;
      },
      gets: [expect.objectContaining({ name: 'RetryError' })],
      after: ({ algoliaChanges }) => algoliaChanges.answerMs,
      async later(peer) {
        const server = await startAlgoliaServer();
        closers.push(server.close);
        peer.answerBy(server.options.hosts[0]?.port ?? 0);
        const errors: unknown[] = [];
        await algoliaAt(peer, (error) => void errors.push(error)).catchUp();
        expect(errors).toEqual([]);
        expect(server.requests.map(({ operation }) => operation)).toContain('operationIndex');
      },
    },
  ],
  database: postgresCases('database', {
    open: (peer: SilentPeer) => async () => {
      const database = openDatabase({ url: postgresAt(peer), poolSize: 1 });
      closers.push(database.close);
      return outageOf(await database.pool.query('select 1').catch((error: unknown) => error)) !== undefined;
    },
    gets: true,
  }),
  databaseLong: [
    {
      open: () => async () => {
        const act = db.transaction(async (tx) => {
          await allowLongStatements(tx);
          await tx.execute(sql`select pg_sleep(20)`);
        });
        return outageOf(await act.catch((error: unknown) => error)) !== undefined;
      },
      gets: true,
      after: ({ databaseLong }) => databaseLong.answerMs,
    },
  ],
  databaseCheck: [
    {
      silences: { 'silent once it is open': { beginning: opened } },
      open: (peer) => async () => {
        const database = openDatabase({ url: postgresAt(peer), poolSize: 1 });
        closers.push(database.close);
        return outageOf(await database.ping().catch((error: unknown) => error)) !== undefined;
      },
      gets: true,
      after: ({ databaseCheck }) => databaseCheck.answerMs,
    },
  ],
  databaseReplica: postgresCases('databaseReplica', {
    open: async (peer: SilentPeer) => {
      // Its own connection, ready before: the other cases use those of the test.
      const primary = openDatabase({ url: databaseUrl, poolSize: 1 });
      closers.push(primary.close);
      await primary.ping();
      return async () => {
        const url = postgresAt(peer);
        const replica = openReplica({ url, poolSize: 1, onError: undefined, Client: pg.Client });
        closers.push(replica.close);
        const { rows } = await replica.fromReplica(() => replica.withReplica(primary.pool).query('select 1 as one'));
        return rows;
      };
    },
    gets: [{ one: 1 }],
  }),
  databaseChanges: postgresCases('databaseChanges', {
    open: (peer: SilentPeer) => async () => {
      const listening = listenForChanges({ url: postgresAt(peer), onChange: () => {}, onError: () => {} });
      return outageOf(await listening.catch((error: unknown) => error)) !== undefined;
    },
    gets: true,
  }),
  databaseCommand: [
    {
      open: (peer) => () => migrateDatabase({ directUrl: postgresAt(peer) }),
      gets: { message: expect.stringContaining('the database cannot be reached at its direct address') },
      after: ({ databaseCommand }) => databaseCommand.connectMs,
    },
    {
      open: (peer) => async () =>
        createBackup({
          url: postgresAt(peer),
          blobs: await openDiskBlobs({ dir: join(scratch, 'blobs') }),
          folder: join(scratch, 'backup'),
          siteVersion: '1',
          now: new Date(),
        }),
      gets: { message: expect.stringMatching(/timeout/) },
      after: ({ databaseCommand }) => databaseCommand.connectMs,
    },
  ],
  databaseJobs: postgresCases('databaseJobs', {
    open: (peer: SilentPeer) => async () => {
      const failed = Promise.withResolvers<unknown>();
      const log = { info: () => {}, warn: failed.resolve, error: failed.resolve };
      const jobs = openJobs({ connectionString: postgresAt(peer), log, jobs: () => [] });
      closers.push(jobs.close);
      return failed.promise;
    },
    gets: { reason: expect.stringMatching(/timeout/) },
  }),
  databaseStart: [
    {
      open: (peer) => () => checkResponses(postgresAt(peer)),
      gets: { message: expect.stringMatching(/timeout/) },
      after: ({ databaseStart }) => databaseStart.connectMs,
    },
  ],
  doctorPort: [
    {
      silences: httpSilences,
      open: (peer) => () => {
        const config = parseConfig({ HOST: '127.0.0.1', PORT: String(peer.port), SITE_URL: 'http://127.0.0.1:9' });
        return findingsOf((report) => checkSite(config, report));
      },
      gets: [expect.stringContaining('something listens on')],
      after: ({ doctorPort }) => doctorPort.answerMs,
    },
  ],
  doctor: [
    {
      silences: httpSilences,
      open: (peer) => () => probeSite(`http://${peer.host}`, 's'.repeat(32)),
      gets: { code: 'ETIMEDOUT' },
      after: ({ doctor }) => doctor.answerMs,
    },
    {
      silences: { silent: {}, 'a greeting that never ends': { greeting: '220-', trickle } },
      open: (peer) => () =>
        findingsOf((report) =>
          checkMail(parseConfig({ DATA_DIR: scratch, MAIL_URL: `smtp://${peer.host}?tls=none` }), report),
        ),
      gets: [expect.stringContaining('cannot be used')],
      after: ({ doctor }) => doctor.answerMs,
    },
    {
      silences: httpSilences,
      open: (peer) => () => {
        const config = parseConfig({
          FIREBASE_PROJECT_ID: 'my-sotto',
          FIREBASE_API_KEY: 'key',
          FIREBASE_AUTH_DOMAIN: 'my-sotto.firebaseapp.com',
          FIREBASE_EMULATOR_HOST: peer.host,
          HOST: '127.0.0.1',
        });
        return findingsOf((report) => checkSignIn(config, report));
      },
      gets: [expect.stringContaining('Firebase cannot be reached (ETIMEDOUT)')],
      after: ({ doctor }) => doctor.answerMs,
    },
  ],
};
const rows = Object.entries(cases).flatMap(([name, list]) =>
  list.flatMap((one, index) =>
    Object.entries(one.silences ?? { silent: {} }).map(([silence, bytes]) => ({
      title: `${name} ${index + 1}, ${silence}`,
      bytes,
      ...one,
    })),
  ),
);
type Outcome = { peer: SilentPeer; got: unknown; tookMs: number; minMs: number };
const outcomes = new Map<string, Outcome>();

describe('a peer that accepts and is silent', () => {
  // Some at once, because they only wait.
  beforeAll(async () => {
    await createUser(db);
    // The first call of each loads its code, which takes longer than the shortened limits.
    await Promise.all(
      rows.map(async (row) => {
        const peer = await openSilentPeer(row.bytes);
        closers.push(peer.close);
        const first = Promise.resolve(row.open(peer)).then((call) => {
          peer.refuse(true);
          return call();
        });
        const max = new Promise((resolve) => setTimeout(resolve, 3000).unref());
        await Promise.race([first.catch(() => undefined), max]);
      }),
    );
    const ready = await Promise.all(
      rows.map(async (row) => {
        const peer = await openSilentPeer(row.bytes);
        closers.push(peer.close);
        return { ...row, peer, call: await row.open(peer) };
      }),
    );
    const restore = shortenCallLimits(8);
    const run = async ({ title, peer, call, after }: (typeof ready)[number]) => {
      const startedAt = performance.now();
      const max = new Promise((resolve) => setTimeout(resolve, after(full), 'too late').unref());
      const got = await Promise.race([
        Promise.resolve()
          .then(call)
          .catch((error: unknown) => error),
        max,
      ]);
      outcomes.set(title, { peer, got, tookMs: performance.now() - startedAt, minMs: after(callLimits) });
    };
    // The start of so many takes as long as the shortest limits.
    const isShort = ({ after }: (typeof ready)[number]) => after(full) <= 5000;
    try {
      const long = ready.filter((one) => !isShort(one));
      while (long.length > 0) await Promise.all(long.splice(0, 8).map(run));
      for (const one of ready.filter(isShort)) await run(one);
    } finally {
      restore();
    }
  }, 120_000);

  test.each(rows)('$title: ends within its limit, is told, and nothing is lost', async ({ title, gets, later }) => {
    const { peer, got, tookMs, minMs } = outcomes.get(title) as Outcome;
    if (typeof gets === 'object') expect(got).toMatchObject(gets as object);
    else expect(got).toBe(gets);
    // Not at once, by another failure; three attempts may end a little before the limit of the whole call.
    expect(tookMs).toBeGreaterThan(0.8 * minMs);
    await later?.(peer);
  });
});
