import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorResponse } from './errors.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** More than any call takes in JSON; each call has its own, tighter limit for what comes out of it. */
const mostBodyBytes = 1024 * 1024;

/**
 * The v2 transport of spec §7: answers in JSON go out as encrypted text, and bodies come in under `rpc`. What it is and
 * is not stands in docs/decisions/009-transport.md; the browser's side is src/web/transport.ts.
 * @param key 32 bytes in base64
 */
export function openTransport(key: string): {
  /** Stands around all that makes, keeps or marks answers: each one gets a nonce of its own. */
  encryptAnswers: MiddlewareHandler;
  /** Stands right before the routes, so that a refusal is an answer like any other. */
  decryptBodies: MiddlewareHandler;
} {
  const secret = Buffer.from(key, 'base64');

  function encrypt(plain: Uint8Array, bound: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(bound));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
  }

  function decrypt(text: string, bound: string): string | undefined {
    // Node passes over what is not base64; here it is a body that someone has changed.
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

  const encryptAnswers: MiddlewareHandler = async (context, next) => {
    await next();
    const plain = context.res;
    const isJson = plain.headers.get('content-type')?.startsWith('application/json') === true;
    if ((!isJson && plain.body !== null) || context.req.path.endsWith('/openapi.json')) return;
    const headers = new Headers(plain.headers);
    // It would name the plain text; and no two encrypted ones are the same.
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
      text = await raw.text();
    } catch {
      // Whoever sent it went away in the middle of it.
      return errorResponse('request/invalid');
    }
    const rpc = rpcOf(text);
    const plain = rpc === undefined ? text : decrypt(rpc, `request ${callOf(context)}`);
    if (plain === undefined || (rpc !== undefined && !isJson(plain))) return errorResponse('request/invalid');
    const headers = new Headers(raw.headers);
    // What the routes' own limits go by.
    headers.set('content-length', String(Buffer.byteLength(plain)));
    headers.delete('transfer-encoding');
    context.req.raw = new Request(raw.url, { method: raw.method, headers, body: plain, signal: raw.signal });
    return next();
  };

  const limit = bodyLimit({ maxSize: mostBodyBytes, onError: () => errorResponse('request/too-large') });
  const decryptBodies: MiddlewareHandler = async (context, next) => {
    const { raw } = context.req;
    const isJson = /^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? '');
    if (!isJson || raw.body === null) return next();
    let answer: Response | void = undefined;
    const refused = await limit(context, async () => {
      answer = await decryptRead(context, next);
    });
    return refused ?? answer;
  };

  return { encryptAnswers, decryptBodies };
}

/** Bound to each text, so that one is of no use at another call. The path is as it was sent, without its query. */
function callOf(context: Context): string {
  return `${context.req.method} ${new URL(context.req.raw.url).pathname}`;
}

/** @returns undefined for a plain body; what is no text at all under `rpc` is given as one that does not open */
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
