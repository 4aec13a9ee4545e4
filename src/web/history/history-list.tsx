import { plural, t } from '@lingui/core/macro';
import X from 'lucide-react/icons/x';
import { useMemo, useRef } from 'react';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { AudioMenu } from '#web/catalogue/audio-menu.tsx';
import { RowProgress, RowTitles } from '#web/catalogue/audio-row.tsx';
import { LoadMore } from '#web/catalogue/load-more.tsx';
import { usePages } from '#web/catalogue/lists/use-pages.ts';
import { formatAgo } from '#formats/times.ts';
import { formatTime } from '#formats/durations.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PlayButton } from '../listening/play-button.tsx';
import { usePlayback, useSeedResumePositions } from '../listening/player-provider.tsx';
import { historyPath, useHistoryRemoval } from './use-history-removal.ts';
import '#web/styles/continue.css';

export type HistoryEntry = {
  id: string;
  audio: AudioItem;
  lastListenedAt: string;
  listens: number;
  /** Saved position; null when the audio is not in progress. */
  seconds: number | null;
};

export function toEntry(item: Omit<HistoryEntry, 'id'>): HistoryEntry {
  return { ...item, id: item.audio.id };
}

/** Listening history, newest first. @param props.now the server’s time */
export function HistoryList({ page, now }: { page: Page<HistoryEntry>; now: number }) {
  const { items, change, ...rest } = usePages(page, { path: historyPath, under: 'items', read: toEntry });
  const { removed, remove } = useHistoryRemoval((id) => change((all) => all.filter((entry) => entry.id !== id)));
  const list = useRef<HTMLUListElement>(null);
  const shown = useMemo(() => items.filter(({ id }) => !removed.has(id)), [items, removed]);
  const audios = useMemo(() => shown.map(({ audio }) => audio), [shown]);
  useSeedResumePositions(
    useMemo(
      () => Object.fromEntries(items.flatMap(({ id, seconds }) => (seconds === null ? [] : [[id, seconds]]))),
      [items],
    ),
  );

  function removeAt(index: number): void {
    const entry = shown[index];
    if (entry === undefined) return;
    // The focused button disappears with its row, so the focus moves to the next row, or to the one before.
    const rows = list.current?.children;
    const next = rows?.[index + 1] ?? rows?.[index - 1];
    remove(entry.audio);
    (next?.querySelector<HTMLElement>('[data-remove]') ?? document.querySelector<HTMLElement>('#main h1'))?.focus();
  }

  if (shown.length === 0 && rest.nextCursor === undefined) {
    return (
      <EmptyState
        title={t`No audios`}
        text={t`Audios you listen to are listed here, so that you can find them again.`}
      />
    );
  }
  return (
    <>
      <ul ref={list} className="rows history">
        {shown.map((entry, index) => (
          <HistoryRow
            key={entry.id}
            entry={entry}
            audios={audios}
            index={index}
            now={now}
            onRemove={() => removeAt(index)}
          />
        ))}
      </ul>
      <LoadMore {...rest} shown={shown.length} />
    </>
  );
}

type HistoryRowProps = { entry: HistoryEntry; audios: AudioItem[]; index: number; now: number; onRemove: () => void };

function HistoryRow({ entry, audios, index, now, onRemove }: HistoryRowProps) {
  const { audio, lastListenedAt, listens } = entry;
  const { title } = audio;
  const { isCurrent, inProgress } = usePlayback(audio.id);
  const when = formatAgo(lastListenedAt, now);
  return (
    <li className="row" aria-current={isCurrent ? 'true' : undefined}>
      <Cover imageUrl={audio.imageUrl} width={72} />
      <RowTitles audio={audio} source="userProfile">
        <time dateTime={lastListenedAt}>{when}</time>
        {listens > 1 && <span className="dot">{plural(listens, { one: '# time', other: '# times' })}</span>}
      </RowTitles>
      <p className="history__when tabular-nums">
        <time dateTime={lastListenedAt}>{when}</time>
        {listens > 1 && <span className="dot">{plural(listens, { one: '# time', other: '# times' })}</span>}
      </p>
      <span className="row__menu tabular-nums">{formatTime(audio.numberDuration)}</span>
      <PlayButton audios={audios} index={index} source="userProfile" variant="pill" listName={t`Listening history`} />
      <IconButton
        className="history__remove"
        data-remove
        icon={X}
        label={t`Remove ${title} from your history`}
        title={t`Remove`}
        onClick={onRemove}
      />
      <AudioMenu audio={audio} place="row" source="userProfile" />
      {inProgress && <RowProgress audio={audio} />}
    </li>
  );
}
