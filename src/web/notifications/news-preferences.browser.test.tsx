import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { refusal } from '#test/support/components/calls.ts';
import { mount } from '#test/support/components/mount.tsx';
import { slow } from '#test/support/tags.ts';
import { defaultPreferences } from '#domain/notifications/rules.ts';
import { NewsPreferencesForm } from './news-preferences.tsx';

const key = btoa('k'.repeat(65)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const endpoint = 'https://push.example/one';
const other = 'https://push.example/two';
const bytes = (text: string) => new TextEncoder().encode(text).buffer;

async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

afterEach(() => localStorage.clear());
/** WebKitGTK has no push service. */
const withPushes = test.skipIf(!('PushManager' in window));

type World = {
  /** Endpoint of the browser's subscription. */
  browser: string | null;
  browserKey: string;
  /** Endpoints that the site has for this account. */
  site: string[];
  permission: NotificationPermission;
  isPushOn: boolean;
  /** Acts of the browser or the site that fail; the rest goes on. */
  fails: ('read' | 'unsubscribe' | 'list' | 'register' | 'forget')[];
  hasWorker: boolean;
};

/** A browser with a push service, and a site that answers. */
async function open(given: Partial<World> = {}) {
  const world: World = {
    browser: endpoint,
    browserKey: 'k'.repeat(65),
    site: [endpoint],
    permission: 'granted',
    isPushOn: true,
    fails: [],
    hasWorker: true,
    ...given,
  };
  const orFail = (what: World['fails'][number]) => {
    if (world.fails.includes(what)) throw new DOMException('Not now', 'InvalidStateError');
  };
  const calls: string[] = [];
  const subscription = () =>
    world.browser === null
      ? null
      : {
          endpoint: world.browser,
          options: { applicationServerKey: world.browserKey === '' ? null : bytes(world.browserKey) },
          toJSON: () => ({ endpoint: world.browser, keys: { p256dh: 'p', auth: 'a' } }),
          unsubscribe: async () => {
            orFail('unsubscribe');
            world.browser = null;
            return true;
          },
        };
  const pushManager = {
    getSubscription: async () => {
      orFail('read');
      return subscription();
    },
    subscribe: async () => ((world.browser ??= endpoint), subscription()),
  };
  const registration = { pushManager } as unknown as ServiceWorkerRegistration;
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockImplementation(async () =>
    world.hasWorker ? registration : undefined,
  );
  vi.spyOn(navigator.serviceWorker, 'ready', 'get').mockResolvedValue(registration);
  vi.spyOn(Notification, 'permission', 'get').mockImplementation(() => world.permission);
  vi.spyOn(Notification, 'requestPermission').mockImplementation(async () => world.permission);
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const name = `${request.method} ${pathname.replace(/.*\/user\//, '')}`;
    calls.push(name);
    const [failing] = [
      ...(name.startsWith('GET') ? ['list' as const] : []),
      ...(name.startsWith('POST push-') ? ['register' as const] : []),
      ...(name.startsWith('DELETE') ? ['forget' as const] : []),
    ];
    if (failing !== undefined && world.fails.includes(failing)) return refusal(503, 'server/unavailable', 'Not now.');
    if (name.startsWith('GET')) {
      const items = await Promise.all(
        world.site.map(async (one) => ({
          id: one.slice(-3),
          device: '',
          createdAt: '',
          endpointHash: await hashOf(one),
        })),
      );
      return Response.json({ key, items });
    }
    if (name.startsWith('POST push-')) world.site.push(((await request.json()) as { endpoint: string }).endpoint);
    if (name.startsWith('DELETE')) world.site = world.site.filter((one) => !pathname.endsWith(one.slice(-3)));
    if (name.startsWith('PUT')) {
      const json = (await request.json()) as { isPushOn: boolean };
      world.isPushOn = json.isPushOn;
      return Response.json(json);
    }
    return name.startsWith('DELETE')
      ? new Response(null, { status: 204 })
      : Response.json({ id: 'one' }, { status: 201 });
  });
  mount(<NewsPreferencesForm start={{ ...defaultPreferences, isPushOn: world.isPushOn }} pushKey={key} />);
  await expect.poll(() => document.querySelector('fieldset input[type=checkbox], fieldset p')).not.toBeNull();
  if (!world.fails.includes('list') && !world.fails.includes('read')) await expect.element(own()).toBeEnabled();
  return { world, calls };
}

