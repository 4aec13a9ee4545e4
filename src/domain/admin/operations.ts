/** Facts about the running process, which the domain cannot read itself. */
export type Operations = {
  /** From package.json. */
  version: string;
  readJobs(): Promise<JobCounts>;
  /** Undefined outside the site process. */
  system?: SystemActs | undefined;
};

/** State of one kind of job. */
export type JobFigures = {
  name: string;
  /** Due now, including retries. */
  waiting: number;
  running: number;
  /** Given up; kept for some days. */
  failed: number;
  /** Time since the oldest waiting job was due; 0 without one. */
  lagSeconds: number;
};

export type JobSummary = JobFigures & {
  /** Cron expression in UTC; undefined for jobs added by other code. */
  schedule: string | undefined;
  doneAt: Date | undefined;
};

export type JobRecord = {
  id: string;
  name: string;
  state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  createdAt: Date;
  tries: number;
  /** The counts of a finished job, or its error. */
  outcome: string | undefined;
};

export type Finding = { level: 'ok' | 'warn' | 'FAIL'; about: string; message: string };
/** A finding that is kept for readers of any language. */
export type KeptFinding = Omit<Finding, 'message'> & { say(): string };

/** Facts and acts of the System page from outside the domain. */
export type SystemActs = {
  listJobs(): Promise<JobSummary[]>;
  listUnfinishedJobs(): Promise<JobRecord[]>;
  findJob(id: string): Promise<JobRecord | undefined>;
  /** @returns false when its state does not allow that */
  changeJob(job: JobRecord, change: 'retry' | 'cancel'): Promise<boolean>;
  /** The oldest ones, and how many there are. */
  listMails(
    max: number,
  ): Promise<{ count: number; items: { name: string; to: string; keptAt: Date; reason: string | undefined }[] }>;
  retryMail(name: string): Promise<'sent' | 'failed' | 'gone'>;
  forgetMail(name: string): Promise<boolean>;
  storage(): Promise<{ kind: 'disk' | 'object-storage'; place: string; freeBytes: number | undefined }>;
  paymentMode: PaymentMode;
  /** @returns the result, in one line without secrets */
  tryOut(name: TestName): Promise<{ isOk: boolean; message: string }>;
  /** Undefined: BACKUP_DIR is not set. */
  startBackup?: ((id: string) => Promise<void>) | undefined;
  /** The quick checks of `doctor`. */
  check(): Promise<KeptFinding[]>;
};

/** Cards that are charged: real ones, Stripe's test cards, or those of the sandbox that comes with the site. */
export type PaymentMode = 'live' | 'test' | 'sandbox';

export const testNames = ['mail', 'payment', 'storage'] as const;
export type TestName = (typeof testNames)[number];

export type JobCounts = {
  running: number;
  waiting: number;
  failed: number;
  /** Names of the kinds that failed. */
  failedNames: string[];
  /** Time since the oldest waiting job was due. */
  lagSeconds: number;
};
