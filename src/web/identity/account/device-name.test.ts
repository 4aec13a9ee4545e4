import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

test.each(['Chrome on Android', 'Safari on iPad', 'An app on Windows', 'An app', 'Firefox', 'Unknown device'])(
  'the stored name of a device is its English name: %s',
  (device) => expect(deviceName(device)).toBe(device),
);
