import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChartLine from 'lucide-react/icons/chart-line';
import ExternalLink from 'lucide-react/icons/external-link';
import Eye from 'lucide-react/icons/eye';
import { useCallback } from 'react';
import { href, Link, redirect, useRevalidator } from 'react-router';
import { noWords } from '#formats/content-languages.ts';
import { languageChoices } from '#formats/language-names.ts';
import { orNotFound } from '../../route-errors.ts';
import { AccessPanel } from '../../studio/audios/access-panel.tsx';
import { languageKey } from '../../studio/audios/audio-conflict.ts';
import { AudioCommentSettings } from '../../studio/comments/audio-comment-settings.tsx';
import { CommentersPanel } from '../../studio/audios/commenters-panel.tsx';
import { CoverPanel } from '../../studio/audios/cover-panel.tsx';
import { DangerZone } from '../../studio/audios/danger-zone.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { NoticesAgainst } from '../../studio/audios/notices-against.tsx';
import { usePublishing } from '../../studio/audios/publication-calls.ts';
import { RecordingPanel } from '../../studio/audios/recording-panel.tsx';
import { ReviewBanner, ReviewSteps } from '../../studio/audios/review-state.tsx';
import { SaveBar } from '../../studio/audios/save-bar.tsx';
import { TextFields } from '../../studio/audios/text-fields.tsx';
import { AudioParts } from '../../studio/performers/audio-parts.tsx';
import { ChapterEditor } from '../../studio/chapters/chapter-editor.tsx';
import { ScriptTiming } from '../../studio/transcript/script-timing.tsx';
import { TranscriptEditor } from '../../studio/transcript/transcript-editor.tsx';
import { areSameCues } from '../../studio/transcript/cue-edits.ts';
import { changedSince } from '../../studio/transcript/use-transcript.ts';
import { Translations } from '../../studio/transcript/translations.tsx';
import { useAudioEditor } from '../../studio/audios/use-audio-editor.ts';
import { useRecording } from '../../workshop/use-recording.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { type Publication, PublishingPanel } from '../../workshop/forms/publishing-panel.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { PublicationMark } from '../../workshop/state-mark.tsx';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import { titled } from '../../workshop/titled.ts';
import type { Route } from './+types/audio';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const audio = orNotFound(await site.studio.findAudioFacts(viewer, params.id));
  // By slug, or under another voice that the user manages.
  if (audio.id !== params.id || audio.voice.slug !== voice.slug)
    throw redirect(href('/studio/:voice/audios/:id', { voice: audio.voice.slug, id: audio.id }));
  if (audio.state === 'deleted')
    throw redirect(`${href('/studio/:voice/audios', { voice: voice.slug })}?state=deleted`);
  const [edited, measured, categories, facets, series, translations, performers, against, timing, commentSettings] =
    await Promise.all([
      site.studio.findEditedAudio(viewer, audio.id),
      site.studio.findRecording(audio.id),
      site.studio.listCategoryChoices(),
      site.catalogue.listFacetFields(),
      site.studio.listSeriesChoices(audio.id),
      site.studio.listTranslations(viewer, audio.id),
      site.studio.listPerformers(viewer, audio.id),
      site.notices.listAgainst(viewer, audio.id),
      site.studio.findTiming(viewer, audio.id),
      site.community.findAudioCommentSettings(viewer, audio.id).then(orNotFound),
    ]);
  return {
    audio,
    edited: orNotFound(edited),
    measured: measured ?? null,
    categories,
    facets,
    series,
    translations: translations ?? [],
    timing,
    waiting: performers === undefined ? 0 : performers.total - performers.complete,
    against,
    commentSettings: { ...commentSettings, pausedUntil: commentSettings.pausedUntil?.toISOString() ?? null },
    languages: languageChoices(edited?.values.language),
    speechHost: site.facts.speechHost,
    now: Date.now(),
  };
}

export const meta = titled(({ audio }: Route.ComponentProps['loaderData']) => audio.title);

export default function StudioAudio({ loaderData }: Route.ComponentProps) {
  // Remounts for another audio.
  return <Editor key={loaderData.audio.id} {...loaderData} />;
}

