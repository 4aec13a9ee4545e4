import { expect, test } from 'vitest';
import { parseConfig } from '#config';
import { findAddressProblems } from './network.ts';

const site = { SITE_URL: 'https://sotto.example', TRUST_PROXY: '1' };

test.each<[string, Record<string, string>, string[]]>([
  ['one machine', {}, []],
  ['a proxy on the same machine', site, []],
  ['no TLS', { SITE_URL: 'http://sotto.example' }, ['SITE_URL is http://sotto.example: without https']],
  ['an address for this machine only', { HOST: '0.0.0.0', SITE_URL: 'http://127.0.0.1' }, ['which only this machine']],
  ['a proxy that is not trusted', { ...site, TRUST_PROXY: '0' }, ['and TRUST_PROXY is 0']],
  ['a port beside the proxy', { ...site, HOST: '0.0.0.0' }, ['past the proxy can claim any address']],
  ['a cache without a proxy', { PROXY_CACHE: 'true' }, ['PROXY_CACHE is on']],
])('findAddressProblems: %s', (_title, settings, problems) => {
  expect(findAddressProblems(parseConfig(settings))).toEqual(
    problems.map((problem) => expect.stringContaining(problem) as string),
  );
});
