import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Collage } from './collage.tsx';

function markupOf(count: number): string {
  const imageUrls = Array.from({ length: count }, (_, index) => `/images/${index}.webp`);
  return renderToStaticMarkup(createElement(Collage, { imageUrls, size: 72 }));
}

describe('Collage (spec §3)', () => {
  test('with no images is a placeholder', () => {
    expect(markupOf(0)).toContain('collage--0');
    expect(markupOf(0)).not.toContain('<img');
  });

  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [7, 4],
  ])('of %i shows %i', (given, shown) => {
    expect(markupOf(given)).toContain(`collage--${shown}`);
    expect(markupOf(given).match(/<img/g)).toHaveLength(shown);
  });

  test('offers each image as AVIF and as WebP', () => {
    expect(markupOf(4).split('<source type="image/avif"')).toHaveLength(5);
    expect(markupOf(4).match(/<img src="[^"]*format=webp"/g)).toHaveLength(4);
  });

  test('with three images shows the first at full width', () => {
    const widths = [...markupOf(3).matchAll(/ width="(\d+)"/g)].map((match) => Number(match[1]));
    expect(widths).toEqual([72, 36, 36]);
  });
});
