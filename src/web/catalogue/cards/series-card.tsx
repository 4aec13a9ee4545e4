import { plural } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import type { SeriesItem } from '../../list-items.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { gridSizes, railSizes } from './rail.tsx';

export function SeriesCard({
  series,
  variant,
  priority = false,
}: {
  series: SeriesItem;
  variant: 'rail' | 'grid';
  priority?: boolean;
}) {
  const { totalAudios } = series;
  return (
    <Link className="card" to={href('/series/:slug', { slug: series.slug })}>
      <Cover
        imageUrl={series.imageUrl}
        width={variant === 'rail' ? 193 : 237}
        sizes={variant === 'rail' ? railSizes : gridSizes}
        priority={priority ? 'high' : 'low'}
      />
      <p className="card__title line-clamp-2">{series.title}</p>
      <p className="card__line truncate">
        {series.voice && <span>{series.voice.name}</span>}
        <span className={series.voice ? 'dot tabular-nums' : 'tabular-nums'}>
          {plural(totalAudios, { one: '# part', other: '# parts' })}
        </span>
      </p>
    </Link>
  );
}
