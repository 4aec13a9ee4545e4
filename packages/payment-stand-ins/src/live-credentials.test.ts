import { expect, test } from 'vitest';
import { LiveCredentialsError, refuseLiveCredentials } from './live-credentials.ts';

test.each(['zpXwe2D77g4P7ysGJcr3rY87TBYs6J', ' 7d901dad245fd0ff6bc20d06', 'x standin_1'])(
  'the stand-ins refuse to run beside %j',
  (key) => {
    expect(() => refuseLiveCredentials(undefined, key)).toThrow(LiveCredentialsError);
  },
);

test('they run without credentials and beside their own', () => {
  expect(() => refuseLiveCredentials(undefined, '', 'standin_0123')).not.toThrow();
});
