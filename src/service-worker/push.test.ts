import { expect, test } from 'vitest';
import { openNews, readPush } from './push.ts';

test('a push that cannot be read still says that there is something', () => {
  const fallback = { title: 'Something new is waiting', body: '', path: '/account/notifications', tag: 'news' };
  for (const text of [undefined, '', 'no JSON', 'null', '{}', '{"title":""}']) expect(readPush(text)).toEqual(fallback);
  const news = { title: 'Iris published “Rain”', body: '', path: '/audio/rain', tag: 'one' };
  expect(readPush(JSON.stringify(news))).toEqual(news);
});

test('a push never opens another site', () => {
  for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example', 7, ['/rain']])
    expect(readPush(JSON.stringify({ title: 'x', path })).path).toBe('/account/notifications');
});

test('a press focuses the tab that shows the page, and opens one otherwise', async () => {
  const done: string[] = [];
  const clients = {
    // A tab that was opened before the worker is not its own.
    matchAll: async ({ includeUncontrolled }: { includeUncontrolled: boolean }) =>
      ['https://sotto.example/audio/rain']
        .filter(() => includeUncontrolled)
        .map((url) => ({
          url,
          async focus() {
            done.push('focus');
          },
        })),
    async openWindow(url: string) {
      await Promise.resolve();
      done.push(url);
    },
  };
  await openNews(clients, '/audio/rain', 'https://sotto.example');
  await openNews(clients, '/audio/snow', 'https://sotto.example');
  expect(done).toEqual(['focus', 'https://sotto.example/audio/snow']);
  // The worker stays until the window is there.
  const refusing = { matchAll: async () => [], openWindow: () => Promise.reject(new Error('refused')) };
  await expect(openNews(refusing, '/audio/snow', 'https://sotto.example')).rejects.toThrow('refused');
});
