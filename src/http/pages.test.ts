import { RouterContextProvider } from 'react-router';
import type { ServerBuild } from 'react-router';
import { expect, test } from 'vitest';
import { parseConfig } from '#config';
import type { Site } from '#domain/site.ts';
import { createPageHandler } from './pages.ts';
import { createPublicCache } from './public-cache.ts';

/** Pages that say what they were asked, and with which headers. */
const echo = {
  entry: {
    module: {
      createLoadContext: () => new RouterContextProvider(),
      default: (request: Request) =>
        new Response(JSON.stringify([request.url, ...request.headers]), { headers: { 'content-type': 'text/html' } }),
    },
  },
  routes: { root: { id: 'root', path: '*', module: { default: () => null, loader: () => null } } },
  assets: { entry: { imports: [], module: '' }, routes: { root: { id: 'root' } }, url: '', version: '' },
  future: {},
  ssr: true,
  routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
} as unknown as ServerBuild;

const answer = createPageHandler({
  loadBuild: async () => echo,
  site: { facts: { name: 'Sotto', url: 'https://sotto.example' } } as unknown as Site,
  config: parseConfig({ SITE_URL: 'https://sotto.example' }),
  cache: createPublicCache({ maxBytes: 1_000_000, maxAge: 8000 }),
  development: false,
});

async function ask(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await answer(new Request(`http://${headers['host'] ?? 'localhost'}${path}`, { headers }));
  expect(response.status).toBe(200);
  return response.text();
}

test('a page is made of nothing but what it is kept under: other parameters, headers and hosts reach nobody', async () => {
  const page = await ask('/audios?evil=1&free=true&_routes=a&free=&sort=%22', {
    host: 'evil.example',
    'user-agent': 'evil',
    'x-forwarded-host': 'evil.example',
  });
  expect(page).toBe(JSON.stringify(['https://sotto.example/audios?_routes=a&free=true&free=&sort=%22']));
  expect(await ask('/audios?free=true&free=&sort=%22&_routes=a')).toBe(page);
});

test.each(['//', '//evil.example', '//evil.example/audios', '///'])('%s is a path here, never a host', async (path) => {
  expect(await ask(path)).toBe(JSON.stringify([`https://sotto.example${path}`]));
});
