import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Mail, MailMessage } from '#domain/gateways.ts';
import type { Db } from '#domain/kernel/db.ts';
import { isId } from '#domain/kernel/ids.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { callLimits } from './call-limits.ts';
import { inTime } from './in-time.ts';
import { takeOverFormerMails } from './former-outbox.ts';
import { type BuiltMail, type ClaimedMail, openOutbox } from './mail-outbox.ts';

export type OpenMailOptions = {
  /**
   * `smtp://user:password@host:587` (STARTTLS is required, except on this machine) or `smtps://…`; absent: mails stay
   * in the outbox, which is a table. `?tls=none` goes without encryption, `?tls=required` insists on it on this machine too;
   * `?connections=20` sends so many mails at once, in place of 5.
   */
  url: string | undefined;
  /** `no-reply@sotto.example` or `Sotto <no-reply@sotto.example>`, read when a mail is written. */
  from: () => string;
  /** Address for answers, which several mails ask for; absent: the sender's. */
  replyTo?: string | undefined;
  db: Db;
  /** Folder of mails that a former version kept as files. */
  formerOutbox?: string | undefined;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds before each retry. */
  retryAfter?: number[];
};

export type MailGateway = Awaited<ReturnType<typeof openMail>>;

/** A longer outage needs the operator. */
const defaultRetryAfter = [60_000, 600_000, 3_600_000];
const stopped = 'The site was stopped while this was being sent; it may have arrived';

