import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Picture } from './image.tsx';

const imageUrl = '/images/abc.webp';

describe('Picture', () => {
  test('of a fixed width offers it once, and up to twice as dense', () => {
    const markup = renderToStaticMarkup(createElement(Picture, { imageUrl, width: 56 }));
    expect(markup).toContain('srcSet="/images/abc.webp?width=64&amp;quality=80 64w, ');
    expect(markup).toContain('quality=80 128w" sizes="56px"');
    expect(markup).toContain('loading="lazy"');
  });

  test('that the first view waits for is not lazy', () => {
    const markup = renderToStaticMarkup(createElement(Picture, { imageUrl, width: 360, priority: 'high' }));
    expect(markup).toContain('fetchPriority="high"');
    expect(markup).not.toContain('loading');
  });

  test('never asks for more than the image route makes', () => {
    const markup = renderToStaticMarkup(createElement(Picture, { imageUrl, width: 1600, height: 860, sizes: '100vw' }));
    expect(markup).toMatch(/2000w" sizes="100vw"/);
    expect(markup).toContain('width="1600" height="860"');
  });
});
