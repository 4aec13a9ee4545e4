import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `hold`: accepts requests without answering. `unavailable`: 503, like an overloaded storage. `forbidden`: 403, like an
 * expired signed address. `refuse`: nothing listens. `cut`: breaks the connection after this many bytes of a body.
 */
export type StorageMode = 'pass' | 'hold' | 'unavailable' | 'forbidden' | 'refuse' | { cut: number };

export type StorageProxy = {
  url: string;
  /** Mode of all requests from now on. `times`: back to `pass` after this many. */
  set(mode: StorageMode, times?: number): Promise<void>;
  /** Method, path and range of each request since the last call. */
  takeRequests(): string[];
  close(): Promise<void>;
};

/** An HTTP proxy for a storage, to simulate its failures. Forwards the Host header, which is part of signatures. */
export async function openStorageProxy(endpoint: string): Promise<StorageProxy> {
  const { hostname, port } = new URL(endpoint);
  let mode: StorageMode = 'pass';
  let left = Number.POSITIVE_INFINITY;
  let requests: string[] = [];

  function handle(near: IncomingMessage, answer: ServerResponse): void {
    requests.push(`${near.method} ${near.url?.split('?')[0]} ${near.headers.range ?? ''}`.trim());
    const now = mode;
    left -= 1;
    if (left <= 0) mode = 'pass';
    if (now === 'hold') return;
    if (now === 'forbidden') {
      near.resume();
      answer.writeHead(403).end();
      return;
    }
    if (now === 'unavailable') {
      near.resume();
      answer.writeHead(503, { 'content-type': 'application/xml' });
      answer.end('<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please wait</Message></Error>');
      return;
    }
    const { url: path, method, headers } = near;
    // Without the agent, whose idle connections the storage may have closed.
    const far = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      let sent = 0;
      response.on('data', (chunk: Buffer) => {
        const max = typeof now === 'object' ? now.cut - sent : chunk.length;
        sent += chunk.length;
        if (chunk.length <= max) {
          if (!answer.write(chunk)) {
            response.pause();
            answer.once('drain', () => response.resume());
          }
        } else answer.write(chunk.subarray(0, max), () => answer.destroy());
      });
      response.on('end', () => answer.end());
      response.on('error', () => answer.destroy());
    });
    far.on('error', () => answer.destroy());
    answer.on('close', () => far.destroy());
    near.pipe(far);
  }

  const server = createServer(handle);
  const listen = (on: number) => new Promise<void>((resolve) => server.listen(on, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address() as AddressInfo;

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    async set(next, times = Number.POSITIVE_INFINITY) {
      mode = next;
      left = times;
      if (next === 'refuse') await close();
      else if (!server.listening) await listen(address.port);
    },
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    close,
  };
}
