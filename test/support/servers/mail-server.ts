import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

type Arrived = { to: string; subject: string; text: string; html: string; headers: Record<string, string> };

export type MailServer = {
  /** For `MAIL_URL`. */
  url: string;
  arrived: Arrived[];
  /** Waits for a mail. @returns the first URL in it */
  linkFor(to: string, subject: string): Promise<string>;
  close(): Promise<void>;
};

/** An SMTP server that accepts every mail. @param options.isReading false: records only recipients */
export async function startMailServer({ isReading = true } = {}): Promise<MailServer> {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const take = async () => {
        if (!isReading) {
          for await (const _ of stream);
          for (const { address } of envelope.rcptTo)
            arrived.push({ to: address, subject: '', text: '', html: '', headers: {} });
          return done();
        }
        const { subject = '', text = '', html = '', headers: lines } = await PostalMime.parse(await buffer(stream));
        const headers = Object.fromEntries(lines.map(({ key, value }) => [key, value]));
        for (const { address } of envelope.rcptTo) arrived.push({ to: address, subject, text, html, headers });
        done();
      };
      void take();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrived,
    async linkFor(to, subject) {
      const find = () => arrived.findLast((mail) => mail.to === to && mail.subject === subject);
      await expect.poll(find, { timeout: 10_000 }).toBeDefined();
      return /https?:\S+/.exec(find()?.text ?? '')?.[0] ?? '';
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
