import { PassThrough } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { isRouteErrorResponse, ServerRouter } from 'react-router';
import { requestContext } from './context.ts';

export { createLoadContext } from './context.ts';

/**
 * Renders the complete page before sending: all loaders have finished, nothing is deferred, and visitors’ pages are
 * cached in memory (see http/pages.ts).
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, reportError } = loadContext.get(requestContext);
  return new Promise((resolve, reject) => {
    let responseStatus = status;
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        // Parts whose code is late are written in their place, not at the end for a script to move there.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          const chunks: Buffer[] = [];
          const sink = new PassThrough();
          sink.on('data', (chunk: Buffer) => chunks.push(chunk));
          sink.on('end', () => {
            headers.set('content-type', 'text/html; charset=utf-8');
            resolve(new Response(paintFirst(Buffer.concat(chunks).toString()), { status: responseStatus, headers }));
          });
          sink.on('error', reject);
          pipe(sink);
        },
        onShellError: reject,
        onError(error) {
          responseStatus = 500;
          reportError(error);
        },
      },
    );
    request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true });
  });
}

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
