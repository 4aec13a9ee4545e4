import { plural, t } from '@lingui/core/macro';
import { CardGrid } from '../../catalogue/cards/card-grid.tsx';
import { CategoryTile } from '../../catalogue/cards/category-tile.tsx';
import { PageHead } from '../../catalogue/page-head.tsx';
import { siteContext } from '../../context.ts';
import { categoryTiles } from '../../list-items.ts';
import { pageMeta } from '../../page-meta.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/categories';

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: categoryTiles.list(await context.get(siteContext).catalogue.listCategories()) };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Categories`,
    description: t`Moods to listen in, from sonnets to sleep. Start with the one you are in.`,
  });

export default function Categories({ loaderData }: Route.ComponentProps) {
  const { categories } = loaderData;
  const count = categories.length;
  return (
    <div className="wrap">
      <PageHead
        title={t`Categories`}
        text={
          count === 0
            ? undefined
            : t`${plural(count, { one: '# mood', other: '# moods' })}. Start with the one you are in.`
        }
      />
      {count === 0 ? (
        <EmptyState title={t`No categories yet`} />
      ) : (
        <CardGrid columns="4" className="mt-8">
          {categories.map((category, index) => (
            <CategoryTile key={category.id} category={category} source="categories" priority={index < 4} />
          ))}
        </CardGrid>
      )}
    </div>
  );
}
