import { t } from '@lingui/core/macro';
import { homePlaylists } from '#domain/catalogue/rules.ts';
import { Fragment } from 'react';
import { href, useRouteLoaderData } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { AudioSection } from '../../catalogue/cards/audio-section.tsx';
import { BrowseChips } from '../../catalogue/browse-chips.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { ForYouPlace } from '../../catalogue/for-you/for-you-place.tsx';
import { CategorySection } from '../../catalogue/category-section.tsx';
import { Hero } from '../../catalogue/hero.tsx';
import { type HomeRail, loadHomeRails } from '../../catalogue/home-rails.ts';
import { PlaylistCard } from '../../catalogue/cards/playlist-card.tsx';
import { SeriesCard } from '../../catalogue/cards/series-card.tsx';
import { VoiceCard } from '../../catalogue/cards/voice-card.tsx';
import { RailSection } from '../../catalogue/rail-section.tsx';
import { UserPlaylistCard } from '../../library/user-playlist-cover.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { ContinueListening } from '../../history/continue-listening.tsx';
import { RecentActivity } from '../../history/recent-activity.tsx';
import {
  audioCards,
  categoryTiles,
  playlistCards,
  seriesCards,
  userPlaylistCards,
  voiceCards,
} from '../../list-items.ts';
import { enoughHeard } from '#suggestions/enough-heard.ts';
import { currentMinute } from '#formats/times.ts';
import { latePart } from '../../late-part.tsx';
import { pageMeta } from '../../page-meta.ts';
import { useRootData } from '../../root-data.ts';
import { useGreeting } from '../../shell/greeting.ts';
import type { PageHandle } from '../../shell/page-handle.ts';
import type { Route } from './+types/home';

export const handle: PageHandle = { header: 'clear', userHeader: 'solid', UserRow: BrowseRow };

export async function loader({ context, request }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { catalogue, library, listening } = site;
  const { viewer } = context.get(requestContext);
  const [audios, voices, categories, playlists, series, userPlaylists, inProgress, recent, previewBars, rails] =
    await Promise.all([
      catalogue.listAudios(viewer, { limit: 12 }),
      catalogue.listPopularVoices(viewer, 12),
      catalogue.listCategories(8),
      catalogue.listPlaylists(viewer, { limit: homePlaylists }),
      catalogue.listSeries(viewer, { limit: 12 }),
      library.listTopUserPlaylists(viewer, { limit: 10 }),
      listening.findContinueListening(viewer),
      listening.listRecentActivity(viewer, 6),
      viewer.kind === 'visitor' ? catalogue.findPreviewWaveform() : undefined,
      loadHomeRails(site, viewer),
    ]);
  const newest = inProgress[0];
  const hero = viewer.kind === 'visitor' ? site.look.hero() : undefined;
  return {
    audios: audioCards.list(audios.items),
    ...noteLanguages(context, request),
    voices: voiceCards.list(voices),
    categories: categoryTiles.list(categories),
    playlists: playlistCards.list(playlists.items),
    series: seriesCards.list(series.items),
    userPlaylists: userPlaylistCards.list(userPlaylists.items),
    inProgress: inProgress.map(({ audio, seconds }) => ({ audio: audioCards.one(audio), seconds })),
    // The time only where it is shown, so that visitors' home page keeps its bytes.
    recent: recent.length > 0 && {
      items: recent.map(({ audio, at }) => ({ audio: audioCards.one(audio), at: at.toISOString() })),
      now: currentMinute(),
    },
    // This page shows one waveform: of the audio heard last, else of the preview.
    bars: (newest === undefined ? previewBars : await catalogue.findWaveform(newest.audio.id)) ?? null,
    ...(rails && { rails }),
    ...(hero && { hero }),
  };
}

