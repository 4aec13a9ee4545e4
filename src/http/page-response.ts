import { randomBytes } from 'node:crypto';
import { chooseCoding, encode } from './compression.ts';

/** A rendered page, split where each answer's own nonce goes. */
export type RenderedPage = {
  /** Size in the cache. */
  bytes: number;
  status: number;
  headers: Record<string, string>;
  segments: Buffer[];
  /** Content security policy; undefined for page data. */
  policy: string[] | undefined;
};

/** Puts a new nonce into the page and encodes it as the client accepts. */
export async function sendPage(page: RenderedPage, request: Request): Promise<Response> {
  const nonce = randomBytes(16).toString('base64url');
  const headers = { ...page.headers };
  if (page.policy !== undefined) headers['content-security-policy'] = page.policy.join(nonce);
  // The page was made without unknown parameters, such as the second of a shared link.
  if (headers['location']?.startsWith('/'))
    headers['location'] = headers['location'].replace(/\?.*$/, '') + new URL(request.url).search;
  if (request.method === 'HEAD' || page.status === 204 || page.status === 304)
    return new Response(null, { status: page.status, headers });
  const body = join(page.segments, Buffer.from(nonce));
  const coding = chooseCoding(request.headers.get('accept-encoding'), body.length);
  if (coding === undefined) return new Response(body, { status: page.status, headers });
  headers['content-encoding'] = coding;
  return new Response(await encode(body, coding), { status: page.status, headers });
}

function join(segments: Buffer[], between: Buffer): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(
    segments.reduce((sum, segment) => sum + segment.length + between.length, -between.length),
  );
  let at = 0;
  for (const [index, segment] of segments.entries()) {
    if (index > 0) {
      whole.set(between, at);
      at += between.length;
    }
    whole.set(segment, at);
    at += segment.length;
  }
  return whole;
}
