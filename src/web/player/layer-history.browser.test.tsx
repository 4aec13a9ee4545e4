import { expect, onTestFinished, test, vi } from 'vitest';
import { addLayer } from '../ui/layers/open-layers.ts';
import { keepLayers } from './layer-history.ts';
import { hearBackFirst } from './use-layers.ts';

test('a page without the shell opens from a menu even before the menu’s entry is left', async () => {
  const { href } = window.location;
  onTestFinished(() => window.history.replaceState(null, '', href));
  hearBackFirst();
  const router = vi.fn();
  window.addEventListener('popstate', router);
  onTestFinished(() => window.removeEventListener('popstate', router));
  const layers = keepLayers({ latest: () => ({ key: 'default', own: [], allowed: [] }), show: () => {} });
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
