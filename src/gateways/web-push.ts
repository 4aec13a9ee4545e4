import { createECDH, hkdfSync } from 'node:crypto';
import type WebPush from 'web-push';
import type { Push, PushOutcome } from '#domain/gateways.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';
import { callLimits } from './call-limits.ts';
import { timedFetch } from './timed-fetch.ts';

/** Push services of the browsers. Others are refused, so that users cannot make the site call arbitrary addresses. */
const services = [
  /^fcm\.googleapis\.com$/,
  /^(updates\.|[\w-]+\.)?push\.services\.mozilla\.com$/,
  /^([\w-]+\.)?push\.apple\.com$/,
  /^[\w-]+(\.[\w-]+)?\.notify\.windows\.com$/,
];

/** Push services must accept messages of this size (RFC 8030 §7.2). */
const maxBytes = 4096;
const hourMs = 60 * 60 * 1000;
/** Tokens stay valid well beyond their last use, so that a slightly wrong clock does no harm. */
const [tokenKeptMs, tokenLastsMs] = [hourMs, 12 * hourMs];
const maxTokens = 100;

/**
 * Web Push (RFC 8030) with encrypted messages (RFC 8291) and a signed sender (VAPID, RFC 8292).
 * @param options.secret the site's; the key pair is derived from it, so it is the same in every process and after a
 * restore
 * @param options.contact `mailto:` or `https:` address of the operator, for push services
 * @param options.moreServices further allowed origins
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
  /** Loaded with the first push, because few sites need it at the start. */
  let loading: Promise<{ default: typeof WebPush }> | undefined;
  const tokens = new Map<string, { header: string; madeAt: number }>();

  /** One token for all pushes of an hour to the same service (RFC 8292 §2 allows up to a day). */
  function authorizationFor(endpoint: string, { getVapidHeaders }: Pick<typeof WebPush, 'getVapidHeaders'>): string {
    const { origin } = new URL(endpoint);
    const known = tokens.get(origin);
    if (known !== undefined && Date.now() - known.madeAt < tokenKeptMs) return known.header;
    const expiresAt = Math.floor((Date.now() + tokenLastsMs) / 1000);
    const { Authorization: header } = getVapidHeaders(
      origin,
      subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
      expiresAt,
    );
    // Few services, although Apple and Windows use several hosts each.
    if (tokens.size >= maxTokens) tokens.clear();
    tokens.set(origin, { header, madeAt: Date.now() });
    return header;
  }

  return {
    publicKey: keys.publicKey,
    accepts,
    async send({ endpoint, p256dh, auth }, { payload, topic, ttlSeconds }) {
      refuseInTransaction('A push service');
      if (!accepts(endpoint)) return { is: 'gone' };
      try {
        const { default: webPush } = await (loading ??= import('web-push'));
        const { method, headers, body } = webPush.generateRequestDetails(
          { endpoint, keys: { p256dh, auth } },
          payload,
          // Without `vapidDetails` nothing is signed.
          { TTL: ttlSeconds, topic, urgency: 'normal', contentEncoding: 'aes128gcm' },
        );
        if (body === null || body.length > maxBytes) return { is: 'refused' };
        const response = await timedFetch(endpoint, {
          method,
          headers: { ...(headers as Record<string, string>), Authorization: authorizationFor(endpoint, webPush) },
          body: new Uint8Array(body),
          redirect: 'error',
          limitMs: callLimits.push.answerMs,
        });
        return outcomeOf(response);
      } catch {
        return { is: 'later' };
      }
    },
  };
}

/** RFC 8030 §5, §7.3 and §8.4. */
function outcomeOf({ ok, status, headers }: Response): PushOutcome {
  if (ok) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  if (status === 413) return { is: 'refused' };
  const waitSeconds = secondsOf(headers.get('retry-after'));
  return waitSeconds === undefined ? { is: 'later' } : { is: 'later', waitSeconds };
}

/** Seconds or a date (RFC 9110 §10.2.3), at most a day. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, Math.ceil(seconds)), 86_400);
}

/** A P-256 key pair, in base64url. Nearly all, but not all, 32-byte values are valid private keys. */
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