export function meta(args: Route.MetaArgs) {
  const siteName = args.matches[0].loaderData?.siteName ?? '';
  const hero = args.loaderData?.hero;
  return pageMeta(args, {
    title: `${hero?.title ?? t`Intimate audio, softly spoken`} · ${siteName}`,
    description:
      hero?.text ??
      t`Romance, longing and sleep, read aloud by voices you will want to keep. Unlimited listening, cancel anytime.`,
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

const loadForYou = async () => (await import('../../catalogue/for-you/for-you.tsx')).ForYou;
const ForYou = latePart(loadForYou);

/** Default order; the operator may set another. */
const forVisitors: HomeRail['kind'][] = [
  'new',
  'for-you',
  'creators',
  'categories',
  'playlists',
  'series',
  'listeners-playlists',
];
const forListeners: HomeRail['kind'][] = [
  'continue',
  'for-you',
  'new',
  'recent',
  'listeners-playlists',
  'creators',
  'categories',
  'playlists',
  'series',
];

function VisitorHome({ data, preview }: { data: HomeData; preview: AudioItem | null }) {
  return (
    <>
      <Hero preview={preview} bars={data.bars} own={data.hero} />
      <div className="wrap focus-visible:[--ring:none]" id="new">
        <Rails data={data} kinds={forVisitors} isVisitor />
      </div>
    </>
  );
}

function UserHome({ data, username }: { data: HomeData; username: string | null }) {
  const greeting = useGreeting();
  return (
    <div className="wrap">
      <h1 className="text-44 pt-6">{username === null ? greeting : t`${greeting}, ${username}`}</h1>
      <Rails data={data} kinds={forListeners} />
    </div>
  );
}

const allAt = (to: string, label = t`See all`) => ({ label, to });

type RailsProps = { data: HomeData; kinds: HomeRail['kind'][]; isVisitor?: boolean };

function Rails({ data, kinds, isVisitor = false }: RailsProps) {
  const show = {
    continue: () => data.inProgress.length > 0 && <ContinueListening items={data.inProgress} bars={data.bars} />,
    new: (title = t`New audios`) => (
      <AudioSection title={title} to={href('/audios')} audios={data.audios} note={data.note} source="homepage" />
    ),
    'for-you': (title?: string) => (
      <ForYouPlace
        load={loadForYou}
        Late={ForYou}
        title={title}
        isVisitor={isVisitor}
        isEnough={data.recent !== false && data.recent.items.length >= enoughHeard}
      />
    ),
    recent: () => data.recent && <RecentActivity {...data.recent} />,
    'listeners-playlists': (title = isVisitor ? t`Made by listeners` : t`Top user playlists`) => (
      <RailSection title={title} more={allAt(href('/users-playlists'))} items={data.userPlaylists} width="5">
        {(playlist) => <UserPlaylistCard playlist={playlist} source="homepage" />}
      </RailSection>
    ),
    creators: (title = t`Creators`) => (
      <RailSection title={title} more={allAt(href('/creators'), t`All creators`)} items={data.voices}>
        {(voice) => <VoiceCard voice={voice} source="homepage" variant="rail" />}
      </RailSection>
    ),
    categories: (title = t`Categories`) => (
      <CategorySection title={title} categories={data.categories} isGrid={!isVisitor} />
    ),
    playlists: (title = t`Playlists`) => (
      <RailSection title={title} more={allAt(href('/playlists'))} items={data.playlists}>
        {(playlist) => <PlaylistCard playlist={playlist} source="homepage" variant="rail" />}
      </RailSection>
    ),
    series: (title = t`Series`) => (
      <RailSection title={title} more={allAt(href('/series'))} items={data.series}>
        {(series) => <SeriesCard series={series} variant="rail" />}
      </RailSection>
    ),
  };
  return (data.rails ?? kinds.map((kind): HomeRail => ({ kind, title: null }))).map(({ kind, title, chosen }) => (
    <Fragment key={chosen?.to ?? kind}>
      {chosen ? (
        <AudioSection
          title={title ?? chosen.label}
          to={chosen.to}
          audios={chosen.audios}
          note={data.note}
          source="homepage"
        />
      ) : (
        show[kind as keyof typeof show](title ?? undefined)
      )}
    </Fragment>
  ));
}

/** Rendered in the header, so it reads the home page’s data by route id. */
function BrowseRow() {
  const data = useRouteLoaderData<typeof loader>('routes/listener/home');
  return <BrowseChips categories={data?.categories ?? []} />;
}
