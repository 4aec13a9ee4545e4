import { plural, t } from '@lingui/core/macro';
import { href, Link, redirect } from 'react-router';
import { AudioMenu } from '../../catalogue/audio-menu.tsx';
import { AudioSection } from '../../catalogue/cards/audio-section.tsx';
import { AudioTranscript } from '../../catalogue/audio-transcript.tsx';
import { AudioWaveform } from '../../catalogue/audio-waveform.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { CategoryLink, VoiceLink } from '../../catalogue/content-link.tsx';
import { DetailHead, Glow, headSizes } from '../../catalogue/detail-head.tsx';
import { audioFavorite, FavoriteButton } from '../../catalogue/favorite-button.tsx';
import { QueueButton, ShareButton } from '../../catalogue/list-actions.tsx';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { foreign } from '../../catalogue/foreign-language.tsx';
import { MoreFromVoice } from '../../catalogue/more-from-voice.tsx';
import { NoScriptAudio } from '../../catalogue/no-script-audio.tsx';
import { voiceTypeText } from '../../catalogue/voice-type-text.ts';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { CreditRole } from '#domain/catalogue/credits/rules.ts';
import { commentOrders } from '#domain/catalogue/rules.ts';
import type { Thread, ThreadPage } from '#domain/community/comments.ts';
import { type ThreadView, toView, withLinked } from '../../community/threads.ts';
import type { FirstComments } from '../../community/use-comments.ts';
import { siteContext, requestContext } from '../../context.ts';
import { latePart } from '../../late-part.tsx';
import { noWords, primaryLanguage } from '#formats/content-languages.ts';
import { languageName } from '#formats/language-names.ts';
import { language } from '#i18n';
import { currentMinute, formatDate } from '#formats/times.ts';
import { formatDuration, formatIsoDuration } from '#formats/durations.ts';
import { useSharedSource } from '../../analytics/shared-link.ts';
import { logEvent } from '../../analytics/log-event.ts';
import { audioCards } from '../../list-items.ts';
import { useFavoriteTotal } from '../../favorites/library-provider.tsx';
import { PlayButton } from '../../listening/play-button.tsx';
import { breadcrumbs, metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import type { PageHandle } from '../../shell/page-handle.ts';
import { Chip } from '../../ui/chip.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import type { Route } from './+types/audio';
import { imageAddress } from '../../ui/images/image-address.ts';
import '../../styles/community.css';

export const handle: PageHandle = { header: 'glass' };

const Comments = latePart(async () => (await import('../../community/comments.tsx')).Comments);

const HideSwitch = latePart(async () => (await import('../../catalogue/hiding/hide-switch.tsx')).HideSwitch);
const TipLink = latePart(async () => (await import('../../catalogue/tip-link.tsx')).TipLink);
const ContentNotes = latePart(async () => (await import('../../catalogue/content-notes.tsx')).ContentNotes);

const AudioCredits = latePart(async () => (await import('../../catalogue/audio-credits.tsx')).AudioCredits);

const AudioChapters = latePart(async () => (await import('../../catalogue/chapters/audio-chapters.tsx')).AudioChapters);

const TranscriptLanguages = latePart(
  async () => (await import('../../listening/transcript-languages.tsx')).TranscriptLanguages,
);

const commentPageSize = 10;

/** The same object for the same comments, so that their HTML is written once (`keep-html.tsx`). */
const views = new WeakMap<ThreadPage, FirstComments>();

function toThreadView(thread: Thread): ThreadView {
  return { ...toView(thread), replies: thread.replies.map(toView) };
}

function viewOf(comments: ThreadPage): FirstComments {
  const view = views.get(comments) ?? {
    ...comments,
    items: comments.items.map(toThreadView),
  };
  views.set(comments, view);
  return view;
}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { catalogue, community, library, listening, membership, studio, isOn } = context.get(siteContext);
  const { viewer, preferences } = context.get(requestContext);
  // The Studio uses the same page for unpublished changes (`routes/studio/audio-preview.tsx`).
  const preview =
    params.id !== undefined
      ? orNotFound(viewer.kind === 'user' ? await studio.findAudioPreview(viewer, params.id) : undefined)
      : undefined;
  const shared = preview?.audio ?? orNotFound(await catalogue.findSharedAudio(params.slug ?? ''));
  // By id or former slug.
  if (preview === undefined && shared.slug !== params.slug)
    throw redirect(href('/audio/:slug', { slug: shared.slug }) + new URL(request.url).search, 301);
  const { cursor } = readListQuery(request);
  const { searchParams } = new URL(request.url);
  const commentId = searchParams.get('comment');
  // A further page goes on in the order of its cursor.
  const sort =
    commentOrders.find((order) => order === searchParams.get('sort')) ??
    (cursor === undefined ? preferences.commentOrder : undefined);
  const wanted = searchParams.get('transcript');
  const hasLink = commentId !== null && cursor === undefined && preview === undefined;
  async function findStateAndComments() {
    // A visitor's page is kept as a whole, so its counts may be as old as the rest.
    const state =
      preview === undefined && viewer.kind === 'user'
        ? orNotFound(await community.findAudioState(viewer, shared.id))
        : undefined;
    const comments =
      preview !== undefined || cursor !== undefined
        ? await orBadRequest(community.listComments(viewer, shared, { cursor, sort, limit: commentPageSize }))
        : await community.listFirstComments(viewer, shared, state, { sort, limit: commentPageSize });
    return { state, comments };
  }
  const [
    series,
    transcript,
    chapters,
    waveform,
    ofVoice,
    related,
    { state, comments },
    linked,
    canSwitchComments,
    hidden,
    hiddenTags,
    canTip,
  ] = await Promise.all([
    preview === undefined ? catalogue.findSeriesOfAudio(shared.id) : preview.series,
    preview === undefined ? listening.findTranscript(viewer, shared, wanted ?? language()) : preview.transcript,
    preview === undefined ? listening.findChapters(viewer, shared) : preview.chapters,
    catalogue.findWaveform(shared.id),
    catalogue.listMostPlayedOfVoice(viewer, shared.voice.id),
    catalogue.listRelatedAudios(viewer, shared, 12),
    findStateAndComments(),
    hasLink ? community.findThread(viewer, shared, commentId) : undefined,
    viewer.kind === 'user' && viewer.voiceRoles !== undefined && community.canSwitchComments(viewer, shared.id),
    library.findFirstHidden(viewer, [
      { kind: 'voice', id: shared.voice.id, name: shared.voice.name },
      { kind: 'audio', id: shared.id, name: shared.title },
    ]),
    viewer.kind === 'user' && viewer.hidesNothing !== true && shared.contentNotes.length > 0
      ? library.listHiddenTags(viewer.id)
      : [],
    preview === undefined && membership.findTipOffer() !== undefined && catalogue.takesTips(shared.voice.id),
  ]);
  const { plays, totalFavorite, totalComments } = state ?? shared;
  const view = viewOf(comments);
  return {
    audio: { ...shared, plays, totalFavorite, totalComments },
    languageName: primaryLanguage(shared.language) === language() ? undefined : languageName(shared.language),
    series: series && { slug: series.slug, title: series.title, totalAudios: series.totalAudios },
    transcript,
    isTranscriptOpen: wanted !== null,
    ...(chapters.length > 0 && { chapters }),
    waveform: waveform ?? null,
    ofVoice: audioCards.list(ofVoice.filter((other) => other.id !== shared.id).slice(0, 3)),
    related: audioCards.list(related),
    ...noteLanguages(context, request),
    comments:
      hasLink && linked !== undefined
        ? { ...view, items: withLinked(view.items, toThreadView(linked), commentId) }
        : view,
    canSwitchComments,
    ...(hidden && { hidden }),
    hiddenNotes: hiddenTags.flatMap(({ slug }) =>
      shared.contentNotes.some((note) => note.slug === slug) ? [slug] : [],
    ),
    areCommentsOn: isOn('comments'),
    canTip,
    now: currentMinute(),
  };
}

