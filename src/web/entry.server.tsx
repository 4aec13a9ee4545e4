import { PassThrough } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { ServerRouter } from 'react-router';
import { requestContext } from './context.ts';

export { createLoadContext } from './context.ts';

/**
 * Renders a page whole before it is sent: loaders have answered by now, nothing is deferred, and visitors' pages are
 * kept in memory (see http/pages.ts).
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

/** Script is for pressing, not for seeing: unannounced, it lets styles, fonts and the first picture go ahead. The router has no setting for it. */
function paintFirst(html: string): string {
  return html.replaceAll(/<link rel="modulepreload"[^>]*>/g, '');
}

export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (!request.signal.aborted) context.get(requestContext).reportError(error);
}