/** The box itself is hidden under its drawing. */
const pressBox = (box: Element) => (box as HTMLInputElement).click();
const press = () => pressBox(own().element());
const own = () => page.getByRole('checkbox', { name: 'In this browser' });
const all = () => page.getByRole('checkbox', { name: /^In all browsers of this account/ });

withPushes('a browser that the site sends pushes to is on', async () => {
  await open();
  await expect.element(own()).toBeChecked();
  await expect.element(all()).toBeChecked();
});

withPushes.each<[string, Partial<World>]>([
  ['after a log-out and a log-in, when the site has forgotten it', { site: [] }],
  ['when the push service has replaced its endpoint', { browser: 'https://push.example/new' }],
  ['when its subscription belongs to another account', { site: ['https://push.example/two'] }],
  ['when the key of the site has changed', { browserKey: 'o'.repeat(65) }],
  ['when only the site has a subscription', { browser: null }],
])('it is not on %s', async (_when, world) => {
  await open(world);
  await expect.element(own()).not.toBeChecked();
});

withPushes('after a log-in of the account that turned it on here, it is registered again', async () => {
  localStorage.setItem('sotto_push', 'grace 1');
  localStorage.setItem('sotto.session', JSON.stringify({ token: 'a token', userId: 'grace', lastUpdated: 2 }));
  const { world } = await open({ site: [] });
  await expect.element(own()).toBeChecked();
  expect([world.site, localStorage.getItem('sotto_push')]).toEqual([[endpoint], 'grace 2']);
});

withPushes.each<[string, string, Partial<World>]>([
  ['after a log-in of another account', 'ada', {}],
  ['without the permission', 'grace', { permission: 'default' }],
])('it is not registered again %s', async (_when, userId, world) => {
  localStorage.setItem('sotto_push', 'grace 1');
  localStorage.setItem('sotto.session', JSON.stringify({ token: 'a token', userId, lastUpdated: 2 }));
  const { calls } = await open({ site: [], ...world });
  await expect.element(own()).not.toBeChecked();
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});

withPushes('turning it off ends the pushes to this browser only', async () => {
  const { world, calls } = await open({ site: [endpoint, 'https://push.example/two'] });
  press();
  await expect.element(own()).not.toBeChecked();
  await expect.poll(() => world.site).toEqual(['https://push.example/two']);
  expect(world).toMatchObject({ browser: null, isPushOn: true });
  expect(calls.some((call) => call.startsWith('PUT'))).toBe(false);
  await expect.element(all()).toBeChecked();
});

withPushes('turning it on takes effect at once, for an account without pushes too', async () => {
  const { world } = await open({ browser: null, site: [], isPushOn: false });
  press();
  await expect.element(own()).toBeChecked();
  await expect.poll(() => world).toMatchObject({ browser: endpoint, site: [endpoint], isPushOn: true });
});

withPushes('a question of the browser that is put aside changes nothing, and can be asked again', async () => {
  const { world } = await open({ browser: null, site: [], isPushOn: false, permission: 'default' });
  press();
  // A screen reader may be told the same text elsewhere.
  const notice = page.getByText('The browser’s question has no answer yet. Nothing was changed.').first();
  await expect.element(notice).toBeVisible();
  await expect.element(own()).not.toBeChecked();
  await expect.element(own()).toBeEnabled();
  expect(world).toMatchObject({ browser: null, site: [], isPushOn: false });
});

const session = { token: 'a token', userId: 'grace', lastUpdated: 2 };

