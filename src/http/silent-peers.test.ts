import { afterAll, expect, test } from 'vitest';
import { keepLookFile } from '#domain/look/files.ts';
import { openMail } from '#gateways/mail.ts';
import { openStripePayments } from '#gateways/stripe/stripe-payments.ts';
import { openWebPush } from '#gateways/web-push.ts';
import { createAudio, createUser } from '#test/support/factories.ts';
import { openSilentPeer } from '#test/support/servers/silent-peer.ts';
import { startTestSite } from '#test/support/site.ts';

const peer = await openSilentPeer();
const site = await startTestSite(
  {
    S3_BUCKET: 'sotto',
    S3_ENDPOINT: `http://${peer.host}`,
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  },
  {
    openPayments: async () =>
      openStripePayments({
        apiKey: 'sk_test_silent',
        webhookSecret: 'whsec',
        connection: { host: '127.0.0.1', port: peer.port, protocol: 'http' },
        siteName: () => 'Sotto',
      }),
  },
);
const { db, blobs } = site;
afterAll(() => peer.close());

/** Five times as many as connections to the database. */
const times = Array.from({ length: 20 }, (_, index) => index);

const acts: Record<string, (index: number) => Promise<unknown>> = {
  'pictures that are stored': (index) => keepLookFile({ db, blobs }, Buffer.from(`picture ${index}`), 'png'),
  subscriptions: async (index) => {
    const { id } = await createUser(db, { email: `listener-${index}@sotto.example` });
    const order = { paymentMethodId: 'pm_1', period: 'month', promoCode: undefined, withoutTrial: true } as const;
    return site.site.membership.createSubscription(id, order);
  },
  mails: async (index) => {
    const mail = await openMail({
      url: `smtp://${peer.host}?tls=none`,
      from: () => 'site@sotto.example',
      db,
      log: { warn: () => undefined },
    });
    const sent = mail.send({ to: `to-${index}@sotto.example`, subject: 'Hello', text: 'x', html: 'x' });
    return sent.finally(() => mail.close());
  },
  pushes: () =>
    openWebPush({ secret: 's'.repeat(32), contact: 'mailto:a@b.example', moreServices: [`http://${peer.host}`] }).send(
      {
        endpoint: `http://${peer.host}/device`,
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      { payload: '{}', topic: 't', ttlSeconds: 60 },
    ),
};

test.each(Object.entries(acts))(
  'twenty %s, and a peer that is silent: visitors are answered meanwhile',
  async (_, act) => {
    const { slug } = await createAudio(db);
    const before = peer.connections();
    let ended = 0;
    const running = times.map((index) => act(index).finally(() => (ended += 1)));
    const settled = Promise.allSettled(running);
    await expect.poll(peer.connections, { timeout: 10_000 }).toBeGreaterThan(before);
    const answers = await Promise.all(times.map(() => fetch(`${site.url}/v1/api/audios/${slug}`)));
    expect(answers.map(({ status }) => status)).toEqual(times.map(() => 200));
    expect(ended).toBe(0);
    // Ends the calls that wait, and their retries.
    peer.refuse(true);
    await settled;
    peer.refuse(false);
  },
);
