import { plural } from '@lingui/core/macro';
import type { CategoryItem } from '../../list-items.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { formatCount } from '#formats/numbers.ts';
import { Picture } from '#web/ui/images/image.tsx';
import { CategoryLink } from '../content-link.tsx';

export function CategoryTile({
  category,
  source,
  priority = false,
}: {
  category: CategoryItem;
  source: ContentSource;
  priority?: boolean;
}) {
  const { totalAudios } = category;
  return (
    <CategoryLink className="category-tile" category={category} source={source}>
      {category.imageUrl && (
        <Picture
          imageUrl={category.imageUrl}
          width={302}
          height={189}
          sizes="(max-width: 767px) 220px, (max-width: 1023px) 24vw, 302px"
          priority={priority ? 'high' : 'low'}
        />
      )}
      <b>{category.label}</b>
      <span className="tabular-nums" aria-hidden="true">
        {formatCount(totalAudios)}
      </span>
      <span className="sr-only">{plural(totalAudios, { one: '# audio', other: '# audios' })}</span>
    </CategoryLink>
  );
}
