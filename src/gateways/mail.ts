import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Mail, MailMessage } from '#domain/gateways.ts';
import { openOutbox } from './mail-outbox.ts';
import type { BuiltMail, KeptMail } from './mail-outbox.ts';

export type OpenMailOptions = {
  /**
   * `smtp://user:password@host:587` (STARTTLS is required, except on this machine) or `smtps://…`; absent: mails stay
   * in the outbox. `?tls=none` goes without encryption, `?tls=required` insists on it on this machine too.
   */
  url: string | undefined;
  /** `no-reply@sotto.example`, or `Sotto <no-reply@sotto.example>`. */
  from: string;
  /** Created when missing. */
  outboxDir: string;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds before each retry. */
  retryAfter?: number[];
};

export type MailGateway = Mail & {
  /** Unsent mails, oldest first. */
  list(): Promise<KeptMail[]>;
  /** Sends the mails in the outbox. @throws Error without a mail server */
  sendKept(): Promise<{ sent: number; failed: number }>;
  /** Resolves once no mail is being sent or waits for a retry. */
  settled(): Promise<void>;
  /** Waits half a second for mails that are being sent; the rest stays in the outbox. */
  close(): Promise<void>;
};

/** A longer outage needs the operator. */
const defaultRetryAfter = [60_000, 600_000, 3_600_000];
const dayMs = 24 * 60 * 60 * 1000;

/** @throws Error for an invalid `url` or an unwritable folder */
export async function openMail(options: OpenMailOptions): Promise<MailGateway> {
  const { url, from, log, retryAfter = defaultRetryAfter } = options;
  const smtp = url === undefined ? undefined : createTransport(smtpOptions(url));
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const outbox = await openOutbox(options.outboxDir);
  const sending = new Map<BuiltMail, Promise<void>>();
  const waiting = new Set<NodeJS.Timeout>();
  const idle: (() => void)[] = [];
  const stopping = new AbortController();
  let closed = false;

  const endOf = (milliseconds: number) => AbortSignal.any([AbortSignal.timeout(milliseconds), stopping.signal]);
  const tidy = () =>
    outbox.purgeOld().catch((error: unknown) => log.warn({ err: error }, 'Old mails could not be forgotten'));
  await tidy();
  const tidying = setInterval(tidy, dayMs).unref();

  async function build(message: MailMessage): Promise<BuiltMail> {
    assertOneAddress(message.to);
    const info = await composer.sendMail({
      from,
      to: { name: '', address: message.to },
      subject: message.subject.replaceAll(/\p{Cc}+/gu, ' '),
      text: message.text,
      html: message.html,
      textEncoding: 'quoted-printable',
      // Suppresses out-of-office replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { from: info.envelope.from || '', to: message.to, raw: info.message as Buffer };
  }

  /** @returns why it was not sent; undefined when it was */
  async function deliver({ from: sender, to, raw }: BuiltMail): Promise<Refusal | undefined> {
    try {
      await smtp?.sendMail({ envelope: { from: sender, to: [to] }, raw, signal: endOf(30_000) });
      return undefined;
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** SMTP answers may repeat the address, so only codes are logged. */
  function sayKept({ code, responseCode }: Refusal): void {
    log.warn({ code, responseCode }, 'A mail could not be sent; it is kept in the outbox');
  }

  function tryLater(name: string, tries: number): void {
    const delay = retryAfter[tries];
    if (delay === undefined || closed) return;
    const timer = setTimeout(() => {
      void again(name, tries)
        .catch((error: unknown) => log.warn({ err: error }, 'A mail in the outbox could not be tried again'))
        .finally(() => {
          waiting.delete(timer);
          sayIdle();
        });
    }, delay).unref();
    waiting.add(timer);
  }

  async function again(name: string, tries: number): Promise<void> {
    const mail = await outbox.claim(name);
    if (mail === undefined) return;
    const refusal = await deliver(mail);
    if (refusal === undefined) return outbox.drop(name);
    await outbox.giveBack(name, mail, refusal.reason);
    sayKept(refusal);
    if (!refusal.permanent) tryLater(name, tries + 1);
  }

  function sayIdle(): void {
    if (sending.size === 0 && waiting.size === 0) for (const resolve of idle.splice(0)) resolve();
  }

  async function sendOrKeep(mail: BuiltMail): Promise<void> {
    const refusal = await deliver(mail);
    // `close` has put it into the outbox meanwhile.
    if (refusal === undefined || !sending.has(mail)) return;
    const name = await outbox.keep(mail, refusal.reason);
    sayKept(refusal);
    if (!refusal.permanent) tryLater(name, 0);
  }

  return {
    async send(message) {
      const mail = await build(message);
      if (smtp === undefined || closed) return void (await outbox.keep(mail, undefined));
      const sent = sendOrKeep(mail);
      sending.set(mail, sent);
      try {
        await sent;
      } finally {
        sending.delete(mail);
        sayIdle();
      }
    },

    purge: (to) => outbox.purge(to),

    list: () => outbox.list(),

    async sendKept() {
      if (smtp === undefined) throw new Error('no mail server is set (MAIL_URL)');
      const counts = { sent: 0, failed: 0 };
      for (const { name } of await outbox.list()) {
        const mail = await outbox.claim(name);
        if (mail === undefined) continue;
        const refusal = await deliver(mail);
        if (refusal === undefined) await outbox.drop(name);
        else await outbox.giveBack(name, mail, refusal.reason);
        counts[refusal === undefined ? 'sent' : 'failed'] += 1;
      }
      return counts;
    },

    async settled() {
      if (sending.size > 0 || waiting.size > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },

    async close() {
      closed = true;
      clearInterval(tidying);
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, 500)));
      await Promise.race([Promise.allSettled(sending.values()), patience]);
      clearTimeout(timer);
      for (const mail of sending.keys()) {
        sending.delete(mail);
        await outbox.keep(mail, 'The site was stopped while this was being sent; it may have arrived');
      }
      stopping.abort();
      smtp?.close();
      sayIdle();
    },
  };
}

/** Connects and logs in without sending a mail. @returns the problem; undefined when there is none */
export async function checkMailServer(url: string): Promise<string | undefined> {
  const soon = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000 };
  let smtp: ReturnType<typeof createTransport> | undefined;
  try {
    smtp = createTransport({ ...smtpOptions(url), ...soon, pool: false as const });
    await smtp.verify();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return message || code;
  } finally {
    smtp?.close();
  }
}

function smtpOptions(text: string) {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('MAIL_URL must look like smtp://user:password@mail.example:587');
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const secure = url.protocol === 'smtps:';
  const onThisMachine = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const tls = url.searchParams.get('tls') ?? (onThisMachine ? 'none' : 'required');
  return {
    pool: true as const,
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && tls !== 'none',
    ignoreTLS: tls === 'none',
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    maxConnections: 3,
    maxRequeues: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 5000,
    socketTimeout: 20_000,
  };
}

type Refusal = { reason: string; permanent: boolean; code: string | undefined; responseCode: number | undefined };

/** Codes from 500 are permanent (RFC 5321 §4.2.1), except for a wrong password, which the operator can correct. */
function refusalOf(error: unknown): Refusal {
  const { code, responseCode, message } = error as Error & { code?: string; responseCode?: number };
  const permanent = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
  return { reason: message, permanent, code, responseCode };
}

/** Accepts one plain address, without further headers or recipients. @throws TypeError, without the address */
function assertOneAddress(to: string): void {
  if (to.length > 254 || !/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(to))
    throw new TypeError('A mail goes to exactly one plain address');
}
