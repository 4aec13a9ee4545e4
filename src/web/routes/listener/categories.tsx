import { CardGrid } from '../../catalogue/cards/card-grid.tsx';
import { CategoryTile } from '../../catalogue/cards/category-tile.tsx';
import { PageHead } from '../../catalogue/page-head.tsx';
import { siteContext } from '../../context.ts';
import { countOf } from '#formats/numbers.ts';
import { categoryTiles } from '../../list-items.ts';
import { metaOf } from '../../page-meta.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/categories';

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: categoryTiles.list(await context.get(siteContext).catalogue.listCategories()) };
}

export const meta = metaOf({
  title: 'Categories',
  description: 'Moods to listen in, from sonnets to sleep. Start with the one you are in.',
});

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];

export default function Categories({ loaderData }: Route.ComponentProps) {
  const { categories } = loaderData;
  const moods = countOf(categories.length, 'mood').replace(/^\d+/, (digits) => words[Number(digits)] ?? digits);
  return (
    <div className="wrap">
      <PageHead
        title="Categories"
        text={categories.length === 0 ? undefined : `${moods}. Start with the one you are in.`}
      />
      {categories.length === 0 ? (
        <EmptyState title="No categories yet" />
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
