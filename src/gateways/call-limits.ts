type CallLimit = {
  /** The peer, as docs/time-limits.md names it. */
  what: string;
  /** Milliseconds until the connection can be used. */
  connectMs?: number;
  /** Milliseconds for an answer. */
  answerMs?: number;
  /** Milliseconds without a byte. */
  silenceMs?: number;
  /** Milliseconds for the whole call, with its retries. */
  wholeMs?: number;
  /** With the first one. */
  attempts?: number;
  /** The caller's next step when the limit is over. */
  outcome: string;
};

/**
 * Limits of every call that the site makes of another machine. What opens a connection takes its figures from here with
 * each call; docs/time-limits.md shows them, and call-limits.test.ts lets each peer fall silent.
 */
export const callLimits = {
  stripe: {
    what: 'Stripe',
    answerMs: 8000,
    attempts: 3,
    outcome: 'the act is refused, or stays pending and a job completes it; all attempts use one key',
  },
  hostedPayments: {
    what: 'Verotel, CCBill, BTCPay Server',
    answerMs: 8000,
    outcome: 'the act is refused; a postback is answered with 503 and comes again; a job asks again',
  },
  mail: {
    what: 'mail server',
    connectMs: 10_000,
    silenceMs: 20_000,
    wholeMs: 30_000,
    outcome: 'the email waits in the database and is sent later',
  },
  storage: {
    what: 'object storage',
    connectMs: 3000,
    answerMs: 3000,
    wholeMs: 10_000,
    attempts: 3,
    outcome: '503; nothing is written',
  },
  storageReading: {
    what: 'object storage, while reading a file',
    silenceMs: 10_000,
    attempts: 5,
    outcome: 'reading resumes from there; after the last attempt it is aborted',
  },
  storageUpload: {
    what: 'object storage, while writing a file or part',
    connectMs: 3000,
    silenceMs: 30_000,
    attempts: 3,
    outcome: '503; the browser uploads the rest later, and a job is repeated',
  },
  firebase: { what: 'Firebase', answerMs: 10_000, outcome: '503' },
  socialDiscovery: {
    what: 'Google, discovery',
    answerMs: 5000,
    outcome: 'the window says so; the next log-in asks again',
  },
  social: { what: 'Google and Facebook, a log-in', wholeMs: 15_000, outcome: 'the window says so' },
  facebookAccount: { what: 'Facebook, the profile', answerMs: 10_000, outcome: 'the log-in is refused' },
  openId: { what: 'OpenID provider of an age or identity check', answerMs: 8000, outcome: 'the page says so' },
  push: { what: 'push services', answerMs: 10_000, outcome: 'the push is repeated' },
  speech: {
    what: 'speech service',
    answerMs: 300_000,
    outcome: 'a job repeats it, five times in all; then the draft fails, and the transcript stays',
  },
  foreign: {
    what: 'a feed that is imported, with its pictures and texts',
    connectMs: 5000,
    answerMs: 10_000,
    silenceMs: 20_000,
    wholeMs: 60_000,
    outcome: 'the page says so; a job asks again',
  },
  foreignFile: {
    what: 'a feed that is imported, a file of sound',
    connectMs: 5000,
    answerMs: 10_000,
    silenceMs: 20_000,
    wholeMs: 3_600_000,
    attempts: 3,
    outcome: 'that audio does not come, and can be tried again',
  },
  feedHub: { what: 'hub of feeds', answerMs: 10_000, outcome: 'a job repeats it a minute later' },
  segment: { what: 'Segment', answerMs: 5000, attempts: 4, outcome: 'the events are dropped and counted' },
  algolia: {
    what: 'Algolia, a search',
    answerMs: 2000,
    wholeMs: 6000,
    outcome: 'search reports that it is unavailable',
  },
  algoliaChanges: { what: 'Algolia, changes', answerMs: 30_000, outcome: 'a job resends them' },
  database: { what: 'PostgreSQL', connectMs: 3000, answerMs: 12_000, outcome: '503' },
  databaseLong: { what: 'PostgreSQL, long statements of jobs', answerMs: 360_000, outcome: 'the job is repeated' },
  databaseCheck: { what: 'PostgreSQL, the readiness check', answerMs: 2000, outcome: '503 of `/readyz`' },
  databaseReplica: {
    what: 'PostgreSQL, a replica',
    connectMs: 1000,
    answerMs: 5000,
    outcome: 'the primary answers',
  },
  databaseChanges: {
    what: 'PostgreSQL, notifications of changes',
    connectMs: 3000,
    answerMs: 3000,
    outcome: 'connected again each second; caches expire by themselves',
  },
  databaseCommand: {
    what: 'PostgreSQL, for migrations, backups, restores and commands',
    connectMs: 3000,
    outcome: 'the start or the command fails; its statements have no limit',
  },
  databaseJobs: {
    what: 'PostgreSQL, for the queue of jobs',
    connectMs: 5000,
    answerMs: 60_000,
    outcome: 'asked again; started jobs are repeated',
  },
  databaseStart: {
    what: 'the included PostgreSQL',
    connectMs: 10_000,
    outcome: 'the start fails',
  },
  doctorPort: { what: '`doctor`, the port of the site', answerMs: 3000, outcome: 'the check fails' },
  doctor: { what: '`doctor`, any other machine', answerMs: 5000, outcome: 'the check fails' },
} satisfies Record<string, CallLimit>;
