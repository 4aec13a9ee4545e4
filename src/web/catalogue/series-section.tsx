import { href } from 'react-router';
import type { SeriesItem } from '#web/list-items.ts';
import { Rail } from './cards/rail.tsx';
import { Section } from './cards/section.tsx';
import { SeriesCard } from './cards/series-card.tsx';

/** Links to series, for pages about something else. */
export function SeriesSection({ title = 'Series', series }: { title?: string | undefined; series: SeriesItem[] }) {
  if (series.length === 0) return null;
  return (
    <Section title={title} more={{ label: 'See all', to: href('/series') }} place="below">
      <Rail>
        {series.map((one) => (
          <SeriesCard key={one.id} series={one} variant="rail" />
        ))}
      </Rail>
    </Section>
  );
}
