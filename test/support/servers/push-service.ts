import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { importJWK, jwtVerify } from 'jose';

type Pushed = {
  device: string;
  payload: string;
  topic: string;
  ttl: string;
  urgency: string;
  /** Headers and claims of the sender's token (RFC 8292 §2). */
  token: { audience: unknown; expiresAt: number; subject: string; text: string };
  bytes: number;
};

type Answer = { status: number; headers?: Record<string, string> };

/**
 * A browser maker's push service, with the browsers behind it: it verifies the sender (RFC 8292), and decrypts messages
 * as the browser would (RFC 8291).
 * @param options.checkedEach one of this many pushes is read; the others are only counted, by their address
 */
export async function startPushService({ checkedEach = 1 } = {}) {
  const pushed: Pushed[] = [];
  const counts = new Map<string, number>();
  let count = 0;
  /** Response by device, instead of 201. */
  const answers = new Map<string, Answer>();
  const browsers = new Map<string, { curve: ReturnType<typeof createECDH>; auth: Buffer }>();
  const server = createServer((request, response) => {
    const device = /^\/([^?]*)/.exec(request.url ?? '')?.[1] ?? '';
    const receive = async (): Promise<Answer> => {
      const body = await buffer(request);
      const answer = answers.get(device);
      if (answer !== undefined) return answer;
      counts.set(request.url ?? '', (counts.get(request.url ?? '') ?? 0) + 1);
      count += 1;
      if (count % checkedEach !== 0) return { status: 201 };
      const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(request.headers.authorization ?? '') ?? [];
      const { payload } = await jwtVerify(token, await importJWK(toJwk(key), 'ES256'), { audience: origin() });
      const browser = browsers.get(device);
      if (browser === undefined) return { status: 404 };
      if (request.headers['content-encoding'] !== 'aes128gcm' || body.length > 4096) return { status: 400 };
      pushed.push({
        device,
        payload: decrypt(body, browser),
        topic: String(request.headers['topic']),
        ttl: String(request.headers['ttl']),
        urgency: String(request.headers['urgency']),
        token: { audience: payload.aud, expiresAt: payload.exp ?? 0, subject: String(payload.sub), text: token },
        bytes: body.length,
      });
      return { status: 201 };
    };
    void receive()
      .catch((): Answer => ({ status: 403 }))
      .then(({ status, headers }) => response.writeHead(status, headers).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: origin(),
    pushed,
    counts,
    answers,
    /** A browser subscribes. @returns the page's PushSubscription */
    subscribe(device: string) {
      const curve = createECDH('prime256v1');
      const p256dh = curve.generateKeys('base64url');
      const auth = randomBytes(16);
      browsers.set(device, { curve, auth });
      return { endpoint: `${origin()}/${device}`, keys: { p256dh, auth: auth.toString('base64url') } };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toJwk(key: string) {
  const point = Buffer.from(key, 'base64url');
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
}

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** RFC 8188 with the keys of RFC 8291 §3.4; one record. */
function decrypt(body: Buffer, { curve, auth }: { curve: ReturnType<typeof createECDH>; auth: Buffer }): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]);
  const secret = derive(curve.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const record = body.subarray(21 + keyLength);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
