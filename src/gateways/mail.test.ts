import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { type SMTPServerOptions, SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/support/database.ts';
import { outgoingMails } from './mail-outbox.ts';
import { type MailGateway, type OpenMailOptions, openMail } from './mail.ts';

type Received = { from: string; to: string[]; raw: string; mail: Email };

const message = {
  to: 'listener@sotto.test',
  subject: 'Ein Gruß – “hello”',
  text: 'Plain: https://sotto.example/reset-password?token=abc_DEF-123\n.\nÄnde',
  html: '<p>Rich: <a href="https://sotto.example/?a=1&amp;b=2">ünicode</a></p>',
};

const { db } = await createTestDatabase();
let dir: string;
let lines: string[];
const opened: MailGateway[] = [];
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sotto-mail-'));
  lines = [];
  await db.delete(outgoingMails);
});

afterEach(async () => {
  // First the client that keeps connections open.
  for (const mail of opened.splice(0)) await mail.close();
  for (const close of closers.splice(0)) await close();
  await rm(dir, { recursive: true, force: true });
});

async function open(options: Partial<OpenMailOptions> = {}): Promise<MailGateway> {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const mail = await openMail({
    url: undefined,
    from: () => 'Sotto <no-reply@sotto.test>',
    replyTo: 'hello@sotto.test',
    formerOutbox: dir,
    db,
    log,
    retryAfter: [],
    ...options,
  });
  opened.push(mail);
  return mail;
}

async function startSmtp(
  options: SMTPServerOptions = {},
  at = 0,
): Promise<{ port: number; received: Received[]; close: () => Promise<void> }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const take = async () => {
        const bytes = await buffer(stream);
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: bytes.toString(),
          mail: await PostalMime.parse(bytes),
        });
        done();
      };
      void take();
    },
    ...options,
  });
  // A client that rejects the certificate hangs up.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  closers.push(close);
  return { port: (server.server.address() as AddressInfo).port, received, close };
}

describe('over SMTP', () => {
  test('a mail arrives unchanged, for one recipient, with its sender', async () => {
    const { port, received } = await startSmtp();
    const mail = await open({ url: `smtp://127.0.0.1:${port}` });
    await mail.send(message);
    expect(received).toHaveLength(1);
    const [got] = received;
    expect(got).toMatchObject({ from: 'no-reply@sotto.test', to: ['listener@sotto.test'] });
    expect(got?.mail).toMatchObject({
      from: { name: 'Sotto', address: 'no-reply@sotto.test' },
      replyTo: [{ address: 'hello@sotto.test' }],
      to: [{ address: 'listener@sotto.test' }],
      subject: message.subject,
      text: `${message.text}\n`,
    });
    expect(got?.mail.html?.trim()).toBe(message.html);
    expect(got?.raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(got?.raw).not.toContain('X-Sotto');
    expect(await mail.list()).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('the user name and password in the URL are used', async () => {
    const seen: unknown[] = [];
    const { port, received } = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password]);
        done(null, { user: 'x' });
      },
    });
    const mail = await open({ url: `smtp://us%40er:p%3Ass%2F@127.0.0.1:${port}` });
    await mail.send(message);
    expect(seen).toEqual([['us@er', 'p:ss/']]);
    expect(received).toHaveLength(1);
  });

  test.each([
    ['smtps, with a certificate nobody vouches for', { secure: true, disabledCommands: [] }, 'smtps', ''],
    ['STARTTLS, with a certificate nobody vouches for', { disabledCommands: [] }, 'smtp', '?tls=required'],
    ['a server without STARTTLS where it is required', {}, 'smtp', '?tls=required'],
  ])('nothing goes over %s', async (_name, options, scheme, query) => {
    // The server warns about its own certificate.
    const warned = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { port, received } = await startSmtp(options as SMTPServerOptions);
    expect(warned.mock.calls.flat().filter((line) => !String(line).includes('default TLS certificate'))).toEqual([]);
    warned.mockReset();
    const mail = await open({ url: `${scheme}://127.0.0.1:${port}/${query}` });
    await mail.send(message);
    expect(received).toEqual([]);
    const reason = expect.stringMatching(/certificate|STARTTLS|TLS/i) as string;
    expect(await mail.list()).toMatchObject([{ to: 'listener@sotto.test', reason }]);
  });

  test('no address or subject can add a header or another recipient', async () => {
    const { port, received } = await startSmtp();
    const mail = await open({ url: `smtp://127.0.0.1:${port}` });
    await mail.send({ ...message, subject: 'Hello\r\nBcc: victim@sotto.test\r\n\r\nbody\0\u2028' });
    expect(received[0]?.to).toEqual(['listener@sotto.test']);
    expect(received[0]?.mail.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(received[0]?.mail.subject).toContain('Hello Bcc: victim@sotto.test');
    for (const to of [
      'a@sotto.test\r\nBcc: victim@sotto.test',
      'a@sotto.test\nRCPT TO:<victim@sotto.test>',
      'a@sotto.test, victim@sotto.test',
      'a@sotto.test victim@sotto.test',
      'Somebody <victim@sotto.test>',
      '"victim@sotto.test x"@sotto.test',
      'victim@sotto.test;',
      'a@b@sotto.test',
      'a(b)@sotto.test',
      '@sotto.test',
      'a@',
      '',
      `${'a'.repeat(250)}@sotto.test`,
    ])
      await expect(mail.send({ ...message, to })).rejects.toThrow('A mail goes to exactly one plain address');
    expect(received).toHaveLength(1);
    expect(await mail.list()).toEqual([]);
  });
});

