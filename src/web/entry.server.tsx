import { PassThrough } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { isRouteErrorResponse, ServerRouter } from 'react-router';
import { requestContext } from './context.ts';
import { withKeptParts } from './keep-html.tsx';

export { createLoadContext } from './context.ts';

/**
 * Renders the complete page before sending: all loaders have finished, nothing is deferred, and visitors’ pages are
 * cached in memory (see http/pages.ts). Hands the page over as text: as the body of a response it would be encoded and
 * decoded again.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, reportError, takeHtml } = loadContext.get(requestContext);
  const { serverHandoffStream, ...context } = routerContext;
  const data = await new Response(serverHandoffStream ?? null).text();
  const page = <ServerRouter context={context} url={request.url} nonce={nonce} />;
  let html = renderAtOnce(page);
  if (html === undefined) {
    const late = await renderWhenReady(page, nonce, reportError, request.signal);
    html = late.html;
    if (late.hasFailed) status = 500;
  }
  headers.set('content-type', 'text/html; charset=utf-8');
  takeHtml(paintFirst(context.renderMeta?.didRenderScripts === true ? withData(html, data, nonce) : html));
  return new Response(null, { status, headers });
}

/**
 * Writes one string, which takes half the time of a stream.
 * @returns undefined when a part is not loaded yet, or fails
 */
function renderAtOnce(page: ReactNode): string | undefined {
  try {
    // Other than the stream, it writes no document type.
    const html = `<!DOCTYPE html>${withKeptParts(page, renderToString)}`;
    // Marks of Suspense boundaries that are left to the browser (React, `ReactFizzConfigDOM`).
    return html.includes('<!--$!-->') || html.includes('<!--$?-->') ? undefined : html;
  } catch {
    // Rendered again, so that the error is reported in one place.
    return undefined;
  }
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
      // Parts whose code is late are written in their place, not at the end for a script to move there.
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

/** Adds the loaders’ data as the router’s own `StreamTransfer` does, which would need a stream. */
function withData(html: string, data: string, nonce: string): string {
  const text = JSON.stringify(data).replaceAll(/[&<>\u2028\u2029]/g, (character) => escapes[character] ?? '');
  const stream = 'window.__reactRouterContext.streamController';
  const script = `<script nonce="${nonce}">${stream}.enqueue(${text});${stream}.close();</script>`;
  const end = html.lastIndexOf('</body>');
  return end === -1 ? html + script : html.slice(0, end) + script + html.slice(end);
}

/** In a script, these would end it or begin a comment (HTML, "Restrictions for contents of script elements"). */
const escapes: Record<string, string> = {
  '&': '\\u0026',
  '<': '\\u003c',
  '>': '\\u003e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * Removes script preloads, so that styles, fonts and the first picture load first. The router has no setting for it.
 */
function paintFirst(html: string): string {
  return html.replaceAll(/<link rel="modulepreload"[^>]*>/g, '');
}

export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  // The router’s own responses to addresses without a route, such as one with a line separator.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.get(requestContext).reportError(error);
}
