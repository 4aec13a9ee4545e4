import { createHash } from 'node:crypto';
import type { PublicCache } from './public-cache.ts';

type KeptText = { bytes: number; body: string; etag: string };

/**
 * A text that is the same for everyone, made once in a while and sent again. @param make undefined where there is nothing
 * of that name @returns undefined then
 */
export async function keptText(
  request: Request,
  {
    cache,
    key,
    type,
    make,
  }: { cache: PublicCache; key: string; type: string; make: () => Promise<string | undefined> },
): Promise<Response | undefined> {
  const kept = await cache.get<KeptText>(key, async () => {
    const body = await make();
    if (body === undefined) return undefined;
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    return { bytes: body.length * 2, body, etag };
  });
  if (kept === undefined) return undefined;
  const headers = { 'content-type': type, etag: kept.etag, 'cache-control': 'public, max-age=300' };
  if (request.headers.get('if-none-match')?.split(/,\s*/).includes(kept.etag))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : kept.body, { headers });
}
