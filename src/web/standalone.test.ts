import { expect, test } from 'vitest';
import { asksForStandalone } from './standalone.ts';

test.each([
  ['?standalone', true],
  ['?standalone=true', true],
  ['?standalone=1', true],
  ['?standalone=false', false],
  ['?standalone=0', false],
  ['?t=95', false],
])('%s asks for the page alone: %s', (search, isAlone) => {
  expect(asksForStandalone(new URLSearchParams(search))).toBe(isAlone);
});
