import { expect, onTestFinished, test, vi } from 'vitest';
import { addLayer } from '../ui/layers/open-layers.ts';
import { keepLayers } from './layer-history.ts';
import { hearBackFirst } from './use-layers.ts';

/** Listens as the router does, after the layers, and leaves this page as it was. */
function startRouter() {
  const { href } = window.location;
  onTestFinished(() => window.history.replaceState(null, '', href));
  hearBackFirst();
  const router = vi.fn();
  window.addEventListener('popstate', router);
  onTestFinished(() => window.removeEventListener('popstate', router));
  return { href, router };
}

test('Back reaches the router before the page that was opened is drawn, and a layer’s own Back does not', async () => {
  const { href, router } = startRouter();
  window.history.replaceState({ key: 'list' }, '');
  const show = vi.fn();
  let own: 'queue'[] = [];
  const layers = keepLayers({ latest: () => ({ own, allowed: ['queue'] }), show });
  onTestFinished(layers.stop);
  layers.follow();
  window.history.pushState({ key: 'article' }, '', '/article');
  window.history.back();
  await expect.poll(() => window.location.href).toBe(href);
  await expect.poll(() => router.mock.calls.length).toBe(1);
  own = ['queue'];
  layers.follow();
  window.history.back();
  await expect.poll(() => show.mock.calls).toEqual([[[]]]);
  own = [];
  expect(router).toHaveBeenCalledTimes(1);
});

test('a page without the shell opens from a menu even before the menu’s entry is left', async () => {
  const { router } = startRouter();
  const layers = keepLayers({ latest: () => ({ own: [], allowed: [] }), show: () => {} });
  const close = addLayer(() => {});
  layers.follow();
  expect(window.history.state).toEqual({ layers: ['popup'] });
  close();
  layers.follow();
  window.history.pushState({ key: 'studio' }, '', '/studio');
  layers.stop();
  await expect.poll(() => window.location.pathname).toBe('/studio');
  expect(window.history.state).toEqual({ key: 'studio' });
  expect(router).not.toHaveBeenCalled();
});
