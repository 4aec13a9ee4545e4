import type { CachedAnswer } from '../compression.ts';
import { chooseCoding, encodeOnceOnly, plainOf, sendCached } from '../compression.ts';
import { nextRequestId } from '../observe.ts';

/** A rendered page, or its data. Contains nothing of one request, so that visitors share it with its policy. */
export type RenderedPage = CachedAnswer & { status: number };

/** A page of visitors: compressed once for each coding, with an entity tag. */
export function sendSharedPage(page: RenderedPage, request: Request): Response | Promise<Response> {
  return sendCached(page, request, { ...page.headers, 'x-request-id': nextRequestId() });
}

/** Encodes an unshared page as the client accepts. */
export async function sendPage(page: RenderedPage, request: Request): Promise<Response> {
  const headers = { ...page.headers };
  if (request.method === 'HEAD' || page.status === 204 || page.status === 304)
    return new Response(null, { status: page.status, headers });
  const body = plainOf(page);
  const coding = chooseCoding(request.headers.get('accept-encoding'), body.length);
  if (coding === undefined) return new Response(body, { status: page.status, headers });
  headers['content-encoding'] = coding;
  return new Response(await encodeOnceOnly(body, coding), { status: page.status, headers });
}
