import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another site, of one page: on loopback, names make sites foreign to each other. */
export async function startHostPage(
  siteUrl: string,
): Promise<{ url: string; show(html: string): void; close(): Promise<void> }> {
  let body = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Another site</title><body><main><h1>Blog</h1>${body}</main>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${new URL(siteUrl).hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}/`,
    show: (html) => void (body = html),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
