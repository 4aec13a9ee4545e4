import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Config } from '#config';
import { StartError } from '#db/embedded/start-error.ts';
import { answerClientError } from '#http/client-error.ts';
import { errorResponse } from '#http/errors.ts';
import { commonHeaders } from '#http/security-headers.ts';
import { limitRequestsUnderWay } from '#http/limits/server-limits.ts';
import type { Middleware } from './open-pages.ts';

type Fetch = (request: Request) => Response | Promise<Response>;
type SendFromCaches = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

type ListenOptions = {
  config: Config;
  fetch: Fetch;
  /** Answers what it can before the app. */
  sendFromCaches: SendFromCaches;
  /** Vite's, in development. */
  middlewares: Middleware | undefined;
  /** Closes connections after their request. */
  isLeaving: () => boolean;
};

/** Starts to listen. @returns the port @throws StartError if it cannot listen */
export async function listen(server: Server, options: ListenOptions): Promise<number> {
  const { config, isLeaving } = options;
  server.on('clientError', answerClientError(commonHeaders(config)));
  server.on('request', (_request, response) => {
    if (isLeaving()) response.shouldKeepAlive = false;
  });
  server.on('request', answerWith(options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(describeListenFailure(error, config)));
    // Large backlog, so that bursts do not hit TCP retries.
    server.listen({ port: config.port, host: config.host, backlog: 4096 }, () => resolve());
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

export function describeListenFailure(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
): StartError {
  const reason = code === 'EADDRINUSE' ? 'something else listens there already' : (code ?? message);
  return new StartError(`nothing can listen on ${host}:${port}: ${reason}`);
}

function answerWith({ config, fetch, sendFromCaches, middlewares }: ListenOptions): RequestListener {
  const headers = commonHeaders(config);
  const isWithinLimit = limitRequestsUnderWay(config);
  const refuse = getRequestListener(() => errorResponse('request/too-many'));
  const refuseHosts = getRequestListener(() => errorResponse('request/invalid', undefined, headers));
  const answerByApp = getRequestListener(fetch, {
    // Load balancer probes speak HTTP/1.0, which has no Host header.
    hostname: new URL(config.siteUrl).host,
    // An invalid Host header or path, rejected before the app runs.
    errorHandler: () => errorResponse('request/invalid', undefined, headers),
  });
  const answer: RequestListener = (incoming, outgoing) => {
    if (!isWithinLimit(incoming, outgoing)) return void refuse(incoming, outgoing);
    if (hasSeveralHosts(incoming)) return void refuseHosts(incoming, outgoing);
    if (!sendFromCaches(incoming, outgoing)) void answerByApp(incoming, outgoing);
  };
  // Vite serves its own modules and styles, the site everything else.
  if (middlewares === undefined) return answer;
  return (incoming, outgoing) => middlewares(incoming, outgoing, () => answer(incoming, outgoing));
}

/**
 * Node keeps the first `Host` line and drops the others, while a proxy or cache before it may have read another one:
 * such a request is invalid (RFC 9112, 3.2).
 */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

/** Lets running requests finish; closes idle connections at once, and the rest after `maxMs`. */
export async function closeServer(server: Server, maxMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 200);
  const force = setTimeout(() => server.closeAllConnections(), maxMs);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}

/** Origin of this process on its own machine. */
export function originOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
