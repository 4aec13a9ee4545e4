import { href, Link, useRouteLoaderData } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import { AudioCard } from '#web/catalogue/audio-card.tsx';
import { CardGrid } from '#web/catalogue/card-grid.tsx';
import { CategoryTile } from '#web/catalogue/category-tile.tsx';
import { CategoryLink } from '#web/catalogue/content-link.tsx';
import { Hero } from '#web/catalogue/hero.tsx';
import { PlaylistCard } from '#web/catalogue/playlist-card.tsx';
import { Rail } from '#web/catalogue/rail.tsx';
import { Section } from '#web/catalogue/section.tsx';
import { SeriesSection } from '#web/catalogue/series-section.tsx';
import { UserPlaylistCard } from '#web/library/user-playlist-card.tsx';
import { VoiceCard } from '#web/catalogue/voice-card.tsx';
import { requestContext, siteContext } from '#web/context.ts';
import { ContinueListening } from '#web/history/continue-listening.tsx';
import { RecentActivity } from '#web/history/recent-activity.tsx';
import { pageMeta } from '#web/page-meta.ts';
import { useRootData } from '#web/root-data.ts';
import { useGreeting } from '#web/shell/greeting.ts';
import type { PageHandle } from '#web/shell/page-handle.ts';
import { Chip } from '#web/ui/chip.tsx';
import type { Route } from './+types/home';

export const handle: PageHandle = { header: 'clear', userHeader: 'solid', UserRow: BrowseRow };

export async function loader({ context }: Route.LoaderArgs) {
  const { catalogue, library, listening } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const [audios, voices, categories, playlists, series, userPlaylists, inProgress, recent, previewBars] =
    await Promise.all([
      catalogue.listAudios(viewer, { limit: 12 }),
      catalogue.listPopularVoices(12),
      catalogue.listCategories(),
      catalogue.listPlaylists({ limit: 12 }),
      catalogue.listSeries({ limit: 12 }),
      library.listTopUserPlaylists(viewer, { limit: 10 }),
      listening.findContinueListening(viewer),
      listening.listRecentActivity(viewer, 6),
      viewer.kind === 'visitor' ? catalogue.findPreviewWaveform() : undefined,
    ]);
  const newest = inProgress[0];
  return {
    audios: audios.items,
    voices,
    categories: categories.slice(0, 8),
    playlists: playlists.items,
    series: series.items,
    userPlaylists: userPlaylists.items,
    inProgress: inProgress.map(({ audio, seconds }) => ({ audio, seconds })),
    recent: recent.map(({ audio, at }) => ({ audio, at: at.toISOString() })),
    // This page draws one waveform: of the recording heard last, else of the preview.
    bars: (newest === undefined ? previewBars : await catalogue.findWaveform(newest.audio.id)) ?? null,
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
  const root = useRootData();
  const user = root?.user ?? null;
  if (user === null) return <VisitorHome data={loaderData} preview={root?.preview ?? null} />;
  return <UserHome data={loaderData} username={user.username} />;
}

type HomeData = Route.ComponentProps['loaderData'];

function VisitorHome({ data, preview }: { data: HomeData; preview: Audio | null }) {
  return (
    <>
      <Hero preview={preview} bars={data.bars} />
      <div className="wrap focus-visible:[--ring:none]" id="new">
        <NewAudios audios={data.audios} />
        <Voices title="Creators" voices={data.voices} />
        {data.categories.length > 0 && (
          <Section title="Categories" more={{ label: 'See all', to: href('/categories') }} place="below">
            <Rail width="4">
              {data.categories.map((category) => (
                <CategoryTile key={category.id} category={category} source="homepage" />
              ))}
            </Rail>
          </Section>
        )}
        <Playlists playlists={data.playlists} />
        <SeriesSection series={data.series} />
        <UserPlaylists title="Made by listeners" playlists={data.userPlaylists} />
      </div>
    </>
  );
}

function UserHome({ data, username }: { data: HomeData; username: string | null }) {
  const greeting = useGreeting();
  return (
    <div className="wrap">
      <h1 className="text-44 pt-6">{username === null ? greeting : `${greeting}, ${username}`}</h1>
      {data.inProgress.length > 0 && <ContinueListening items={data.inProgress} bars={data.bars} />}
      <NewAudios audios={data.audios} />
      {data.recent.length > 0 && <RecentActivity items={data.recent} now={data.now} />}
      <UserPlaylists title="Top user playlists" playlists={data.userPlaylists} />
      <Voices title="Creators" voices={data.voices} />
      {data.categories.length > 0 && (
        <Section title="Categories" more={{ label: 'See all', to: href('/categories') }} place="below">
          <CardGrid columns="4">
            {data.categories.map((category) => (
              <CategoryTile key={category.id} category={category} source="homepage" />
            ))}
          </CardGrid>
        </Section>
      )}
      <Playlists playlists={data.playlists} />
      <SeriesSection series={data.series} />
    </div>
  );
}

function NewAudios({ audios }: { audios: HomeData['audios'] }) {
  return (
    <Section title="New audios" more={{ label: 'See all', to: href('/audios') }}>
      {audios.length === 0 ? (
        <p className="text-muted">No new audios</p>
      ) : (
        <Rail>
          {audios.map((audio, index) => (
            <AudioCard key={audio.id} audios={audios} index={index} source="homepage" listName="New audios" />
          ))}
        </Rail>
      )}
    </Section>
  );
}

function Voices({ title, voices }: { title: string; voices: HomeData['voices'] }) {
  if (voices.length === 0) return null;
  return (
    <Section title={title} more={{ label: 'All creators', to: href('/creators') }} place="below">
      <Rail>
        {voices.map((voice) => (
          <VoiceCard key={voice.id} voice={voice} source="homepage" variant="rail" />
        ))}
      </Rail>
    </Section>
  );
}

function Playlists({ playlists }: { playlists: HomeData['playlists'] }) {
  if (playlists.length === 0) return null;
  return (
    <Section title="Playlists" more={{ label: 'See all', to: href('/playlists') }} place="below">
      <Rail>
        {playlists.map((playlist) => (
          <PlaylistCard key={playlist.id} playlist={playlist} source="homepage" variant="rail" />
        ))}
      </Rail>
    </Section>
  );
}

function UserPlaylists({ title, playlists }: { title: string; playlists: HomeData['userPlaylists'] }) {
  if (playlists.length === 0) return null;
  return (
    <Section title={title} more={{ label: 'See all', to: href('/users-playlists') }} place="below">
      <Rail width="5">
        {playlists.map((playlist) => (
          <UserPlaylistCard key={playlist.id} playlist={playlist} source="homepage" />
        ))}
      </Rail>
    </Section>
  );
}

/**
 * Links into the catalogue for logged-in users. Rendered in the header, so it reads the home page’s data by route id.
 */
function BrowseRow() {
  const data = useRouteLoaderData<typeof loader>('routes/home');
  return (
    <nav className="chips chips--scroll" aria-label="Browse">
      <Chip render={<Link to={href('/')} aria-current="page" />}>For you</Chip>
      <Chip render={<Link to={href('/audios')} />}>New</Chip>
      {data?.categories.map((category) => (
        <Chip key={category.id} render={<CategoryLink category={category} source="homepage" />}>
          {category.label}
        </Chip>
      ))}
      <Chip render={<Link to={`${href('/audios')}?shorterThan=600`} />}>Under ten minutes</Chip>
    </nav>
  );
}
