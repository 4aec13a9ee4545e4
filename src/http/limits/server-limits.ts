import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'hono';
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
    const client = clientOf({ socket, headers: {} }, 0);
    const count = (open.get(client) ?? 0) + 1;
    if (count > clientConnections) return void socket.destroy();
    open.set(client, count);
    socket.once('close', () => leave(open, client));
  });
}

/**
 * Replaces `limitConnections` behind a proxy: limits a client's requests whose responses are not fully read.
 * @returns a function that returns false for a request beyond the limit
 */
export function limitRequestsUnderWay({ trustProxy, clientConnections }: ClientLimit) {
  const open = new Map<string, number>();
  return (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    if (trustProxy === 0) return true;
    const client = clientOf(incoming, trustProxy);
    const count = (open.get(client) ?? 0) + 1;
    if (count > clientConnections) return false;
    open.set(client, count);
    outgoing.once('close', () => leave(open, client));
    return true;
  };
}

function leave(open: Map<string, number>, client: string): void {
  const left = (open.get(client) ?? 1) - 1;
  if (left === 0) open.delete(client);
  else open.set(client, left);
}

/** The same client key as in other limits. */
export function clientOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>, trustProxy: number): string {
  const header = (name: string) => headers[name]?.toString();
  return clientAddress({ req: { header }, env: { incoming: { socket } } } as unknown as Context, trustProxy);
}