function Editor({
  audio,
  edited,
  measured,
  categories,
  facets,
  series,
  waiting,
  now,
  ...loaded
}: Route.ComponentProps['loaderData']) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { editor, values, cover, ...saved } = useAudioEditor(edited);
  const { element, recording, failed } = useRecording(audio.numberDuration);
  const suggestCategories = useCallback(
    (text: string) =>
      categories
        .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
        .map(({ slug, label }) => ({ value: slug, label })),
    [categories],
  );
  const cues = values.transcript ?? [];
  const chapters = values.chapters ?? [];
  const line = cues.find(({ start, end }) => recording.position >= start && recording.position < end);
  const at = { voice: audio.voice.slug };

  /** Publishing a hidden audio includes its draft, which the editor shows. @returns the error message, if any */
  async function beforePublication(choice: Publication['state']): Promise<string | undefined> {
    await editor.save();
    const isApart = editor.getSnapshot().apart.length > 0;
    return isApart && audio.state !== 'published' && choice !== 'unpublished' ? editor.publishChanges() : undefined;
  }

  /** Publishing can change the address. */
  async function afterPublication(): Promise<void> {
    await revalidate();
    await editor.refresh();
  }

  /** The timed lines replaced those that the page shows still. */
  async function afterTiming(lines: number): Promise<void> {
    const before = editor.getSnapshot().values.transcript;
    await editor.refresh();
    const timed = editor.getSnapshot().values.transcript;
    function undo(): void {
      if (areSameCues(editor.getSnapshot().values.transcript ?? [], timed ?? [])) editor.change({ transcript: before });
      else showToast({ text: changedSince(), kind: 'cue' });
    }
    showToast({
      text: plural(
        { count: lines },
        { one: '# line, timed from your script', other: '# lines, timed from your script' },
      ),
      kind: 'cue',
      action: { label: t`Undo`, onPress: undo },
    });
  }

  const publish = usePublishing(audio, { onBefore: beforePublication, onDone: afterPublication });

  return (
    <>
      <WorkshopHead
        title={values.title.trim() === '' ? audio.title : values.title}
        back={{ to: href('/studio/:voice/audios', at), label: t`Audios` }}
        facts={
          <>
            <PublicationMark of={audio} now={now} />
            {audio.state === 'published' && audio.publishedAt !== null && (
              <span className="ms-2.5">
                <Trans>
                  Since <LocalTime at={audio.publishedAt} style="full" />
                </Trans>
              </span>
            )}
            <span className="dot">{values.isFree ? t`Free` : t`Subscribers`}</span>
            {audio.plays > 0 && (
              <span className="dot tabular-nums">
                {plural({ count: audio.plays }, { one: '# play', other: '# plays' })}
              </span>
            )}
          </>
        }
      >
        <Button variant="ghost" className="btn--quiet" render={<Link to={href('/studio/:voice/figures', at)} />}>
          <Icon of={ChartLine} size={18} />
          <Trans>Figures</Trans>
        </Button>
        {(audio.state !== 'published' || saved.apart.length > 0) && (
          <Button
            {...(audio.review === null && { variant: 'ghost' as const, className: 'btn--quiet' })}
            render={<Link to={href('/studio/:voice/audios/:id/preview', { ...at, id: audio.id })} />}
          >
            <Icon of={Eye} size={18} />
            {audio.review === null ? t({ message: 'Preview', context: 'of a page' }) : t`See as a listener`}
          </Button>
        )}
        {audio.state === 'published' && (
          <Button render={<Link to={href('/audio/:slug', { slug: audio.slug })} />}>
            <Icon of={ExternalLink} size={16} />
            <Trans>View page</Trans>
          </Button>
        )}
      </WorkshopHead>
      <AudioParts audio={audio} waiting={waiting} />
      <NoticesAgainst notices={loaded.against} />
      <ReviewBanner audio={audio} onPublish={publish} />
      <RecordingPanel {...{ audio, measured, element, recording, failed, line, chapters }} />
      <div className="main-and-aside mt-8">
        <div className="stack gap-10">
          <TextFields
            audioId={audio.id}
            voiceSlug={audio.voice.slug}
            values={values}
            faults={saved.faults}
            facets={facets}
            categories={categories}
            series={series}
            languages={loaded.languages}
            suggestCategories={suggestCategories}
            onChange={editor.change}
          />
          <TranscriptEditor
            cues={cues}
            onChange={(transcript) => editor.change({ transcript: transcript.length === 0 ? null : transcript })}
            duration={audio.numberDuration}
            peaks={measured?.peaks}
            recording={recording}
          >
            <ScriptTiming
              audioId={audio.id}
              timing={loaded.timing}
              hasLines={cues.length > 0}
              speechHost={loaded.speechHost}
              onBeforeUse={async () => {
                await editor.save();
                return editor.getSnapshot().version;
              }}
              onUsed={afterTiming}
            />
          </TranscriptEditor>
          {(cues.length > 0 || loaded.translations.length > 0) && (
            <Translations
              audioId={audio.id}
              duration={audio.numberDuration}
              translations={loaded.translations}
              languages={loaded.languages.filter(({ value }) => value !== values.language && value !== noWords)}
              hasTranscript={cues.length > 0}
            />
          )}
          <ChapterEditor
            chapters={chapters}
            onChange={(next) => editor.change({ chapters: next.length === 0 ? null : next })}
            duration={audio.numberDuration}
            description={values.description}
            cues={cues}
            recording={recording}
          />
        </div>
        <aside className="stack">
          {audio.review !== null && <ReviewSteps review={audio.review} usual={audio.usualReviewTime} />}
          <PublishingPanel
            state={audio.state}
            publishedAt={audio.publishedAt}
            firstPublishedAt={audio.firstPublishedAt}
            seenBy={t`Only its managers and the operators see it`}
            now={now}
            obstacle={saved.faults.title}
            onPublish={publish}
          />
          <AccessPanel audio={audio} isFree={values.isFree} onChange={editor.change} />
          <CommentersPanel audio={audio} commenters={values.commenters} onChange={editor.change}>
            <AudioCommentSettings audioId={audio.id} settings={loaded.commentSettings} now={now} />
          </CommentersPanel>
          <CoverPanel title={values.title} cover={cover} onChoose={editor.setCover} />
        </aside>
      </div>
      <DangerZone audio={audio} publish={publish} />
      <SaveBar
        {...saved}
        values={values}
        editor={editor}
        valueNames={Object.fromEntries([
          ...categories.map(({ slug, label }) => [slug, label]),
          ...series.map(({ slug, title }) => [slug, title]),
          ...loaded.languages.map(({ value, label }) => [languageKey(value), label]),
        ])}
        isPublished={audio.state === 'published'}
        onPublished={afterPublication}
        returned={audio.state === 'returned' ? { publishAt: audio.review?.publishAt ?? null, publish } : undefined}
      />
    </>
  );
}
