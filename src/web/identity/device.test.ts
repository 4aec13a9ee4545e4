import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15', 5, 'iphone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 5, 'iphone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 0, 'desktop'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36', 5, 'android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 10, 'desktop'],
])('%s with %d touch points is one of kind %3$s', (userAgent, maxTouchPoints, device) => {
  expect(deviceOf({ userAgent, maxTouchPoints })).toBe(device);
});
