import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { AudioRow } from './audio-row.tsx';
import type { RestOfList } from '#web/listening/load-list.ts';
import type { Note } from './chosen-languages.ts';
import { ListNote } from './list-note.tsx';
import { LoadMore, useIsPart } from './load-more.tsx';
import { usePages } from './lists/use-pages.ts';

type AudioListProps = {
  page: Page<AudioRowItem>;
  note: Note | undefined;
  source: ContentSource;
  /** API path of the same list, with its filters. */
  more: string;
  name: string;
};

/** Rows that load more while scrolling. Playback continues through all of them. */
export function AudioList({ page, note, source, more, name }: AudioListProps) {
  const { items, ...rest } = usePages(page, { path: more, under: 'items' });
  // The rows of a part have no numbers.
  const isPart = useIsPart();
  if (items.length === 0)
    return (
      <div className="py-16 text-center">
        <p className="text-muted">
          <Trans>No audios</Trans>
        </p>
        <ListNote note={note} className="mt-2" />
      </div>
    );
  return (
    <>
      <ListNote note={note} className="mt-3" />
      <AudioRows
        audios={items}
        source={source}
        rest={{ path: more, cursor: rest.nextCursor }}
        name={name}
        head
        numbered={!isPart}
      />
      <LoadMore {...rest} shown={items.length} />
    </>
  );
}

type AudioRowsProps = {
  audios: AudioRowItem[];
  source: ContentSource;
  rest?: RestOfList;
  name: string;
  head?: boolean;
  numbered?: boolean;
};

export function AudioRows({ audios, source, rest, name, head = false, numbered = true }: AudioRowsProps) {
  return (
    <ul className="rows">
      {head && <RowsHead />}
      {audios.map((audio, index) => (
        <AudioRow
          key={audio.id}
          audios={audios}
          index={index}
          number={numbered ? index + 1 : undefined}
          source={source}
          rest={rest}
          listName={name}
        />
      ))}
    </ul>
  );
}

export function RowsHead() {
  return (
    <li className="row row--head" aria-hidden="true">
      <span className="row__number text-13">#</span>
      <span />
      <span>
        <Trans>Title</Trans>
      </span>
      <span className="row__length text-13">
        <Trans>Description</Trans>
      </span>
      <span className="row__menu text-13">
        <Trans>Plays</Trans>
      </span>
      <span className="row__menu text-13">{t({ message: 'Time', context: 'duration' })}</span>
      <span />
      <span />
      <span />
    </li>
  );
}
