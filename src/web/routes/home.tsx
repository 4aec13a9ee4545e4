import { href } from 'react-router';
import { AudioCard } from '#web/catalogue/audio-card.tsx';
import { CategoryTile } from '#web/catalogue/category-tile.tsx';
import { Hero } from '#web/catalogue/hero.tsx';
import { PlaylistCard } from '#web/catalogue/playlist-card.tsx';
import { Rail } from '#web/catalogue/rail.tsx';
import { Section } from '#web/catalogue/section.tsx';
import { UserPlaylistCard } from '#web/catalogue/user-playlist-card.tsx';
import { VoiceCard } from '#web/catalogue/voice-card.tsx';
import { requestContext, siteContext } from '#web/context.ts';
import { ContinueListening } from '#web/listening/continue-listening.tsx';
import { RecentActivity } from '#web/listening/recent-activity.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { useRootData } from '#web/root-data.ts';
import type { PageHandle } from '#web/shell/page-handle.ts';
import type { Route } from './+types/home';

export const handle: PageHandle = { header: 'clear', userHeader: 'solid' };

export async function loader({ context }: Route.LoaderArgs) {
  const { catalogue, library, listening } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const [audios, voices, categories, playlists, userPlaylists, inProgress, recent] = await Promise.all([
    catalogue.listAudios(viewer, { limit: 12 }),
    catalogue.listPopularVoices(12),
    catalogue.listCategories(),
    catalogue.listPlaylists({ limit: 12 }),
    library.listTopUserPlaylists(viewer, { limit: 10 }),
    listening.findContinueListening(viewer),
    listening.listRecentActivity(viewer, 6),
  ]);
  return {
    audios: audios.items,
    voices,
    categories: categories.slice(0, 8),
    playlists: playlists.items,
    userPlaylists: userPlaylists.items,
    inProgress: inProgress.map(({ audio, seconds }) => ({ audio, seconds })),
    recent: recent.map(({ audio, at }) => ({ audio, at: at.toISOString() })),
    now: Date.now(),
  };
}

export function meta(args: Route.MetaArgs) {
  const siteName = args.matches[0].loaderData?.siteName ?? '';
  return pageMeta(args, {
    title: `Intimate audio, softly spoken · ${siteName}`,
    description:
      'Romance, longing and sleep, read aloud by voices you will want to keep. Unlimited listening, cancel anytime.',
    structuredData: [
      (siteUrl) => ({
        '@type': 'WebSite',
        name: siteName,
        url: `${siteUrl}/`,
        potentialAction: {
          '@type': 'SearchAction',
          target: `${siteUrl}/search?search={search_term_string}`,
          'query-input': 'required name=search_term_string',
        },
      }),
    ],
  });
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { audios, voices, categories, playlists, userPlaylists, inProgress, recent, now } = loaderData;
  const root = useRootData();
  const user = root?.user ?? null;
  return (
    <>
      {user === null ? (
        <Hero preview={root?.preview ?? null} />
      ) : (
        <div className="wrap">
          <h1 className="t-44 pt-6">{user.username === null ? 'Welcome' : `Welcome back, ${user.username}`}</h1>
          {inProgress.length > 0 && <ContinueListening items={inProgress} />}
        </div>
      )}
      <div className="wrap focus-visible:[--ring:none]" id="new">
        <Section title="New audios" more={{ label: 'See all', to: href('/audios') }}>
          {audios.length === 0 ? (
            <p className="muted">No new audios</p>
          ) : (
            <Rail>
              {audios.map((audio, index) => (
                <AudioCard key={audio.id} audios={audios} index={index} source="homepage" listName="New audios" />
              ))}
            </Rail>
          )}
        </Section>
        {recent.length > 0 && <RecentActivity items={recent} now={now} />}
        {voices.length > 0 && (
          <Section title="Voices" more={{ label: 'All creators', to: href('/creators') }} place="below">
            <Rail>
              {voices.map((voice) => (
                <VoiceCard key={voice.id} voice={voice} source="homepage" look="rail" />
              ))}
            </Rail>
          </Section>
        )}
        {categories.length > 0 && (
          <Section title="Categories" more={{ label: 'See all', to: href('/categories') }} place="below">
            <Rail width="4">
              {categories.map((category) => (
                <CategoryTile key={category.id} category={category} source="homepage" />
              ))}
            </Rail>
          </Section>
        )}
        {playlists.length > 0 && (
          <Section title="Playlists" more={{ label: 'See all', to: href('/playlists') }} place="below">
            <Rail>
              {playlists.map((playlist) => (
                <PlaylistCard key={playlist.id} playlist={playlist} source="homepage" look="rail" />
              ))}
            </Rail>
          </Section>
        )}
        {userPlaylists.length > 0 && (
          <Section title="Made by listeners" more={{ label: 'See all', to: href('/users-playlists') }} place="below">
            <Rail width="5">
              {userPlaylists.map((playlist) => (
                <UserPlaylistCard key={playlist.id} playlist={playlist} source="homepage" />
              ))}
            </Rail>
          </Section>
        )}
      </div>
    </>
  );
}
