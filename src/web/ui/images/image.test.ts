import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Picture } from './image.tsx';

const imageUrl = '/images/abc.webp';

describe('Picture', () => {
  test('with a fixed width offers that width and up to twice its density', () => {
    const markup = renderToStaticMarkup(createElement(Picture, { imageUrl, width: 56 }));
    expect(markup).toContain(
      '<source type="image/avif" srcSet="/images/abc.webp?width=64&amp;quality=80&amp;format=avif 64w, ',
    );
    expect(markup).toContain('format=avif 128w" sizes="56px"/>');
    expect(markup).toContain('loading="lazy"');
  });

  test('offers every size as AVIF, and other browsers one WebP for dense screens', () => {
    const markup = renderToStaticMarkup(createElement(Picture, { imageUrl, width: 193, sizes: '22vw' }));
    const widths = [...markup.matchAll(/format=avif (\d+)w/g)].map(([, w]) => w);
    expect(widths).toEqual(['128', '192', '256', '320', '384', '512']);
    expect(markup).toContain('<img src="/images/abc.webp?width=512&amp;quality=80&amp;format=webp"');
  });

  test('with high priority is not lazy', () => {
    const markup = renderToStaticMarkup(createElement(Picture, { imageUrl, width: 360, priority: 'high' }));
    expect(markup).toContain('fetchPriority="high"');
    expect(markup).not.toContain('loading');
  });

  test('never requests a width that the image route does not make', () => {
    const markup = renderToStaticMarkup(createElement(Picture, { imageUrl, width: 1600, height: 860, sizes: '100vw' }));
    expect(markup).toMatch(/2000w" sizes="100vw"/);
    expect(markup).toContain('width="1600" height="860"');
  });
});