withPushes.each<[string, Partial<World>, string | undefined, object | string, boolean]>([
  ['after a change of password', { site: [] }, 'grace 1', session, true],
  ['after a log-in while the site has it still', {}, 'grace 1', session, true],
  ['of a browser that does not tell its key', { browserKey: '' }, undefined, session, true],
  ['without a worker', { hasWorker: false }, 'grace 1', session, false],
  ['after another account had the browser', { site: [] }, 'ada 1', session, false],
  ['after a log-out', { site: [] }, '', session, false],
  ['with a note that cannot be read', { site: [] }, '{"grace"', session, false],
  ['with a note of another version', { site: [] }, 'grace', { ...session, userId: 'ada' }, false],
  ['with a session that cannot be read', { site: [] }, 'grace 1', '{', false],
  ['when the site refuses it', { site: [], fails: ['register'] }, 'grace 1', session, false],
])('the box says what the site sends %s', slow, async (_when, given, note, kept, isOn) => {
  if (note !== undefined) localStorage.setItem('sotto_push', note);
  localStorage.setItem('sotto.session', typeof kept === 'string' ? kept : JSON.stringify(kept));
  const { world } = await open(given);
  if (isOn) await expect.element(own()).toBeChecked();
  else await expect.element(own()).not.toBeChecked();
  expect(world.site.includes(endpoint) && world.hasWorker).toBe(isOn);
});

withPushes('a browser that cannot say whether it has a subscription has no push notifications', async () => {
  await open({ fails: ['read'] });
  await expect.element(page.getByText('This browser has no push notifications.')).toBeVisible();
});

withPushes('while the site does not answer, the box waits', async () => {
  await open({ fails: ['list'] });
  await expect.element(own()).toBeDisabled();
});

type Step = 'own' | 'all' | 'titles' | 'save';

withPushes.each<[string, Partial<World>, Step[], Partial<World>]>([
  ['off and Save', {}, ['own', 'save'], { browser: null, site: [], isPushOn: true }],
  ['off, and another choice saved', {}, ['own', 'titles', 'save'], { site: [], isPushOn: true }],
  ['off and on again', {}, ['own', 'own'], { browser: endpoint, site: [endpoint], isPushOn: true }],
  [
    'on while another choice waits',
    { browser: null, site: [], isPushOn: false },
    ['titles', 'own'],
    { isPushOn: true },
  ],
  ['on and Save', { browser: null, site: [], isPushOn: false }, ['own', 'save'], { site: [endpoint], isPushOn: true }],
  [
    'off in an account whose pushes are off',
    { isPushOn: false },
    ['own'],
    { browser: null, site: [], isPushOn: false },
  ],
  ['off beside another device', { site: [endpoint, other] }, ['own', 'save'], { site: [other], isPushOn: true }],
  ['off while the browser fails', { fails: ['unsubscribe'] }, ['own'], { site: [], isPushOn: true }],
  ['off while the site fails', { fails: ['forget'] }, ['own'], { browser: null, isPushOn: true }],
  ['off in all browsers', { site: [endpoint, other] }, ['all', 'save'], { site: [endpoint, other], isPushOn: false }],
  ['off here and in all', { site: [endpoint, other] }, ['own', 'all', 'save'], { site: [other], isPushOn: false }],
  [
    'on where the site refuses',
    { browser: null, site: [], isPushOn: false, fails: ['register'] },
    ['own'],
    { browser: null, site: [], isPushOn: false },
  ],
])('a choice for this browser stays one: %s', slow, async (_what, given, steps, expected) => {
  const { world } = await open(given);
  const isOwn = () => (own().element() as HTMLInputElement).checked;
  for (const step of steps) {
    const before = isOwn();
    if (step === 'titles') pressBox(page.getByRole('checkbox', { name: /^Show titles/ }).element());
    if (step === 'all') pressBox(all().element());
    if (step === 'own') {
      press();
      if (!world.fails.includes('register')) await expect.poll(isOwn).toBe(!before);
    }
    if (step === 'save') {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.element(page.getByText('Saved', { exact: true }).first()).toBeVisible();
    }
  }
  await expect.poll(() => world).toMatchObject(expected);
  if ('browser' in expected && expected.browser === null) await expect.element(own()).not.toBeChecked();
});
