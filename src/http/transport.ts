import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorResponse } from './errors.ts';
import { hasBodyLimit } from './limits/limit-body.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** For addresses without a limit of their own. */
const maxBodyBytes = 1024 * 1024;

/**
 * The v2 transport of spec §7: JSON answers are sent as encrypted text, and bodies arrive under `rpc`. See
 * docs/decisions/009-transport.md for its limits, and src/web/transport.ts for the browser's side.
 * @param key 32 bytes in base64
 */
export function openTransport(key: string): {
  /** Runs outside all caching and ETag middleware, so that each answer gets its own nonce. */
  encryptResponses: MiddlewareHandler;
  /** Runs right before the routes, so that a refusal is encrypted like any other answer. */
  decryptBodies: MiddlewareHandler;
} {
  const secret = Buffer.from(key, 'base64');

  function encrypt(plain: Uint8Array, bound: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(bound));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
  }

  function decrypt(text: string, bound: string): string | undefined {
    // Node skips invalid base64 characters; here they mean a manipulated body.
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
    const whole = Buffer.from(text, 'base64');
    if (whole.length < nonceBytes + tagBytes) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', secret, whole.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(bound))
      .setAuthTag(whole.subarray(-tagBytes));
    try {
      const plain = Buffer.concat([decipher.update(whole.subarray(nonceBytes, -tagBytes)), decipher.final()]);
      return new TextDecoder('utf-8', { fatal: true }).decode(plain);
    } catch {
      return undefined;
    }
  }

  const encryptResponses: MiddlewareHandler = async (context, next) => {
    const isOpen = context.req.path.endsWith('/openapi.json');
    // Encrypted text does not compress, and compressed text would not be the plain text to encrypt.
    if (!isOpen) context.req.raw.headers.delete('accept-encoding');
    await next();
    const plain = context.res;
    const isJson = plain.headers.get('content-type')?.startsWith('application/json') === true;
    if ((!isJson && plain.body !== null) || isOpen) return;
    const headers = new Headers(plain.headers);
    // The ETag would identify the plain text; and encrypted answers always differ.
    headers.delete('etag');
    headers.delete('content-length');
    if (isJson) headers.set('content-type', 'text/html; charset=utf-8');
    const isEmpty = plain.body === null || context.req.method === 'HEAD';
    const body = isEmpty ? null : encrypt(new Uint8Array(await plain.arrayBuffer()), `answer ${callOf(context)}`);
    // Without this, Hono would add the old headers to the new ones.
    context.res = undefined;
    context.res = new Response(body, { status: plain.status, headers });
  };

  const decryptRead: MiddlewareHandler = async (context, next) => {
    const { raw } = context.req;
    let text: string;
    try {
      text = await context.req.text();
    } catch {
      // The client disconnected while sending.
      return errorResponse('request/invalid');
    }
    const rpc = rpcOf(text);
    const plain = rpc === undefined ? text : decrypt(rpc, `request ${callOf(context)}`);
    if (plain === undefined || (rpc !== undefined && !isJson(plain))) return errorResponse('request/invalid');
    const headers = new Headers(raw.headers);
    // The routes' own limits read this value.
    headers.set('content-length', String(Buffer.byteLength(plain)));
    headers.delete('transfer-encoding');
    // The cached body is the encrypted text.
    context.req.bodyCache = {};
    context.req.raw = new Request(raw.url, { method: raw.method, headers, body: plain, signal: raw.signal });
    return next();
  };

  const limit = bodyLimit({ maxSize: maxBodyBytes, onError: () => errorResponse('request/too-large') });
  const decryptBodies: MiddlewareHandler = async (context, next) => {
    const { raw } = context.req;
    const isJson = /^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? '');
    if (!isJson || raw.body === null) return next();
    if (hasBodyLimit(context)) return decryptRead(context, next);
    let answer: Response | void = undefined;
    const refused = await limit(context, async () => {
      answer = await decryptRead(context, next);
    });
    return refused ?? answer;
  };

  return { encryptResponses, decryptBodies };
}

/** Authenticated with each text, so that it does not decrypt for another call. The path as sent, without its query. */
function callOf(context: Context): string {
  return `${context.req.method} ${new URL(context.req.raw.url).pathname}`;
}

/** @returns undefined for a plain body; a non-string `rpc` is returned as text that does not decrypt */
function rpcOf(text: string): string | undefined {
  if (!text.includes('"rpc"')) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'rpc')) return undefined;
    const { rpc } = body as { rpc: unknown };
    return typeof rpc === 'string' && Object.keys(body).length === 1 ? rpc : '';
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
