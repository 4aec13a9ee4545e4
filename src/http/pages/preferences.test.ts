import { expect, test } from 'vitest';
import { readPreferences, readTimeZone } from './preferences.ts';

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

test.each([
  ['', undefined],
  ['a=b; sotto_zone=America/Bogota; c=d', 'America/Bogota'],
  ['sotto_zone=Etc/GMT+5', 'Etc/GMT+5'],
  ['sotto_zone=Europe/Atlantis', undefined],
  ['sotto_zone=<script>', undefined],
  [`sotto_zone=${'A'.repeat(100)}`, undefined],
  ['not_sotto_zone=Europe/Vienna', undefined],
])('the cookies “%s” name the zone %s', (cookies, zone) => {
  expect(readTimeZone(cookies)).toBe(zone);
});
