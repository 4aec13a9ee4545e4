import { expect, test } from 'vitest';
import { forPreferences } from '#domain/identity/preference-rules.ts';
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
  expect(readPreferences(cookies)).toEqual({ theme, ...forPreferences(() => false) });
});

test.each([
  ['sotto_discreet=1', true],
  ['a=b; sotto_discreet=1; c=d', true],
  ['sotto_discreet=0', false],
  ['not_sotto_discreet=1', false],
  ['sotto_discreet=12', false],
])('the cookies “%s” turn discreet mode on: %s', (cookies, isDiscreet) => {
  expect(readPreferences(cookies)).toMatchObject({ isDiscreet });
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
