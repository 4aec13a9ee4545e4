import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Collage } from './collage.tsx';

function markupOf(count: number): string {
  const imageUrls = Array.from({ length: count }, (_, index) => `/images/${index}.webp`);
  return renderToStaticMarkup(createElement(Collage, { imageUrls, size: 72 }));
}

describe('Collage (spec §3)', () => {
  test('of nothing is a placeholder', () => {
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

  test('of three has its first as wide as the whole', () => {
    const widths = [...markupOf(3).matchAll(/ width="(\d+)"/g)].map((match) => Number(match[1]));
    expect(widths).toEqual([72, 36, 36]);
  });
});