describe('when the mail server does not take it', () => {
  test('connection refused: the mail is stored with the reason, and the log has no addresses', async () => {
    const { port, close } = await startSmtp();
    await close();
    const mail = await open({ url: `smtp://127.0.0.1:${port}` });
    await mail.send(message);
    const [kept] = await mail.list();
    expect(kept).toMatchObject({ to: 'listener@sotto.test', reason: expect.stringContaining('ECONNREFUSED') });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, code: expect.any(String) });
    expect(lines.join()).not.toMatch(/listener|Gruß|abc_DEF/);

    expect(await mail.sendKept()).toEqual({ sent: 0, failed: 1 });
    expect(await mail.list()).toHaveLength(1);
    const { received } = await startSmtp({}, port);
    const tried: string[][] = [];
    const note = async (...attempt: [string, string]) => void tried.push(attempt);
    expect(await mail.sendKept(note)).toEqual({ sent: 1, failed: 0 });
    expect(tried).toEqual([[kept?.name, 'sent']]);
    expect(received[0]).toMatchObject({ from: 'no-reply@sotto.test', to: ['listener@sotto.test'] });
    expect(received[0]?.raw).not.toContain('X-Sotto');
    expect(received[0]?.mail).toMatchObject({ subject: message.subject, text: `${message.text}\n` });
    expect(await mail.list()).toEqual([]);
  });

  test('busy: the mail is tried again when its time has come, by one of two processes, and then dropped', async () => {
    let refusals = 2;
    const { port, received } = await startSmtp({
      onRcptTo(_address, _session, done) {
        refusals -= 1;
        done(refusals >= 0 ? Object.assign(new Error('try later'), { responseCode: 451 }) : null);
      },
    });
    const options = { url: `smtp://127.0.0.1:${port}`, retryAfter: [5, 5, 60_000] };
    const [mail, other] = [await open(options), await open(options)];
    await mail.send(message);
    expect(await other.list()).toHaveLength(1);
    // One call may try twice: the second try is due after 5 ms by the database's clock.
    let [sent, failed] = [0, 0];
    await vi.waitFor(
      async () => {
        for (const one of await Promise.all([mail.sendDue(), other.sendDue()])) {
          sent += one.sent;
          failed += one.failed;
        }
        expect(sent).toBe(1);
      },
      { timeout: 10_000 },
    );
    expect(failed).toBe(1);
    expect(received).toHaveLength(1);
    expect(received[0]?.mail).toMatchObject({ subject: message.subject, text: `${message.text}\n` });
    expect(await mail.list()).toEqual([]);
  });

  test('a mail whose time has not come waits, and one of a killed process is sent when its claim expires', async () => {
    const { port, close } = await startSmtp();
    await close();
    const mail = await open({ url: `smtp://127.0.0.1:${port}`, retryAfter: [60_000] });
    await mail.send(message);
    const { received } = await startSmtp({}, port);
    expect(await mail.sendDue()).toEqual({ sent: 0, failed: 0 });
    await db.update(outgoingMails).set({ tryAt: new Date(), claimedUntil: new Date(Date.now() + 60_000) });
    expect(await mail.sendDue()).toEqual({ sent: 0, failed: 0 });
    await db.update(outgoingMails).set({ claimedUntil: new Date() });
    expect(await mail.sendDue()).toEqual({ sent: 1, failed: 0 });
    expect(received).toHaveLength(1);
  });

  test('a permanent refusal: the mail is stored at once, and otherwise after the last retry', async () => {
    let tries = 0;
    const answer = { responseCode: 550 };
    const { port } = await startSmtp({
      onRcptTo(_address, _session, done) {
        tries += 1;
        done(Object.assign(new Error('no such mailbox\r\nX-Sotto-To: victim@sotto.test'), answer));
      },
    });
    const mail = await open({ url: `smtp://127.0.0.1:${port}`, retryAfter: [0, 0] });
    await mail.send(message);
    await mail.sendDue();
    expect(tries).toBe(1);
    expect(await mail.list()).toMatchObject([
      { to: 'listener@sotto.test', reason: expect.stringContaining('no such mailbox') },
    ]);
    expect(lines.join()).not.toContain('mailbox');
    answer.responseCode = 451;
    await mail.send(message);
    for (let round = 0; round < 5; round += 1) {
      await setTimeout(5);
      await mail.sendDue();
    }
    expect(tries).toBe(4);
    expect(await mail.list()).toHaveLength(2);
  });

  test('mails that waited for a server stay while there is none, and the next server gets them', async () => {
    const refusing = await startSmtp({ onRcptTo: (_to, _session, done) => done(new Error('not now')) });
    const before = await open({ url: `smtp://127.0.0.1:${refusing.port}`, retryAfter: [0] });
    await before.send(message);
    // One that no retry is planned for.
    await before.send({ ...message, to: 'other@sotto.test' });
    await db.update(outgoingMails).set({ tryAt: null }).where(eq(outgoingMails.recipient, 'other@sotto.test'));
    await before.close();

    const without = await open();
    expect(await without.sendDue()).toEqual({ sent: 0, failed: 0 });
    expect(await without.list()).toHaveLength(2);
    await without.close();

    const { port, received } = await startSmtp();
    const after = await open({ url: `smtp://127.0.0.1:${port}` });
    expect(await after.sendDue()).toEqual({ sent: 2, failed: 0 });
    expect(received.map(({ to }) => to[0]).toSorted()).toEqual(['listener@sotto.test', 'other@sotto.test']);
  });

  test('what one server has given back is tried once more at another one, not at the same', async () => {
    const refusing = await startSmtp({ onRcptTo: (_to, _session, done) => done(new Error('not now')) });
    const url = `smtp://127.0.0.1:${refusing.port}`;
    const before = await open({ url });
    await before.send(message);
    await before.close();
    await db.update(outgoingMails).set({ tries: 3 });
    const same = await open({ url });
    expect(await same.sendDue()).toEqual({ sent: 0, failed: 0 });
    await same.close();
    const other = await startSmtp({ onRcptTo: (_to, _session, done) => done(new Error('not now')) });
    const second = await open({ url: `smtp://127.0.0.1:${other.port}`, retryAfter: [0, 60_000] });
    expect(await second.sendDue()).toEqual({ sent: 0, failed: 1 });
    expect(await db.select({ tries: outgoingMails.tries }).from(outgoingMails)).toEqual([{ tries: 1 }]);
    await second.close();
    await db.update(outgoingMails).set({ tryAt: null });
    const { port, received } = await startSmtp();
    const third = await open({ url: `smtp://127.0.0.1:${port}` });
    expect(await third.sendDue()).toEqual({ sent: 1, failed: 0 });
    expect(received).toHaveLength(1);
  });

  test('no answer while the site stops: the mail stays stored', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => silent.close(resolve)));
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    const mail = await open({ url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` });
    const sent = mail.send(message);
    await connected;
    await mail.close();
    expect(await mail.list()).toMatchObject([
      { to: 'listener@sotto.test', reason: expect.stringContaining('stopped') },
    ]);
    await sent;
    expect(await mail.list()).toHaveLength(1);
  });
});

describe('the outbox', () => {
  test('a mail that is queued in a transaction is sent once it is committed, and never without it', async () => {
    const { port, received } = await startSmtp();
    const mail = await open({ url: `smtp://127.0.0.1:${port}` });
    const undone = db.transaction(async (tx) => {
      await mail.queue(tx, { ...message, to: 'nobody@sotto.test' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await db.transaction((tx) => mail.queue(tx, message));
    expect(received).toEqual([]);
    expect(await mail.sendDue()).toEqual({ sent: 1, failed: 0 });
    expect(received.map(({ to }) => to)).toEqual([['listener@sotto.test']]);
    expect(await mail.list()).toEqual([]);
  });

  test('deletes the stored mails of one address, ignoring case, and no others', async () => {
    const mail = await open();
    for (const to of ['Listener@Sotto.test', 'other@sotto.test', 'listener@sotto.test'])
      await mail.send({ ...message, to });
    await writeFile(join(dir, formerName(new Date())), formerMail({ to: 'LISTENER@sotto.test' }));
    await mail.purge('listener@sotto.test');
    expect((await mail.list()).map(({ to }) => to)).toEqual(['other@sotto.test']);
    expect(await readdir(dir)).toEqual([]);
  });

  test('without a mail server each mail is stored whole, and a server gets it only on request', async () => {
    const mail = await open();
    await mail.send(message);
    await mail.send({ ...message, to: 'second@sotto.test' });
    const listed = await mail.list();
    expect(listed.map(({ to, reason }) => [to, reason])).toEqual([
      ['listener@sotto.test', undefined],
      ['second@sotto.test', undefined],
    ]);
    expect(Math.abs(Date.now() - (listed[0]?.keptAt.getTime() ?? 0))).toBeLessThan(10_000);
    const parsed = await PostalMime.parse((await mail.read(listed[0]?.name ?? '')) ?? '');
    expect(parsed).toMatchObject({ subject: message.subject, text: `${message.text}\n` });
    expect(await mail.read('no-id')).toBeUndefined();
    await expect(mail.sendKept()).rejects.toThrow('no mail server is set');
    const { port, received } = await startSmtp();
    const later = await open({ url: `smtp://127.0.0.1:${port}` });
    expect(await later.sendDue()).toEqual({ sent: 0, failed: 0 });
    expect(received).toEqual([]);
  });

  test('stored mails are sent once a server is set, by one of two concurrent senders', async () => {
    const before = await open();
    await before.send(message);
    const { port, received } = await startSmtp();
    const options = { url: `smtp://127.0.0.1:${port}` };
    const [one, two] = await Promise.all([open(options), open(options)]);
    const counts = await Promise.all([one.sendKept(), two.sendKept()]);
    expect(counts.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
    expect(received).toHaveLength(1);
  });

  test('a mail is deleted after a month', async () => {
    const mail = await open();
    await mail.send(message);
    await mail.send({ ...message, to: 'second@sotto.test' });
    const long = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    await db.update(outgoingMails).set({ keptAt: long }).where(eq(outgoingMails.recipient, 'second@sotto.test'));
    await mail.purgeOld();
    expect((await mail.list()).map(({ to }) => to)).toEqual(['listener@sotto.test']);
  });

  test.each(['http://mail.example', 'smtp://', 'mail.example:25', 'smtp'])('%s is no mail server', async (url) => {
    await expect(open({ url })).rejects.toThrow('MAIL_URL must look like smtp://');
  });
});

describe('files of version 0.1.0', () => {
  test('are taken over at the start and while this version runs: refused ones are due, others wait', async () => {
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    await writeFile(join(dir, formerName(yesterday)), formerMail({ to: 'listener@sotto.test' }));
    await writeFile(join(dir, 'half-written'), '');
    const { port, received } = await startSmtp();
    const url = `smtp://127.0.0.1:${port}`;
    const [mail, other] = await Promise.all([open({ url }), open({ url })]);
    expect(await other.list()).toMatchObject([{ to: 'listener@sotto.test', keptAt: yesterday, reason: undefined }]);
    await writeFile(join(dir, formerName(new Date())), formerMail({ to: 'late@sotto.test', reason: 'refused' }));
    expect(await mail.sendDue()).toEqual({ sent: 1, failed: 0 });
    expect(received).toMatchObject([
      { from: 'no-reply@sotto.test', to: ['late@sotto.test'], mail: { subject: 'Old' } },
    ]);
    expect(received[0]?.raw).not.toContain('X-Sotto');
    expect(await readdir(dir)).toEqual(['half-written']);
  });

  test('one that a killed process was taking over is taken after ten minutes', async () => {
    const path = join(dir, `${formerName(new Date())}.sending`);
    await writeFile(path, formerMail({ to: 'listener@sotto.test' }));
    expect(await (await open()).list()).toEqual([]);
    const quarterOfAnHourAgo = new Date(Date.now() - 15 * 60 * 1000);
    await utimes(path, quarterOfAnHourAgo, quarterOfAnHourAgo);
    expect(await (await open()).list()).toMatchObject([{ to: 'listener@sotto.test' }]);
    expect(await readdir(dir)).toEqual([]);
  });
});

const formerName = (at: Date) => `${at.toISOString().replaceAll(/[-:.]/g, '')}-0123abcd.eml`;

function formerMail({ to, reason }: { to: string; reason?: string }): string {
  const notes = `X-Sotto-From: no-reply@sotto.test\r\nX-Sotto-To: ${to}\r\n`;
  return `${notes}${reason === undefined ? '' : `X-Sotto-Reason: ${reason}\r\n`}Subject: Old\r\n\r\nbody`;
}
