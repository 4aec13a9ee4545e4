import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type CSSProperties, startTransition, useEffect, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import { fractionOf } from '#player/reports/progress.ts';
import type { Track } from '#player/track.ts';
import { AudioLink, VoiceLink } from '#web/catalogue/content-link.tsx';
import { useAddDownloads } from '#web/downloads/use-downloads.ts';
import { formatDuration } from '#formats/durations.ts';
import { canDownload } from '#web/listening/tab-downloads.ts';
import { useToast } from '#web/ui/layers/toast.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Waveform } from '#web/ui/images/waveform.tsx';
import { isOnlyPreview } from '../listening/playback.ts';
import { useDuration, usePlayerCommands, usePlayerState, usePosition } from '../listening/player-provider.tsx';
import { QueueRow, reorderHintId } from './queue-row.tsx';
import { queueHeadingId } from './queue-view-state.tsx';
import { useWaveform } from './use-waveform.ts';
import { useRowOrder } from '../listening/use-reorder.ts';
import '#web/styles/queue.css';
import '#web/styles/continue.css';

/** Rows of the first render; the rest follow in a transition, so that input is not blocked. */
const firstRows = 20;

/** The current audio and the ones after it, in place of the page (spec §2, “Queue view”). */
export function QueueView() {
  const current = usePlayerState((snapshot) => snapshot.current);
  const isEmpty = usePlayerState(isOnlyPreview);
  return (
    <section className="wrap" aria-labelledby={queueHeadingId}>
      {isEmpty || current === null ? (
        <EmptyQueue />
      ) : (
        <div className="queue">
          <NowPlaying track={current} />
          <UpNext />
        </div>
      )}
    </section>
  );
}

function EmptyQueue() {
  return (
    <EmptyState title={t`The queue is empty`} text={t`Add audios from any row, or press play on a playlist.`}>
      <Button variant="primary" render={<Link to={href('/audios')} />}>
        {t`Browse new audios`}
      </Button>
    </EmptyState>
  );
}

function NowPlaying({ track }: { track: Track }) {
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  return (
    <section aria-label={t`Now Playing`}>
      <h2>
        <Trans>Now Playing</Trans>
      </h2>
      <div className="feature queue__now" style={{ '--tone': track.color ?? '#5b4b8a' } as CSSProperties}>
        <Cover imageUrl={track.imageUrl} width={312} sizes="(max-width: 1023px) 96px, 312px" />
        <div className="min-w-0 flex-1">
          <h3 className="text-26 max-lg:text-[1.25rem]">
            {isPreview ? (
              track.title
            ) : (
              <AudioLink audio={track} source="queue">
                {track.title}
              </AudioLink>
            )}
          </h3>
          <p className="mt-1.5 text-14 text-muted">
            <VoiceLink voice={track.voice} source="queue">
              {track.voice.name}
            </VoiceLink>
          </p>
          <div className="mt-4 max-lg:hidden">
            <CoverWaveform audioId={track.id} />
          </div>
        </div>
      </div>
    </section>
  );
}

function CoverWaveform({ audioId }: { audioId: string }) {
  const bars = useWaveform(audioId);
  return <Waveform bars={bars} count={56} height={40} progress={fractionOf(usePosition(), useDuration())} />;
}

function UpNext() {
  const { clearQueue, moveInQueue } = usePlayerCommands();
  const upNext = usePlayerState((snapshot) => snapshot.upNext);
  const showToast = useToast();
  const list = useRef<HTMLUListElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRowsInTurn(upNext);
  useFocusKept(list, heading, upNext);
  const { announcement, moveBy, ...handlers } = useRowOrder({
    list,
    items: upNext,
    // The current audio comes before these rows.
    onMove: (from, to) => moveInQueue(from + 1, to + 1),
  });

  function clear(): void {
    const undo = clearQueue();
    heading.current?.focus();
    showToast({ text: t`Queue cleared`, kind: 'queue', action: { label: t`Undo`, onPress: undo } });
  }

  const count = upNext.length;
  const duration = formatDuration(sumOf(upNext));
  return (
    <section aria-label={t`Up Next`}>
      <div className="mb-2 flex min-h-9 items-center justify-between [&_.btn]:-me-3.5">
        <h2 ref={heading} tabIndex={-1} className="focus-visible:[--ring:none]">
          <Trans>Up Next</Trans>
          {upNext.length > 0 && (
            <span className="tabular-nums ms-2 font-normal">
              {t`${plural(count, { one: '# audio', other: '# audios' })}, ${duration}`}
            </span>
          )}
        </h2>
        {upNext.length > 0 && (
          <span className="flex flex-wrap justify-end">
            <DownloadNext tracks={upNext} />
            <Button variant="ghost" size="sm" onClick={clear}>
              {t`Clear Queue`}
            </Button>
          </span>
        )}
      </div>
      {upNext.length === 0 ? (
        <p className="text-muted">
          <Trans>The queue is empty</Trans>
        </p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for the grips in it, of which there may be 1,000
        <ul ref={list} className="rows" {...handlers}>
          {shown.map((track, index) => (
            <QueueRow key={track.id} track={track} isFirst={index < firstRows} onMove={moveBy} />
          ))}
        </ul>
      )}
      <p id={reorderHintId} hidden>
        <Trans>Arrow keys move it up and down, Home and End to the ends.</Trans>
      </p>
      <p className="sr-only" aria-live="assertive">
        {announcement}
      </p>
    </section>
  );
}

/** Maximum audios of one download press. */
const maxDownloads = 10;

function DownloadNext({ tracks }: { tracks: readonly Track[] }) {
  const add = useAddDownloads();
  if (!canDownload()) return null;
  const next = tracks.slice(0, maxDownloads);
  const count = next.length;
  return (
    <Button
      variant="ghost"
      size="sm"
      onClick={() => add(next, next.length === 1 ? (next[0]?.title ?? '') : t`Your queue`)}
    >
      {t`Download next ${count}`}
    </Button>
  );
}

function sumOf(tracks: readonly Track[]): number {
  return tracks.reduce((sum, { numberDuration }) => sum + numberDuration, 0);
}

/** Renders the first rows at once and all of them in a later, low-priority render. */
function useRowsInTurn(tracks: readonly Track[]): readonly Track[] {
  const [hasAll, setHasAll] = useState(tracks.length <= firstRows);
  useEffect(() => {
    if (!hasAll) startTransition(() => setHasAll(true));
  }, [hasAll]);
  return hasAll ? tracks : tracks.slice(0, firstRows);
}

/** When the focused row leaves the list, focuses the row that takes its place, or the heading. */
function useFocusKept(
  list: React.RefObject<HTMLElement | null>,
  heading: React.RefObject<HTMLElement | null>,
  tracks: readonly Track[],
): void {
  const focusedAt = useRef(-1);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const row = target.closest('li');
      if (row && row.parentElement === list.current)
        focusedAt.current = [...(list.current?.children ?? [])].indexOf(row);
      else if (target.closest('[data-menu]') === null) focusedAt.current = -1;
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [list]);
  useEffect(() => {
    const at = focusedAt.current;
    if (at < 0 || (document.activeElement !== document.body && document.activeElement !== null)) return;
    const row = list.current?.children[Math.min(at, tracks.length - 1)];
    const next = row?.querySelector<HTMLElement>('[data-more-button]') ?? heading.current;
    next?.focus({ preventScroll: true });
  }, [list, heading, tracks]);
}