const noteNames = ({ contentNotes }: Pick<Audio, 'contentNotes'>) => contentNotes.map(({ label }) => label).join(', ');

/** https://schema.org/Person: those with one of these parts. Undefined, and so left out, for nobody. */
function personsOf({ credits }: Pick<Audio, 'credits'>, siteUrl: string, ...roles: CreditRole[]) {
  const people = credits.filter(({ role }) => roles.includes(role));
  return people.length === 0 ? undefined : people.map(({ name, voice }) => personOf(siteUrl, name, voice));
}

function personOf(siteUrl: string, name: string, voice: { slug: string } | null) {
  return {
    '@type': 'Person',
    name,
    ...(voice && { url: siteUrl + href('/creators/:slug', { slug: voice.slug }) }),
  };
}

/** https://schema.org/digitalSourceType, after IPTC's list */
const digitalSources = {
  none: undefined,
  partly: 'https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource',
  wholly: 'https://schema.org/TrainedAlgorithmicMediaDigitalSource',
};

export const meta = metaOf(({ audio }: Route.ComponentProps['loaderData'], args) => {
  const path = href('/audio/:slug', { slug: audio.slug });
  const { description, voice } = audio;
  const { name } = voice;
  const duration = formatDuration(audio.numberDuration);
  return {
    title: audio.title,
    description: t`${description} Read by ${name}, ${duration}.`,
    path,
    imageUrl: audio.imageUrl,
    type: 'music.song',
    ...(import.meta.env.SSR && audio.isFree && { isFramed: true, soundUrl: audio.audioFileUrl }),
    index: /comment=|sort=|transcript=/.test(args.location.search) ? 'no' : undefined,
    structuredData: [
      (siteUrl) => ({
        '@type': 'AudioObject',
        name: audio.title,
        description: audio.description,
        url: siteUrl + path,
        duration: formatIsoDuration(audio.numberDuration),
        uploadDate: audio.publishedAt,
        inLanguage: audio.language,
        digitalSourceType: digitalSources[audio.syntheticVoice],
        isAccessibleForFree: audio.isFree,
        ...(audio.contentNotes.length > 0 && { contentRating: t`Content notes: ${{ names: noteNames(audio) }}` }),
        author: personsOf(audio, siteUrl, 'writer') ?? personOf(siteUrl, name, voice),
        creator: personOf(siteUrl, name, voice),
        editor: personsOf(audio, siteUrl, 'editor'),
        contributor: personsOf(audio, siteUrl, 'performer', 'sound', 'other'),
        keywords: audio.tags.map((tag) => tag.label).join(', '),
        interactionStatistic: {
          '@type': 'InteractionCounter',
          interactionType: 'https://schema.org/ListenAction',
          userInteractionCount: audio.plays,
        },
        ...(audio.imageUrl && {
          thumbnailUrl: siteUrl + imageAddress(audio.imageUrl, 'jpeg', 1024),
        }),
        // Structured data names the file only if the audio is free.
        ...(audio.isFree && { contentUrl: siteUrl + audio.audioFileUrl }),
      }),
      breadcrumbs(
        [t`Creators`, href('/creators')],
        [audio.voice.name, href('/creators/:slug', { slug: audio.voice.slug })],
        [audio.title, path],
      ),
    ],
  };
});

