import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, expect, test } from 'vitest';
import { parseConfig } from '#config';
import { probeRoutes } from '#http/site-probe.ts';
import { reportInto } from '#test/support/findings.ts';
import { checkSite, findAddressProblems } from './network.ts';
import { textOf } from './report.ts';

const site = { SITE_URL: 'https://sotto.example', TRUST_PROXY: '1' };

test.each<[string, Record<string, string>, string[]]>([
  ['one machine', {}, []],
  ['a proxy on the same machine', site, []],
  ['no TLS', { SITE_URL: 'http://sotto.example' }, ['SITE_URL is http://sotto.example: without https']],
  ['an address for this machine only', { HOST: '0.0.0.0', SITE_URL: 'http://127.0.0.1' }, ['which only this machine']],
  ['a proxy that is not trusted', { ...site, TRUST_PROXY: '0' }, ['and TRUST_PROXY is 0']],
  ['a port beside the proxy', { ...site, HOST: '0.0.0.0' }, ['past the proxy can claim any address']],
  ['a cache without a proxy', { PROXY_CACHE: 'true' }, ['PROXY_CACHE is on']],
])('findAddressProblems: %s', (_title, settings, problems) => {
  expect(findAddressProblems(parseConfig(settings)).map(textOf)).toEqual(
    problems.map((problem) => expect.stringContaining(problem) as string),
  );
});

const secret = 's'.repeat(32);
const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => servers.forEach((server) => server.close()));

async function portOf(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return (server.address() as AddressInfo).port;
}

const health: RequestListener = ({ url }, response) =>
  void response.end(url === '/healthz' ? 'ok\n' : url === '/readyz' ? 'ready\n' : 'other');

async function startProbed(): Promise<{ port: number; proxyPort: number }> {
  const app = probeRoutes(secret);
  const answer = getRequestListener(app.fetch);
  const port = await portOf((request, response) =>
    request.url?.startsWith('/healthz/probe') === true ? void answer(request, response) : health(request, response),
  );
  const proxyPort = await portOf(async ({ url }, response) => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    response.end(await (await fetch(`http://127.0.0.1:${port}${url}`, { headers })).text());
  });
  return { port, proxyPort };
}

/** `0.0.0.0` is not a loopback name, but leads to this machine. */
async function findingsOf(settings: Record<string, string>): Promise<string[]> {
  const findings: string[] = [];
  await checkSite(parseConfig({ SECRET: secret, DATA_DIR: '/nowhere', PORT: '1', ...settings }), reportInto(findings));
  return findings;
}

test('the site is asked at its own address, and tells how many proxies the request passed', async () => {
  const { port, proxyPort } = await startProbed();
  const proxied = { SITE_URL: `http://0.0.0.0:${proxyPort}`, PORT: String(port) };
  expect(await findingsOf({ ...proxied, TRUST_PROXY: '1' })).toEqual([
    `ok Site answers at http://0.0.0.0:${proxyPort}`,
    'ok Proxies a request from here passes 1 proxy, as TRUST_PROXY says',
    `ok Port a Sotto answers on 127.0.0.1:${port}`,
  ]);
  expect((await findingsOf(proxied))[1]).toMatch(
    /^FAIL Proxies .* 1 proxy, and TRUST_PROXY is 0: many listeners .* to 1$/,
  );
  const direct = { SITE_URL: `http://0.0.0.0:${port}`, TRUST_PROXY: '2' };
  expect((await findingsOf(direct))[1]).toMatch(/^FAIL Proxies .* 0 proxies, and TRUST_PROXY is 2: .* any address/);
});

test('a site that runs elsewhere is not called stopped, and another one is not taken for it', async () => {
  const { port } = await startProbed();
  const siteUrl = `http://0.0.0.0:${port}`;
  const free = await portOf(health);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect((await findingsOf({ SITE_URL: siteUrl, PORT: String(free) })).at(-1)).toBe(
    `ok Port 127.0.0.1:${free} is free; the site answers at ${siteUrl}`,
  );
  const other = await findingsOf({ SITE_URL: siteUrl, SECRET: 't'.repeat(32) });
  expect(other[0]).toMatch(/^FAIL Site the Sotto at .* has another secret/);
  const stranger = await portOf((_request, response) => void response.end('other'));
  expect((await findingsOf({ SITE_URL: `http://0.0.0.0:${stranger}` }))[0]).toMatch(/^FAIL Site something other/);
  expect((await findingsOf({ SITE_URL: `http://0.0.0.0:${free}` }))[0]).toMatch(
    /^warn Site nothing can be reached .*ECONN/,
  );
  expect((await findingsOf({ SITE_URL: `http://0.0.0.0:${free}`, PORT: String(port) }))[0]).toMatch(
    /^FAIL Site it runs here and cannot be reached/,
  );
});
