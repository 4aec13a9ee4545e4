import { runInNewContext } from 'node:vm';
import {
  RouterContextProvider,
  UNSAFE_decodeViaTurboStream as decode,
  createRequestHandler,
  type ServerBuild,
} from 'react-router';
import { expect, test } from 'vitest';
import { dataScript, patternOf, withWatchedLoaders } from './page-data.ts';

const audios = Array.from({ length: 30 }, (_, n) => ({ id: n, title: `“Title” ${n} </script> 'of' "\\\n\u2028<!--&` }));
const tooSlow = new Error('canceling statement due to statement timeout');
const routeOf = (id: string, path: string, loader: () => unknown) => ({
  id,
  path,
  parentId: id === 'root' ? undefined : 'root',
  module: { default: () => null, loader },
});
const build = {
  routes: {
    root: routeOf('root', '', () => ({ site: 'Sotto' })),
    page: routeOf('page', 'page', () => ({ audios })),
    slow: routeOf('slow', 'slow/:name', () => {
      throw tooSlow;
    }),
  },
  entry: { module: { default: () => new Response(), handleError: () => {} } },
  assets: { version: '1', routes: {}, entry: {} },
  routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
  future: {},
  ssr: true,
  prerender: [],
  basename: '/',
  publicPath: '/',
} as unknown as ServerBuild;

async function ask(path: string) {
  const context = new RouterContextProvider();
  const handle = createRequestHandler(
    withWatchedLoaders(build, (error) => error === tooSlow),
    'production',
  );
  const response = await handle(new Request(`http://site.test${path}`), context);
  return { text: await response.text(), context };
}

async function decodeText(text: string): Promise<unknown> {
  const { value } = await decode(new Response(text).body ?? new ReadableStream(), globalThis as never);
  return value;
}

test('a route whose statement ran into its limit says so by its status, and its pattern is known', async () => {
  const { text, context } = await ask('/slow/Ann.data');
  expect(await decodeText(text)).toMatchObject({ root: { data: { site: 'Sotto' } }, slow: { error: { status: 504 } } });
  expect(patternOf(context)).toBe('/slow/:name');
});

test('the script of a document gives the router the same text, and holds no tag', async () => {
  const { text } = await ask('/page.data');
  const [, script = ''] = /^<script>(.*)<\/script>$/s.exec(dataScript(text).html) ?? [];
  expect(script).not.toMatch(/[<>&]/);
  let [streamed, closed] = ['', 0];
  const streamController = { enqueue: (part: string) => (streamed += part), close: () => (closed += 1) };
  runInNewContext(script, { window: { __reactRouterContext: { streamController } } });
  expect([streamed, closed]).toEqual([text, 1]);
});
