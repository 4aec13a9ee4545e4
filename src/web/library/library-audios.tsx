import { useRef } from 'react';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { Page } from '#domain/kernel/pages.ts';
import type { LibraryQuery } from './library-tabs.ts';
import { restOfFavorites } from './library-tabs.ts';
import { LongList } from './long-list.tsx';
import { useWholeList } from './use-whole-list.ts';

/** The favorite audios: the tab that most listeners open. */
export function LibraryAudios({ page, query }: { page: Page<Audio>; query: LibraryQuery }) {
  const list = useRef<HTMLDivElement>(null);
  const pages = useWholeList(page, restOfFavorites('audios', query), list);
  return <LongList list={list} pages={pages} source="favorites" name="Library" />;
}
