import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** Path and size of an answer, as sent: compressed, without its head. */
export type Passed = { path: string; bytes: number };

/** An HTTP proxy for a whole browser context (`{ proxy: { server } }`), so that the site's address stays the same. */
export type ForwardProxy = {
  server: string;
  /** Requests that reached the site, in order. */
  passed: Passed[];
  /**
   * Accepts requests whose path and range match, such as `/media/x bytes=0-`, and never answers; those under way hang
   * too. `undefined` lets all pass.
   */
  hang(requests: RegExp | undefined): void;
  /** Like some filters and virus scanners: takes `Range` out of requests, and `Accept-Ranges` out of answers. */
  withoutRanges(isOn: boolean): void;
};

export function useForwardProxy(): { open(): Promise<ForwardProxy> } {
  const closers: (() => void)[] = [];
  afterAll(() => {
    for (const close of closers) close();
  });
  return {
    async open() {
      let hanging: RegExp | undefined;
      let strips = false;
      const held = new Set<ServerResponse>();
      const passed: Passed[] = [];

      function handle(near: IncomingMessage, answer: ServerResponse): void {
        const { hostname, port, pathname, search } = new URL(near.url ?? '');
        const hangs = () => hanging?.test(`${pathname} ${near.headers.range ?? ''}`.trim()) === true;
        if (hangs()) return void held.add(answer);
        const headers: IncomingHttpHeaders = { ...near.headers };
        if (strips) delete headers.range;
        const far = request({ hostname, port, path: pathname + search, method: near.method, headers }, (response) => {
          const one = { path: pathname, bytes: 0 };
          passed.push(one);
          const sent = { ...response.headers };
          if (strips) delete sent['accept-ranges'];
          answer.writeHead(response.statusCode ?? 502, sent);
          response.on('data', (chunk: Buffer) => {
            if (hangs()) {
              held.add(answer);
              return response.pause();
            }
            one.bytes += chunk.length;
            if (!answer.write(chunk)) {
              response.pause();
              answer.once('drain', () => response.resume());
            }
          });
          response.on('end', () => answer.end());
          response.on('error', () => answer.destroy());
        });
        far.on('error', () => answer.destroy());
        answer.on('close', () => far.destroy());
        near.pipe(far);
      }

      const proxy = createServer(handle);
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      closers.push(() => {
        proxy.close();
        proxy.closeAllConnections();
      });
      return {
        server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        passed,
        hang(requests) {
          hanging = requests;
          if (requests !== undefined) return;
          // Browsers try again.
          for (const answer of held) answer.destroy();
          held.clear();
        },
        withoutRanges(isOn) {
          strips = isOn;
        },
      };
    },
  };
}
