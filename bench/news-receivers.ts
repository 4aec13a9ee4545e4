/**
 * A mail server and a push service in their own process, so that the figures of news.ts cover only the sender. Forked
 * by `startReceivers`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startMailServer } from '#test/support/servers/mail-server.ts';
import { startPushService } from '#test/support/servers/push-service.ts';

/** Reading a push costs as much as sending it. */
const checkedEach = 200;

type Started = {
  mailUrl: string;
  pushOrigin: string;
  browser: { endpoint: string; keys: { p256dh: string; auth: string } };
};
/** Number of messages and of recipients, and how many of the pushes were read and found valid. */
export type Received = { pushes: number; pushedTo: number; goodPushes: number; mails: number; mailedTo: number };

if (process.send !== undefined && process.argv[2] === 'receive') {
  const [mails, service] = [await startMailServer({ isReading: false }), await startPushService({ checkedEach })];
  process.on('message', () =>
    process.send?.({
      pushes: [...service.counts.values()].reduce((sum, count) => sum + count, 0),
      pushedTo: service.counts.size,
      goodPushes: service.pushed.length * checkedEach,
      mails: mails.arrived.length,
      mailedTo: new Set(mails.arrived.map(({ to }) => to)).size,
    } satisfies Received),
  );
  process.on('disconnect', () => process.exit());
  process.send({
    mailUrl: mails.url,
    pushOrigin: service.origin,
    browser: service.subscribe('all'),
  } satisfies Started);
}

export async function startReceivers() {
  const child = fork(fileURLToPath(import.meta.url), ['receive'], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [started] = (await once(child, 'message')) as [Started];
  return {
    ...started,
    async count(): Promise<Received> {
      child.send('count');
      const [received] = (await once(child, 'message')) as [Received];
      return received;
    },
    async close(): Promise<void> {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