export default function AudioPage({ loaderData }: Route.ComponentProps) {
  const { audio, series, transcript, isTranscriptOpen, waveform, ofVoice, related, comments } = loaderData;
  const { canSwitchComments, areCommentsOn, now } = loaderData;
  const lang = foreign(audio.language);
  const { plays } = audio;
  const title = series?.title ?? '';
  const totalFavorite = useFavoriteTotal(audio.id, audio.totalFavorite);
  const source = useSharedSource('audio_details');
  const isNoNote = ({ slug }: { slug: string }) => audio.contentNotes.every((note) => note.slug !== slug);
  return (
    <div className="wrap">
      <Glow color={audio.color}>
        <DetailHead
          variant="wide"
          cover={<Cover imageUrl={audio.imageUrl} width={360} sizes={headSizes} priority="high" />}
        >
          {audio.categories.length > 0 && (
            <div className="chips">
              {audio.categories.map((category) => (
                <Chip key={category.id} size="sm" render={<CategoryLink category={category} source="audio_details" />}>
                  {category.label}
                </Chip>
              ))}
            </div>
          )}
          <h1 className="text-60 mt-4" lang={lang}>
            {audio.title}
          </h1>
          <VoiceLink className="detail-head__by" voice={audio.voice} source="audio_details">
            <Cover imageUrl={audio.voice.imageUrl} shape="circle" size={36} />
            <span>
              <bdi>{audio.voice.name}</bdi>
              <span className="dot font-normal text-muted">{voiceTypeText(audio.voiceTypeLabel)}</span>
            </span>
          </VoiceLink>
          <p className="detail-head__text" lang={lang}>
            {audio.description}
          </p>
          {audio.contentNotes.length > 0 && <ContentNotes audio={audio} hidden={loaderData.hiddenNotes} />}
          {audio.syntheticVoice !== 'none' && (
            <p className="meta mt-5">
              {audio.syntheticVoice === 'wholly' ? t`Synthetic voice, wholly` : t`Synthetic voice, partly`}
            </p>
          )}
          <div className="acts">
            <PlayButton audios={[audio]} index={0} source={source} variant="primary" />
            <FavoriteButton {...audioFavorite(audio, 'audio_details')} />
            <QueueButton audio={audio} />
            <ShareButton
              name={audio.title}
              imageUrl={audio.imageUrl}
              onShare={() => logEvent('share_audio', { source: 'audio_details', subjectId: audio.id })}
            />
            <AudioMenu audio={audio} place="head" source="audio_details" />
            {loaderData.canTip && <TipLink voice={audio.voice} audioId={audio.id} />}
          </div>
          {loaderData.hidden && (
            <HideSwitch key={loaderData.hidden.id} subject={loaderData.hidden} isHidden imageUrl={audio.imageUrl} />
          )}
          <p className="meta tabular-nums mt-5">
            <span>{formatDuration(audio.numberDuration)}</span>
            {loaderData.languageName && (
              <span className="dot">{inLanguageText(audio.language, loaderData.languageName)}</span>
            )}
            <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>
            <span className="dot">{plural(totalFavorite, { one: '# favorite', other: '# favorites' })}</span>
            <span className="dot max-md:hidden">
              <time dateTime={audio.publishedAt}>{formatDate(audio.publishedAt)}</time>
            </span>
          </p>
        </DetailHead>
        <AudioWaveform audio={audio} bars={waveform} />
        <NoScriptAudio audio={audio} />
        {(series || audio.tags.some(isNoNote)) && (
          <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-1 text-14 max-md:gap-y-6 [overflow-wrap:anywhere]">
            {series && (
              <Link className="link" to={href('/series/:slug', { slug: series.slug })}>
                {t`Part of ${title}`}
              </Link>
            )}
            {audio.tags.filter(isNoNote).map((tag) => (
              <Link
                key={tag.slug}
                dir="auto"
                className="tap inline-flex min-h-6 items-center text-muted hover:text-text"
                to={`${href('/audios')}?tag=${tag.slug}`}
              >
                #{tag.label}
              </Link>
            ))}
          </p>
        )}
        {loaderData.chapters && <AudioChapters key={audio.id} audio={audio} chapters={loaderData.chapters} />}
        {transcript !== undefined && (
          <AudioTranscript
            key={audio.id}
            audio={audio}
            transcript={transcript}
            isOpen={isTranscriptOpen}
            languages={TranscriptLanguages}
          />
        )}
        <div className="mt-10 grid grid-cols-1 items-start gap-10 *:min-w-0 md:mt-16 md:gap-16 lg:grid-cols-[minmax(0,1fr)_360px]">
          {areCommentsOn && (
            <Comments key={audio.id} audio={audio} first={comments} canSwitch={canSwitchComments} now={now} />
          )}
          <div className="grid grid-cols-1 gap-10">
            {audio.credits.length > 0 && <AudioCredits credits={audio.credits} />}
            {ofVoice.length > 0 && <MoreFromVoice voice={audio.voice} audios={ofVoice} />}
          </div>
        </div>
        {related.length > 0 && (
          <AudioSection
            title={t`You might also like`}
            audios={related}
            note={loaderData.note}
            source="audio_details"
            place="below"
          />
        )}
      </Glow>
    </div>
  );
}

/** `In German`. @param name in the language of the page */
function inLanguageText(tag: string, name: string): string {
  return tag === noWords ? name : t`In ${name}`;
}
