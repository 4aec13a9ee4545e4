import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** The site behind a proxy that can fail. It has no service worker, whose cache would answer instead. */
export async function openSiteProxy(siteUrl: string) {
  const { hostname, port, host } = new URL(siteUrl);
  let isBroken: (path: string) => boolean = () => false;
  let isLate = false;
  let isHeld: (path: string) => boolean = () => false;
  /** Each sends a held request on. */
  const held: (() => void)[] = [];
  /** Paths of the broken requests. */
  const broken: string[] = [];

  function handle(near: IncomingMessage, answer: ServerResponse): void {
    const { url: path = '/' } = near;
    if (path.startsWith('/service-worker.js')) return void answer.writeHead(404).end();
    if (isBroken(path)) {
      broken.push(path);
      // Browsers repeat a request whose connection broke.
      const fail = () => void answer.writeHead(503, { 'cache-control': 'no-store' }).end();
      return isLate && broken.length % 2 === 0 ? void setTimeout(fail, 1000) : fail();
    }
    if (isHeld(path)) return void held.push(() => pass(near, answer));
    pass(near, answer);
  }

  function pass(near: IncomingMessage, answer: ServerResponse): void {
    const { url: path = '/', method } = near;
    const far = request(
      { hostname, port, path, method, headers: { ...near.headers, host }, agent: false },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
        response.pipe(answer);
      },
    );
    far.on('error', () => near.socket.destroy());
    near.pipe(far);
  }

  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    broken,
    /** From now on. */
    breakWhere(test: (path: string) => boolean) {
      broken.length = 0;
      isLate = false;
      isBroken = test;
    },
    /** From now on. Those that are held already stay. */
    holdWhere(test: (path: string) => boolean) {
      isHeld = test;
    },
    /** Sends on what is held, and holds nothing more. */
    release() {
      isHeld = () => false;
      for (const send of held.splice(0)) send();
    },
    /** Breaks the first request for each script from now on, every other one a second late. */
    breakEachScriptOnce() {
      broken.length = 0;
      isLate = true;
      isBroken = (path) => path.endsWith('.js') && !broken.includes(path);
    },
  };
}
