import { type ReactNode, Fragment } from 'react';
import type { Page } from '#domain/kernel/pages.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardGrid } from './cards/card-grid.tsx';
import { LoadMore } from './load-more.tsx';
import { usePages } from './lists/use-pages.ts';

type PagedGridProps<Item> = {
  page: Page<Item>;
  /** API path of the same list, and the key of its items in the response. */
  more: string;
  under: string;
  empty: string;
  columns?: '4' | '5' | '6';
  children: (item: Item, index: number) => ReactNode;
};

/** Grid of cards that loads more while scrolling. */
export function PagedGrid<Item extends { id: string }>({
  page,
  more,
  under,
  empty,
  columns = '5',
  children,
}: PagedGridProps<Item>) {
  const { items, ...rest } = usePages(page, { path: more, under });
  if (items.length === 0) return <EmptyState title={empty} />;
  return (
    <>
      <CardGrid columns={columns} className="mt-8">
        {items.map((item, index) => (
          <Fragment key={item.id}>{children(item, index)}</Fragment>
        ))}
      </CardGrid>
      <LoadMore {...rest} shown={items.length} />
    </>
  );
}
