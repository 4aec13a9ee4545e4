import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { importJWK, jwtVerify } from 'jose';

type Pushed = { device: string; payload: string; topic: string; ttl: string; subject: string };

/**
 * A push service of a browser's maker, with the browsers behind it: it checks who sends (RFC 8292), and decrypts what
 * came as the browser would (RFC 8291).
 */
export async function startPushService() {
  const pushed: Pushed[] = [];
  /** By device, the status that it answers instead of 201. */
  const statuses = new Map<string, number>();
  const browsers = new Map<string, { curve: ReturnType<typeof createECDH>; auth: Buffer }>();
  const server = createServer((request, response) => {
    const device = /^\/([^?]*)/.exec(request.url ?? '')?.[1] ?? '';
    const receive = async () => {
      const body = await buffer(request);
      const status = statuses.get(device) ?? 201;
      if (status !== 201) return status;
      const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(request.headers.authorization ?? '') ?? [];
      const { payload } = await jwtVerify(token, await importJWK(toJwk(key), 'ES256'), { audience: origin() });
      const browser = browsers.get(device);
      if (browser === undefined) return 404;
      pushed.push({
        device,
        payload: decrypt(body, browser),
        topic: String(request.headers['topic']),
        ttl: String(request.headers['ttl']),
        subject: String(payload.sub),
      });
      return 201;
    };
    void receive()
      .catch(() => 403)
      .then((status) => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: origin(),
    pushed,
    statuses,
    /** A browser subscribes. @returns what its PushManager gives the page */
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