/** @throws Error for an invalid `url` */
export async function openMail(options: OpenMailOptions) {
  const { url, from, log, retryAfter = defaultRetryAfter } = options;
  const smtp = url === undefined ? undefined : createTransport(smtpOptions(url));
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const outbox = openOutbox(options.db, url === undefined ? undefined : serverOf(url));
  const sending = new Map<BuiltMail, Promise<void>>();
  const stopping = new AbortController();
  let closed = false;

  async function takeOver(): Promise<void> {
    if (options.formerOutbox === undefined) return;
    // Without a reason no mail server was set; such mails are sent only on the operator's request.
    await takeOverFormerMails(options.formerOutbox, ({ mail, reason, keptAt }) =>
      outbox.keep(mail, { reason, keptAt, tryAt: reason === undefined ? undefined : new Date() }),
    );
  }
  await takeOver();

  async function build(message: MailMessage): Promise<BuiltMail> {
    assertOneAddress(message.to);
    const info = await composer.sendMail({
      from: from(),
      replyTo: options.replyTo,
      to: { name: '', address: message.to },
      subject: message.subject.replaceAll(/\p{Cc}+/gu, ' '),
      text: message.text,
      html: message.html,
      textEncoding: 'quoted-printable',
      // Suppresses out-of-office replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(message.unsubscribeUrl) },
      ...(message.messageMark !== undefined && { messageId: `<${message.messageMark}@${hostOf(from())}>` }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { from: info.envelope.from || '', to: message.to, raw: info.message as Buffer };
  }

  /** @returns why it was not sent; undefined when it was */
  async function deliver({ from: sender, to, raw }: BuiltMail): Promise<Refusal | undefined> {
    try {
      await inTime(callLimits.mail.wholeMs, async (late) => {
        const signal = AbortSignal.any([late, stopping.signal]);
        await smtp?.sendMail({ envelope: { from: sender, to: [to] }, raw, signal });
      });
      return undefined;
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** SMTP answers may repeat the address, so only codes are logged. */
  function logKept({ code, responseCode }: Refusal): void {
    log.warn({ code, responseCode }, 'A mail could not be sent; it is kept');
  }

  const nextTry = (tries: number, { permanent }: Pick<Refusal, 'permanent'>): Date | undefined => {
    const delay = permanent ? undefined : retryAfter[tries];
    return delay === undefined ? undefined : new Date(Date.now() + delay);
  };

  async function again(claimed: ClaimedMail): Promise<boolean> {
    const refusal = await deliver(claimed.mail);
    if (refusal === undefined) await outbox.drop(claimed.id);
    else await outbox.retryLater(claimed, refusal.reason, nextTry(claimed.tries + 1, refusal));
    if (refusal !== undefined) logKept(refusal);
    return refusal === undefined;
  }

  async function sendOrKeep(mail: BuiltMail): Promise<void> {
    const refusal = await deliver(mail);
    // `close` has stored it meanwhile.
    if (refusal === undefined || !sending.has(mail)) return;
    await outbox.keep(mail, { reason: refusal.reason, tryAt: nextTry(0, refusal) });
    logKept(refusal);
  }

  const withoutServer = { reason: undefined, tryAt: undefined };

  const mail: Mail = {
    async queue(tx, message) {
      const now = { reason: 'It is sent within a minute', tryAt: new Date(), isTried: false };
      await outbox.keep(await build(message), smtp === undefined ? withoutServer : now, tx);
    },

    async send(message) {
      refuseInTransaction('The mail server');
      const mail = await build(message);
      if (smtp === undefined) return outbox.keep(mail, withoutServer);
      if (closed) return outbox.keep(mail, { reason: stopped, tryAt: new Date() });
      const sent = sendOrKeep(mail);
      sending.set(mail, sent);
      try {
        await sent;
      } finally {
        sending.delete(mail);
      }
    },

    async purge(to) {
      await takeOver();
      await outbox.purge(to);
    },
  };

  return {
    ...mail,

    /** Unsent mails, oldest first. */
    list: () => outbox.list(),

    /** The oldest ones, and their number. */
    async listFirst(max: number) {
      const [count, items] = await Promise.all([outbox.count(), outbox.list(max)]);
      return { count, items };
    },

    /** The whole message of a waiting mail, as it is sent; undefined when it is gone. */
    read: async (name: string) => (isId(name) ? outbox.read(name) : undefined),

    /** Sends all waiting mails. @throws Error without a mail server */
    async sendKept(onTried?: (name: string, outcome: 'sent' | 'failed') => Promise<void>) {
      if (smtp === undefined) throw new Error('no mail server is set (MAIL_URL)');
      const counts = { sent: 0, failed: 0 };
      for (const { name } of await outbox.list()) {
        const mail = await outbox.claim(name);
        if (mail === undefined) continue;
        const outcome = (await again(mail)) ? 'sent' : 'failed';
        counts[outcome] += 1;
        await onTried?.(name, outcome);
      }
      return counts;
    },

    /** Sends one waiting mail now. @returns `gone` also when another process is sending it */
    async retry(name: string): Promise<'sent' | 'failed' | 'gone'> {
      if (smtp === undefined) return 'failed';
      const mail = isId(name) ? await outbox.claim(name) : undefined;
      if (mail === undefined) return 'gone';
      return (await again(mail)) ? 'sent' : 'failed';
    },

    /** Deletes a waiting mail. @returns false when it is gone */
    async forget(name: string): Promise<boolean> {
      if (!isId(name) || (await outbox.claim(name)) === undefined) return false;
      await outbox.drop(name);
      return true;
    },

    /** Retries due mails, and those that another server gave back; each is tried by one process. */
    async sendDue(signal?: AbortSignal) {
      const counts = { sent: 0, failed: 0 };
      await takeOver();
      while (smtp !== undefined) {
        signal?.throwIfAborted();
        const mail = await outbox.claimDue();
        if (mail === undefined) break;
        counts[(await again(mail)) ? 'sent' : 'failed'] += 1;
      }
      return counts;
    },

    /** Deletes mails that waited for 30 days. */
    purgeOld: (signal?: AbortSignal) => outbox.purgeOld(signal),

    /** Waits half a second for mails in progress; the others stay stored. */
    async close(): Promise<void> {
      closed = true;
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, 500)));
      await Promise.race([Promise.allSettled(sending.values()), patience]);
      clearTimeout(timer);
      for (const mail of sending.keys()) {
        sending.delete(mail);
        await outbox
          .keep(mail, { reason: stopped, tryAt: new Date() })
          .catch((error: unknown) => log.warn({ err: error }, 'A mail could not be kept'));
      }
      stopping.abort();
      smtp?.close();
    },
  };
}

/** RFC 8058: the mailbox provider posts here when the reader presses its button. */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  return url === undefined
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function hostOf(from: string): string {
  return /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
}

/** Connects and logs in without sending a mail. @returns the problem; undefined when there is none */
export async function checkMailServer(url: string): Promise<string | undefined> {
  let smtp: ReturnType<typeof createTransport> | undefined;
  try {
    const opened = (smtp = createTransport({ ...smtpOptions(url), pool: false as const }));
    await inTime(callLimits.doctor.answerMs, () => opened.verify());
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return message || code;
  } finally {
    smtp?.close();
  }
}

/** Without its password. */
function serverOf(url: string): string | undefined {
  const { username, host } = URL.parse(url) ?? {};
  return host === undefined ? undefined : `${username}@${host}`;
}

function smtpOptions(text: string) {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('MAIL_URL must look like smtp://user:password@mail.example:587');
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const secure = url.protocol === 'smtps:';
  const onThisMachine = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const connections = Number(url.searchParams.get('connections') ?? 0);
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
    maxConnections: connections > 0 && connections <= 50 ? connections : 5,
    maxRequeues: 1,
    connectionTimeout: callLimits.mail.connectMs,
    greetingTimeout: callLimits.mail.connectMs,
    dnsTimeout: callLimits.mail.connectMs,
    socketTimeout: callLimits.mail.silenceMs,
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
