import { expect, test } from 'vitest';
import { parseConfig } from './config.ts';

test('without any setting the site is for this machine only', () => {
  expect(parseConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    siteName: 'Sotto',
    siteUrl: 'http://127.0.0.1:3000',
    databaseUrl: undefined,
    trustProxy: 0,
    demo: true,
  });
});

test('empty values count as absent, as in .env files', () => {
  expect(parseConfig({ PORT: ' ', TRUST_PROXY: '\t' })).toMatchObject({ port: 3000, trustProxy: 0 });
  expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['HOST', 'not a host'],
  ['DATABASE_URL', 'mysql://x'],
  ['SITE_URL', 'sotto.example'],
  ['SITE_URL', 'https://sotto.example/deep/path'],
  ['SITE_URL', 'javascript:alert(1)'],
  ['TRUST_PROXY', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['DEMO', 'maybe'],
])('a wrong %s (%s) is one line that names it', (name, value) => {
  expect(() => parseConfig({ [name]: value })).toThrow(new RegExp(`^the setting ${name} is wrong: [^\\n]+$`));
});

test('a site that others can reach must know its own address', () => {
  expect(() => parseConfig({ HOST: '0.0.0.0' })).toThrow(/SITE_URL is missing/);
  expect(parseConfig({ HOST: '0.0.0.0', SITE_URL: 'https://sotto.example' }).siteUrl).toBe('https://sotto.example');
});
