import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import type { CategoryItem } from '#web/list-items.ts';
import { CardGrid } from './cards/card-grid.tsx';
import { CategoryTile } from './cards/category-tile.tsx';
import { Rail } from './cards/rail.tsx';
import { Section } from './cards/section.tsx';

type CategorySectionProps = { title: string; categories: CategoryItem[]; isGrid: boolean };

export function CategorySection({ title, categories, isGrid }: CategorySectionProps) {
  if (categories.length === 0) return null;
  const tiles = categories.map((category) => <CategoryTile key={category.id} category={category} source="homepage" />);
  return (
    <Section title={title} more={{ label: t`See all`, to: href('/categories') }} place="below">
      {isGrid ? <CardGrid columns="4">{tiles}</CardGrid> : <Rail width="4">{tiles}</Rail>}
    </Section>
  );
}
