import { PassThrough } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, isRouteErrorResponse, ServerRouter } from 'react-router';
import { requestContext } from './context.ts';
import { type HtmlPiece, withKeptParts } from './keep-html.tsx';
import { paintFirst } from './paint-first.ts';

export { createLoadContext } from './context.ts';

/**
 * Renders the complete page before sending: all loaders have finished, nothing is deferred, and visitors’ pages are
 * cached in memory (see http/pages/pages.ts). Hands the page over as text: as the body of a response it would be encoded and
 * decoded again.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, reportError, isKept, takeHtml } = loadContext.get(requestContext);
  const { serverHandoffStream, ...context } = routerContext;
  const data = await new Response(serverHandoffStream ?? null).text();
  if (status === 200 && isKept(data)) return new Response(null, { status, headers });
  const page = <ServerRouter context={withMatchedRoutesOnly(context)} url={request.url} nonce={nonce} />;
  let html = renderAtOnce(page);
  if (html === undefined) {
    const late = await renderWhenReady(page, nonce, reportError, request.signal);
    html = [late.html];
    if (late.hasFailed) status = 500;
  }
  headers.set('content-type', 'text/html; charset=utf-8');
  takeHtml(paintFirst(html, nonce), context.renderMeta?.didRenderScripts === true ? data : undefined);
  return new Response(null, { status, headers });
}

/** The router builds routes for each page that it renders; of eighty, only those of this address are needed. */
function withMatchedRoutesOnly(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = staticHandlerContext.matches.map(({ route: { id } }) => [id, manifest.routes[id]] as const);
  return { ...context, manifest: { ...manifest, routes: Object.fromEntries(routes) } };
}

/**
 * Writes one string, which takes half the time of a stream.
 * @returns undefined when a part is not loaded yet, or fails
 */
function renderAtOnce(page: ReactNode): HtmlPiece[] | undefined {
  try {
    const pieces = withKeptParts(page, renderWhole);
    // Unlike the stream, it writes no document type.
    return ['<!DOCTYPE html>', ...pieces];
  } catch {
    // Rendered again as a stream, so that errors are reported in one place.
    return undefined;
  }
}

/** Throws before any part is stored when a Suspense boundary is left to the browser (React, `ReactFizzConfigDOM`). */
function renderWhole(page: ReactNode): string {
  const html = renderToString(page);
  if (html.includes('<!--$!-->') || html.includes('<!--$?-->')) throw new Error('A part is not loaded yet');
  return html;
}

function renderWhenReady(
  page: ReactNode,
  nonce: string,
  reportError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<{ html: string; hasFailed: boolean }> {
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Writes late parts in place, not at the end for a script to move.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        const chunks: Buffer[] = [];
        const sink = new PassThrough();
        sink.on('data', (chunk: Buffer) => chunks.push(chunk));
        sink.on('end', () => resolve({ html: Buffer.concat(chunks).toString(), hasFailed }));
        sink.on('error', reject);
        pipe(sink);
      },
      onShellError: reject,
      onError(error) {
        hasFailed = true;
        reportError(error);
      },
    });
    signal.addEventListener('abort', () => abort(signal.reason), { once: true });
  });
}

export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  // The router’s own responses to addresses without a route, for example one with a line separator.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(requestContext).reportError(error);
}
