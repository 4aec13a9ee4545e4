import { expect, test } from 'vitest';
import { LiveKeyError, refuseLiveKey } from './live-key.ts';

test.each(['sk_live_abc', 'rk_live_abc', 'pk_live_abc', ' sk_live_abc '])(
  'the sandbox refuses to run beside %s',
  (key) => {
    expect(() => refuseLiveKey(undefined, key)).toThrow(LiveKeyError);
  },
);

test('it runs without a key and beside test keys', () => {
  expect(() => refuseLiveKey(undefined, 'sk_test_sk_live_', 'pk_test_1', '')).not.toThrow();
});
