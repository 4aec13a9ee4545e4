import icon512 from '#web/art/icon-512.png';
import icon from '#web/art/icon.svg';
import { siteContext } from '#web/context.ts';
import type { Route } from './+types/manifest';

/** For putting the site on a phone's home screen, under the name that it has here. */
export function loader({ context }: Route.LoaderArgs) {
  const { facts } = context.get(siteContext);
  const manifest = {
    name: facts.name,
    short_name: facts.name,
    description: 'Intimate audio, softly spoken',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#141012',
    theme_color: '#141012',
    icons: [
      { src: icon, sizes: 'any', type: 'image/svg+xml' },
      { src: icon512, sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  };
  return new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/manifest+json' } });
}
