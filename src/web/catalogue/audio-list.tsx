import { useLocation } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import type { Page } from '#domain/pages.ts';
import { AudioRow } from './audio-row.tsx';
import { LoadMore } from './load-more.tsx';
import { usePages } from './use-pages.ts';

type AudioListProps = {
  page: Page<Audio>;
  source: ContentSource;
  /** The same list in the API, with its filters. */
  more: string;
  /** What it is called, for "Playing from". */
  name: string;
};

/** Rows that go on as one scrolls. Playing one plays on through those that are loaded. */
export function AudioList({ page, source, more, name }: AudioListProps) {
  const { items, ...rest } = usePages(page, { path: more, under: 'items' });
  // What stands before a page that was opened by its own address is not known, so neither are the numbers.
  const isPart = new URLSearchParams(useLocation().search).has('cursor');
  if (items.length === 0) return <p className="py-16 text-center text-muted">No audios</p>;
  return (
    <>
      <AudioRows audios={items} source={source} name={name} head numbered={!isPart} />
      <LoadMore {...rest} shown={items.length} />
    </>
  );
}

type AudioRowsProps = {
  audios: Audio[];
  source: ContentSource;
  name: string;
  head?: boolean;
  numbered?: boolean;
};

export function AudioRows({ audios, source, name, head = false, numbered = true }: AudioRowsProps) {
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
          listName={name}
        />
      ))}
    </ul>
  );
}

export function RowsHead() {
  return (
    <li className="row row--head" aria-hidden="true">
      <span className="row__n">#</span>
      <span />
      <span>Title</span>
      <span className="row__d">Description</span>
      <span className="row__x">Plays</span>
      <span className="row__x">Time</span>
      <span />
      <span />
      <span />
    </li>
  );
}
