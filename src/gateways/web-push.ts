import { createECDH, hkdfSync } from 'node:crypto';
import type { Push } from '#domain/gateways.ts';

/** Push services of the browsers. Only these are asked, so that nobody makes the site call addresses of their choice. */
const services = [
  /^fcm\.googleapis\.com$/,
  /^(updates\.|[\w-]+\.)?push\.services\.mozilla\.com$/,
  /^([\w-]+\.)?push\.apple\.com$/,
  /^[\w-]+(\.[\w-]+)?\.notify\.windows\.com$/,
];

const timeoutMs = 10_000;

/**
 * Web Push (RFC 8030) with encrypted messages (RFC 8291) and a signed sender (VAPID, RFC 8292).
 * @param options.secret the site's: the key pair is derived from it, and so is the same in every process and after a
 * restore of the backup
 * @param options.contact `mailto:` or `https:` address by which a push service reaches the operator
 * @param options.moreServices further origins that may be asked
 */
export function openWebPush(options: { secret: string; contact: string; moreServices?: string[] }): Push {
  const { contact: subject, moreServices = [] } = options;
  const keys = deriveKeys(options.secret);
  function accepts(endpoint: string): boolean {
    const url = URL.parse(endpoint);
    if (url === null || url.username !== '' || url.password !== '') return false;
    if (moreServices.includes(url.origin)) return true;
    return url.protocol === 'https:' && url.port === '' && services.some((host) => host.test(url.hostname));
  }
  return {
    publicKey: keys.publicKey,
    accepts,
    async send({ endpoint, p256dh, auth }, { payload, topic, ttlSeconds }) {
      if (!accepts(endpoint)) return 'gone';
      try {
        // Loaded with the first push, because few sites need it at their start.
        const { default: webPush } = await import('web-push');
        const { method, headers, body } = webPush.generateRequestDetails(
          { endpoint, keys: { p256dh, auth } },
          payload,
          {
            vapidDetails: { subject, ...keys },
            TTL: ttlSeconds,
            topic,
            urgency: 'normal',
            contentEncoding: 'aes128gcm',
          },
        );
        const response = await fetch(endpoint, {
          method,
          headers: headers as Record<string, string>,
          body: new Uint8Array(body ?? Buffer.alloc(0)),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.body?.cancel();
        if (response.ok) return 'sent';
        return response.status === 404 || response.status === 410 ? 'gone' : 'later';
      } catch {
        return 'later';
      }
    },
  };
}

/** A P-256 key pair, in base64url. Not every 32 bytes are a private key, though nearly all are. */
function deriveKeys(secret: string): { publicKey: string; privateKey: string } {
  for (let count = 0; ; count += 1) {
    const privateKey = Buffer.from(hkdfSync('sha256', secret, 'sotto', `web push ${count}`, 32));
    const curve = createECDH('prime256v1');
    try {
      curve.setPrivateKey(privateKey);
    } catch {
      continue;
    }
    return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
  }
}
