import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openWeb } from '#gateways/web/open-web.ts';
import { isPublicAddress } from '#gateways/web/public-address.ts';

/** An address of this machine that counts as public here; 127.0.0.1 stays private. */
const outside = '127.0.0.2';

const feedNamespaces = `xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"`;

export const rssOf = (channel: string) =>
  `<?xml version="1.0"?><rss version="2.0" ${feedNamespaces}><channel><title>After Ten</title>${channel}</channel></rss>`;

/** Settings of a client that finds every name at this host. @param port of the host */
export const onlyOldHost = (port: number): Parameters<typeof openWeb>[0] => ({
  resolve: (_host, _options, done) => done(null, [{ address: outside, family: 4 }]),
  isPublic: (address) => address === outside || isPublicAddress(address),
  ports: ['', String(port)],
});

/** The former host of a podcast, over real HTTP, and a client that reaches it alone. */
export async function startOldHost() {
  const answers = new Map<string, RequestListener>();
  /** Paths that were asked for. */
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, outside, resolve));
  const { port } = server.address() as AddressInfo;
  const web = openWeb(onlyOldHost(port));
  return {
    port,
    url: `http://old.example:${port}`,
    web,
    asked,
    /** Answers a path from now on. */
    put: (path: string, content: string | Uint8Array, type = 'text/xml') =>
      void answers.set(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(content)),
    answer: (path: string, listener: RequestListener) => void answers.set(path, listener),
    gone: (path: string) => void answers.delete(path),
    async close() {
      await web.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
