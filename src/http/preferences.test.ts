import { expect, test } from 'vitest';
import { readPreferences } from './preferences.ts';

test.each([
  ['', 'dark'],
  ['sotto_theme=system', 'system'],
  ['a=b; sotto_theme=light; c=d', 'light'],
  // Stored before dark became the default.
  ['sotto_theme=dark', 'dark'],
  ['sotto_theme=sepia', 'dark'],
  ['not_sotto_theme=light', 'dark'],
])('the cookies “%s” ask for the theme %s', (cookies, theme) => {
  expect(readPreferences(cookies)).toEqual({ theme, discreet: false });
});
