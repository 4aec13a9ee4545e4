import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { errorResponse } from './errors.ts';
import { clientAddress } from './rate-limit.ts';

type ClientLimit = {
  trustProxy: number;
  /** Concurrent connections of one client; behind a proxy, its running requests. */
  clientConnections: number;
};

/**
 * Timeouts of idle connections, and the limit of connections per client. Request bodies have a tighter deadline
 * (`limitBody`).
 */
export function limitConnections(server: Server, { trustProxy, clientConnections }: ClientLimit): void {
  // Since Node 18 these count from the first byte of a request, so they may be shorter than the idle time.
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  // Longer than proxies keep idle connections (nginx and AWS 60 s, clients of nginx 75 s): otherwise a request may meet
  // a closing connection.
  server.keepAliveTimeout = 80_000;
  // Two minutes without progress close the connection and its file; a player resumes with a range request.
  server.setTimeout(120_000);
  // A proxy's connections belong to many clients.
  if (trustProxy > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket);
    const count = (open.get(client) ?? 0) + 1;
    if (count > clientConnections) return void socket.destroy();
    open.set(client, count);
    socket.once('close', () => leave(open, client));
  });
}

/** Replaces `limitConnections` behind a proxy: limits a client's requests whose responses are not fully read. */
export function limitRequestsUnderWay({ trustProxy, clientConnections }: ClientLimit): MiddlewareHandler {
  const open = new Map<string, number>();
  return async (context, next) => {
    const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
    if (trustProxy === 0 || outgoing === undefined) return next();
    const client = clientAddress(context, trustProxy);
    const count = (open.get(client) ?? 0) + 1;
    if (count > clientConnections) return errorResponse('request/too-many');
    open.set(client, count);
    outgoing.once('close', () => leave(open, client));
    return next();
  };
}

function leave(open: Map<string, number>, client: string): void {
  const left = (open.get(client) ?? 1) - 1;
  if (left === 0) open.delete(client);
  else open.set(client, left);
}

/** Uses the same client key as other limits; the socket alone has no proxy headers. */
function clientOf(socket: Socket): string {
  const context = { req: { header: () => undefined }, env: { incoming: { socket } } };
  return clientAddress(context as unknown as Context, 0);
}
