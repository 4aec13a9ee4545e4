import { describe, expect, test } from 'vitest';
import { createChunkCheck } from './load-chunk.ts';

describe('before an import', () => {
  const scripts: Record<string, string> = {
    '/assets/a.js': 'import{t as e}from"./b.js";import"./c.js";e(()=>import(`./late.js`));',
    '/assets/b.js': 'export*from"./c.js";',
    // A circle, as the build makes them.
    '/assets/c.js': 'import"./a.js";import"./there.js";',
  };
  type Answer = () => Response | Promise<Response>;
  const script = (path: string) => new Response(scripts[path], { headers: { 'content-type': 'text/javascript' } });

  function open(answers: Record<string, Answer[]> = {}) {
    const asked: string[] = [];
    const check = createChunkCheck(
      async (path, { cache }) => {
        asked.push(cache === undefined ? path : `${path} ${cache}`);
        return answers[path]?.shift()?.() ?? script(path);
      },
      ['/assets/there.js'],
    );
    return { check, take: () => asked.splice(0).toSorted() };
  }

  test('each script that it needs is asked for once; what the page has, or loads later, is not', async () => {
    const { check, take } = open();
    await Promise.all([check(['/assets/a.js']), check(['/assets/b.js', '/assets/a.js'])]);
    expect(take()).toEqual(['/assets/a.js', '/assets/b.js', '/assets/c.js']);
    await check(['/assets/c.js']);
    expect(take()).toEqual([]);
  });

  test('the imports of a script are beside it: each language has a folder', async () => {
    const { check, take } = open();
    scripts['/assets/de/a.js'] = 'import"./b.js";';
    await expect(check(['/assets/de/a.js'])).resolves.toBeUndefined();
    expect(take()).toEqual(['/assets/de/a.js', '/assets/de/b.js']);
  });

  test.each<[string, Answer]>([
    [
      'a broken connection',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
    ['an error', () => new Response('', { status: 503, headers: { 'content-type': 'text/javascript' } })],
    [
      'the page of another network',
      () => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } }),
    ],
  ])('%s, however deep, rejects, and is asked past the cache the next time', async (_name, answer) => {
    const { check, take } = open({ '/assets/c.js': [answer, answer] });
    await expect(check(['/assets/a.js'])).rejects.toThrow();
    take();
    await expect(check(['/assets/b.js'])).rejects.toThrow();
    expect(take()).toEqual(['/assets/c.js reload']);
    await check(['/assets/a.js']);
    expect(take()).toEqual(['/assets/c.js reload']);
  });

  test('what was on its way for an earlier call, and fails, is asked for again', async () => {
    const answer = Promise.withResolvers<Response>();
    const { check, take } = open({ '/assets/c.js': [() => answer.promise] });
    const first = check(['/assets/c.js']);
    const second = check(['/assets/c.js']);
    answer.resolve(new Response('', { status: 503 }));
    await expect(first).rejects.toThrow();
    await second;
    expect(take().filter((path) => path.startsWith('/assets/c.js'))).toEqual(['/assets/c.js', '/assets/c.js reload']);
  });
});
