import { runInNewContext } from 'node:vm';
import { RouterContextProvider, UNSAFE_decodeViaTurboStream as decode, createRequestHandler } from 'react-router';
import type { ServerBuild } from 'react-router';
import { expect, test } from 'vitest';
import { createValueEncoder } from './encoded-values.ts';
import { dataScripts, fillData, patternOf, withOwnData } from './page-data.ts';

const voice = { name: 'Vera', slug: 'vera', series: null, links: [] as string[] };
const shared = {
  audios: Array.from({ length: 30 }, (_, n) => ({
    id: n,
    title: `“Title” ${n} </script> 'of' "\\\n\u2028`,
    voice,
    rest: undefined,
  })),
};

/** As in a viewer's page; everything but the list is the viewer's own. */
const dataOf = (name: string) => ({
  audios: shared.audios,
  name,
  heard: [{ audio: shared.audios[3], seconds: 1.5, at: new Date(5) }],
  odd: [Number.NaN, -0, Number.POSITIVE_INFINITY, true, false, null, undefined, '', 0],
  empty: {},
});

function encode(data: object, hasParts = true): string {
  const encoder = createValueEncoder(1, hasParts);
  encoder.prepare([data]);
  const root = encoder.encodeObject(data);
  const rest = encoder.take().map((piece) => (typeof piece === 'string' ? piece : piece.text));
  return `[${root}${rest.join('')}]\n`;
}

async function decodeText(text: string): Promise<unknown> {
  const { value } = await decode(new Response(text).body ?? new ReadableStream(), globalThis as never);
  return value;
}

test('values are what the router decodes, whether or not they were sent before', async () => {
  for (const name of ['Ann', 'Bea', 'Cleo', 'Ann'])
    expect(await decodeText(encode(dataOf(name)))).toEqual(dataOf(name));
});

test('without parts, values are what the router decodes, and texts of the same kind are neighbours', async () => {
  const text = encode(dataOf('Ann'), false);
  expect(await decodeText(text)).toEqual(dataOf('Ann'));
  const titles = [0, 1, 2].map((n) => JSON.stringify(shared.audios[n]?.title));
  expect(text).toContain(titles.join());
});

test('a shared list has the same text for every viewer once it was sent twice', () => {
  for (const name of ['a', 'b']) encode(dataOf(name));
  const [one, other] = ['Ann', 'Bea'].map((name) => {
    const encoder = createValueEncoder(1);
    encoder.prepare([dataOf(name)]);
    return encoder.take();
  });
  expect(one).toHaveLength(1);
  expect(one?.[0]).toBe(other?.[0]);
  expect(JSON.stringify(one)).not.toMatch(/Ann|Bea/);
});

test('data of a single viewer is not cached, even if it occurs twice in a request', () => {
  for (let round = 0; round < 3; round += 1) {
    const own = { mine: Array.from({ length: 100 }, (_, n) => ({ seconds: n, text: `own ${n}` })) };
    const encoder = createValueEncoder(1);
    encoder.prepare([own]);
    encoder.encodeObject(own);
    expect(encoder.take()).toEqual([expect.any(String)]);
  }
});

test('nothing of one viewer is in what another gets', () => {
  const texts = ['Ann', 'Bea', 'Cleo'].map((name) => encode(dataOf(name)));
  for (const [index, name] of ['Ann', 'Bea', 'Cleo'].entries())
    for (const [at, text] of texts.entries()) expect(text.includes(`"${name}"`)).toBe(at === index);
});

test('values that the browser would not get as they are fail', () => {
  expect(() => encode({ later: Promise.resolve() })).toThrow('Cannot encode an object of a class');
  expect(() => encode({ act: () => {} })).toThrow('Cannot encode a function');
});

const tooSlow = new Error('canceling statement due to statement timeout');
const pageRoute = { default: () => null };
const build = {
  routes: {
    root: { id: 'root', path: '', module: { ...pageRoute, loader: () => ({ site: 'Sotto', own: 'root' }) } },
    page: {
      id: 'page',
      parentId: 'root',
      path: 'page',
      module: { ...pageRoute, loader: ({ request }: { request: Request }) => dataOf(new URL(request.url).hash) },
    },
    slow: {
      id: 'slow',
      parentId: 'root',
      path: 'slow/:name',
      module: {
        ...pageRoute,
        loader() {
          throw tooSlow;
        },
      },
    },
    broken: {
      id: 'broken',
      parentId: 'root',
      path: 'broken',
      module: {
        ...pageRoute,
        loader() {
          throw new Response('gone', { status: 404, statusText: 'Not found' });
        },
      },
    },
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
  const response = await createRequestHandler(
    withOwnData(build, (error) => error === tooSlow),
    'production',
  )(new Request(`http://site.test${path}`), context);
  const text = await response.text();
  return { text, context };
}

test('a navigation gets the data of its routes in the place that the router left', async () => {
  const { text, context } = await ask('/page.data');
  expect(text.length).toBeLessThan(300);
  const filled = fillData(text, context).toString();
  expect(await decodeText(filled)).toEqual({
    root: { data: { site: 'Sotto', own: 'root' } },
    page: { data: dataOf('') },
  });
  // The mark of those places would make the same data differ between processes.
  expect(filled).not.toMatch(/[\da-f]{16}/);
});

test('a navigation to a route that fails still gets the data of its parents', async () => {
  const { text, context } = await ask('/broken.data');
  const value = (await decodeText(fillData(text, context).toString())) as Record<string, unknown>;
  expect(value['root']).toEqual({ data: { site: 'Sotto', own: 'root' } });
  expect(value['broken']).toMatchObject({ error: { status: 404 } });
});

test('a route whose statement ran into its limit says so by its status, and its pattern is known', async () => {
  const { text, context } = await ask('/slow/Ann.data');
  const value = (await decodeText(fillData(text, context).toString())) as Record<string, unknown>;
  expect(value['slow']).toMatchObject({ error: { status: 504 } });
  expect(patternOf(context)).toBe('/slow/:name');
});

test.each([
  ['a viewer’s own', false, 3],
  ['a shared', true, 1],
])('scripts of %s document add up to the same text, and hold no tag', async (_, isShared, count) => {
  await ask('/page.data');
  const { text, context } = await ask('/page.data');
  const { html, hashes } = dataScripts(text, context, isShared);
  let [streamed, closed] = ['', 0];
  const streamController = { enqueue: (part: string) => (streamed += part), close: () => (closed += 1) };
  const scripts = [...html.toString().matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  expect(scripts).toHaveLength(hashes.length);
  expect(scripts).toHaveLength(count);
  for (const script of scripts) {
    expect(script).not.toMatch(/[<>&]/);
    runInNewContext(script, { window: { __reactRouterContext: { streamController } } });
  }
  expect(await decodeText(streamed)).toEqual({
    root: { data: { site: 'Sotto', own: 'root' } },
    page: { data: dataOf('') },
  });
  expect(closed).toBe(1);
});
