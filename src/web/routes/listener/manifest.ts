import { t } from '@lingui/core/macro';
import icon192 from '../../art/icon-192.png';
import icon512 from '../../art/icon-512.png';
import maskable from '../../art/icon-maskable-512.png';
import icon from '../../art/icon.svg';
import { inPath } from '#formats/languages.ts';
import { language, languageFacts } from '#i18n';
import { siteContext } from '../../context.ts';
import type { Route } from './+types/manifest';

const shortcuts = () => [
  { name: t`Library`, url: '/library' },
  { name: t`Search`, url: '/search' },
  { name: t({ message: 'Sleep', context: 'category' }), url: sleep },
  { name: t`Blog`, url: blog },
];
const sleep = '/categories/sleep';
const blog = '/blog';

/** Web app manifest, for the home screen; uses the configured site name. */
export async function loader({ context }: Route.LoaderArgs) {
  const { catalogue, facts, isOn, look } = context.get(siteContext);
  const own = look.page()?.icon;
  const ground = look.hasColors() ? look.colors().dark.ground : '#141012';
  const [small, large, masked] = own
    ? [own.png192, own.png512, own.maskable].map((key) => `/${key}`)
    : [icon192, icon512, maskable];
  const drawn = own ? own.svg && `/${own.svg}` : icon;
  const hasSleep = (await catalogue.findCategory('sleep')) !== undefined;
  const { ios, android } = facts.appLinks;
  const manifest = {
    id: '/',
    name: facts.name,
    short_name: facts.name,
    description: look.hero()?.title ?? t`Intimate audio, softly spoken`,
    lang: language(),
    dir: languageFacts().direction,
    start_url: inPath(language(), '/', facts.languages),
    scope: '/',
    display: 'standalone',
    orientation: 'any',
    background_color: ground,
    theme_color: ground,
    categories: ['entertainment', 'books'],
    icons: [
      ...(drawn === null ? [] : [{ src: drawn, sizes: 'any', type: 'image/svg+xml' }]),
      { src: small, sizes: '192x192', type: 'image/png' },
      { src: large, sizes: '512x512', type: 'image/png' },
      { src: masked, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: shortcuts()
      .filter(({ url }) => url !== sleep || hasSleep)
      .filter(({ url }) => url !== blog || isOn('blog'))
      .map(({ name, url }) => ({
        name,
        url: inPath(language(), url, facts.languages),
        icons: [{ src: small, sizes: '192x192', type: 'image/png' }],
      })),
    ...((ios ?? android) && {
      related_applications: [
        ...(ios === undefined ? [] : [{ platform: 'itunes', url: ios }]),
        ...(android === undefined ? [] : [{ platform: 'play', url: android }]),
      ],
    }),
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
  });
}
