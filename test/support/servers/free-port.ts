import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** An unused port of 127.0.0.1, below the range of outgoing connections, so that none of them takes it meanwhile. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

let siteUrl: string | undefined;

/**
 * The address of the sites that test files of this worker start, one after the other. It stays the same, so browsers
 * keep what they installed of the previous file's site; it changes while that site still runs.
 */
export async function findSiteUrl(): Promise<string> {
  if (siteUrl === undefined || !(await isFree(Number(new URL(siteUrl).port))))
    siteUrl = `http://127.0.0.1:${await findFreePort()}`;
  return siteUrl;
}

export function lastSiteUrl(): string | undefined {
  return siteUrl;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
