import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from '#config';
import { startTestSite } from '#test/support/site.ts';

const fingerprint = Array.from({ length: 32 }, (_, index) => (index + 100).toString(16)).join(':');
const apps = {
  IOS_APP_IDS: 'A1B2C3D4E5.example.sotto, A1B2C3D4E5.example.sotto.beta',
  ANDROID_APP_ID: 'example.sotto',
  ANDROID_APP_FINGERPRINTS: fingerprint,
};
const { url } = await startTestSite(apps);
const none = await startTestSite();

const get = (path: string, site = url) => fetch(`${site}/.well-known/${path}`, { redirect: 'manual' });

test('iOS learns which links open in the operator’s apps', async () => {
  const response = await get('apple-app-site-association');
  expect(response.headers.get('content-type')).toBe('application/json');
  const { applinks } = (await response.json()) as {
    applinks: { details: { appIDs: string[]; components: { '/': string; exclude?: true }[] }[] };
  };
  expect(applinks.details).toHaveLength(1);
  const [{ appIDs, components } = expect.fail()] = applinks.details;
  expect(appIDs).toEqual(['A1B2C3D4E5.example.sotto', 'A1B2C3D4E5.example.sotto.beta']);
  /** By Apple's rules: the first pattern that matches decides; `?` is one character, `*` any number. */
  const opens = (path: string) => {
    const first = components.find((one) =>
      new RegExp(`^${one['/'].replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*')}$`).test(path),
    );
    return first !== undefined && first.exclude !== true;
  };
  for (const path of ['/audio/bright-star', '/de/audio/bright-star', '/creators/maren-holt', '/fr/creators/maren-holt'])
    expect([path, opens(path)]).toEqual([path, true]);
  for (const path of [
    '/',
    '/audios',
    '/embed/audio/x',
    '/creators/maren-holt/feed.xml',
    '/audio/x/chapters.json',
    '/blog/x',
  ])
    expect([path, opens(path)]).toEqual([path, false]);
});

test('Android learns which app may open links', async () => {
  const response = await get('assetlinks.json');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'example.sotto',
        sha256_cert_fingerprints: [fingerprint.toUpperCase()],
      },
    },
  ]);
});

test.each(['apple-app-site-association', 'assetlinks.json'])('without an app there is no %s', async (path) => {
  expect((await get(path, none.url)).status).toBe(404);
});

test.each([
  [{ ANDROID_APP_ID: 'example.sotto' }, /ANDROID_APP_ID and ANDROID_APP_FINGERPRINTS belong together/],
  [{ ...apps, ANDROID_APP_FINGERPRINTS: 'aa:bb' }, /ANDROID_APP_FINGERPRINTS is wrong/],
  [{ ...apps, ANDROID_APP_ID: 'sotto' }, /ANDROID_APP_ID is wrong/],
  [{ ...apps, IOS_APP_IDS: 'example.sotto' }, /IOS_APP_IDS is wrong/],
])('settings that no app store would accept stop the start: %j', (settings, message) => {
  expect(() => parseConfig(settings)).toThrow(ConfigError);
  expect(() => parseConfig(settings)).toThrow(message);
});
