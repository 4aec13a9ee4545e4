import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';

test.each([
  [
    '(iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['(iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Version/16.0 Mobile/15E148 Safari/604.1', 'Safari on iPad'],
  ['(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15', 'Safari on macOS'],
  ['(Linux; Android 16) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
])('%s is %s', (agent, device) => {
  expect(deviceOf(`Mozilla/5.0 ${agent}`)).toBe(device);
});

test('an empty user agent is an unknown device', () => {
  expect(deviceOf(undefined)).toBe('Unknown device');
});
