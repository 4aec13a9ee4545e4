import type { ReactNode } from 'react';
import type { Page } from '#domain/pages.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadMore } from './load-more.tsx';
import { usePages } from './use-pages.ts';

type PagedGridProps = {
  /** What it says when there is nothing. */
  empty: string;
};

export function PagedGrid<Item extends { id: string }>({
  page,
  more,
  under,
  empty,
  children,
}: PagedGridProps & {
  page: Page<Item>;
  /** The same list in the API, and the key its items are under. */
  more: string;
  under: string;
  children: (item: Item, index: number) => ReactNode;
}) {
  const { items, ...rest } = usePages(page, { path: more, under });
  if (items.length === 0) return <EmptyState title={empty} />;
  return (
    <>
      <ul className="grid grid--5 mt-8 gap-y-10!">
        {items.map((item, index) => (
          <li key={item.id}>{children(item, index)}</li>
        ))}
      </ul>
      <LoadMore {...rest} shown={items.length} />
    </>
  );
}
