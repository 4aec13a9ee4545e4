import { expect, test } from 'vitest';
import { countText, deltaOf, hoursText, pointsOf, shareText } from './figure-text.ts';

test('figures under ten listeners are marked', () => {
  expect([countText(null), hoursText(null), shareText(null, 50), shareText(5, null)]).toEqual(
    Array(4).fill('Under 10'),
  );
  expect([countText(38_412), hoursText(784.4 * 3_600_000), hoursText(26_640_000), shareText(72, 100)]).toEqual([
    '38,412',
    '784',
    '7.4',
    '72%',
  ]);
});

test.each([
  [38_412, 34_296, 'up', '12%'],
  [11_906, 10_870, 'up', '9.5%'],
  [204, 219, 'down', '6.8%'],
  [1000, 1000, 'same', '0%'],
  [100_001, 100_000, 'same', '0%'],
  [50_000, 1000, 'up', '4,900%'],
] as const)('%i after %i is %s by %s', (now, before, direction, text) => {
  expect(deltaOf(now, before)).toEqual({ direction, text });
});

test('there is no change from nothing, and none from what is not told', () => {
  expect([deltaOf(5, 0), deltaOf(null, 20), deltaOf(20, null), pointsOf(null, 0.5)]).toEqual(Array(4).fill(undefined));
});

test('shares change by points', () => {
  expect(pointsOf(0.72, 0.73)).toEqual({ direction: 'down', text: '1 point' });
  expect(pointsOf(0.75, 0.73)).toEqual({ direction: 'up', text: '2 points' });
  expect(pointsOf(0.7249, 0.7151)).toEqual({ direction: 'same', text: '0 points' });
});
