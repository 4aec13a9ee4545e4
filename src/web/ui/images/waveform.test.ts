import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { heightsOf } from './waveform-path.ts';
import { Waveform } from './waveform.tsx';

test('fewer bars show the mean of those that they stand for', () => {
  expect(heightsOf('0z0i', 4)).toEqual([0, 1, 0, 18 / 35]);
  expect(heightsOf('0z0i', 2)).toEqual([0.5, 9 / 35]);
  expect(heightsOf('z0', 4)).toEqual([1, 1, 0, 0]);
});

test('a recording that is not measured yet is a plain line, with the played part of it', () => {
  const markup = renderToStaticMarkup(createElement(Waveform, { bars: null, count: 10, height: 20, progress: 0.5 }));
  expect(markup).toMatch(/d="M3 10H27".*d="M33 10H57"/);
});
