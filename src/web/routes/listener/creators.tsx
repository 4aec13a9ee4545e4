import { t } from '@lingui/core/macro';
import { href, Link } from 'react-router';
import { PageHead } from '../../catalogue/page-head.tsx';
import { readListQuery, restOf, voiceTypeChoices } from '../../catalogue/lists/list-query.ts';
import { PagedGrid } from '../../catalogue/paged-grid.tsx';
import { RailSection } from '../../catalogue/rail-section.tsx';
import { SeriesCard } from '../../catalogue/cards/series-card.tsx';
import { VoiceCard } from '../../catalogue/cards/voice-card.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { seriesCards, voiceCards } from '../../list-items.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { Chip } from '../../ui/chip.tsx';
import type { Route } from './+types/creators';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { cursor, filter } = readListQuery(request);
  const { voiceType } = filter;
  const { catalogue } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const [page, series] = await Promise.all([
    orBadRequest(catalogue.listVoices(viewer, { voiceType, cursor, limit: 30 })),
    catalogue.listSeries(viewer, { limit: 12 }),
  ]);
  return {
    voiceType,
    voiceTypes: voiceTypeChoices(),
    more: restOf('/v1/api/voices', { sort: undefined, filter: { voiceType } }),
    page: voiceCards.page(page),
    series: seriesCards.list(series.items),
  };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: t`Creators`,
    description: t`Creators: who they are, what they read, and where to begin with each.`,
  });

export default function Creators({ loaderData }: Route.ComponentProps) {
  const { page, voiceType, voiceTypes, more, series } = loaderData;
  return (
    <div className="wrap">
      <PageHead title={t`Creators`} />
      {(page.items.length > 0 || voiceType !== undefined) && (
        <nav className="chips chips--scroll mt-6" aria-label={t`Filter`}>
          <Chip aria-current={voiceType === undefined ? 'true' : undefined} render={<Link to={href('/creators')} />}>
            {t`All creators`}
          </Chip>
          {voiceTypes.map(({ value, label }) => (
            <Chip
              key={value}
              aria-current={voiceType?.some((one) => one === value) ? 'true' : undefined}
              render={<Link to={`${href('/creators')}?voiceType=${value}`} rel="nofollow" preventScrollReset />}
            >
              {label}
            </Chip>
          ))}
        </nav>
      )}
      <PagedGrid page={page} more={more} under="voices" empty={t`No creators yet`}>
        {(voice, index) => <VoiceCard voice={voice} source="voices" variant="grid" priority={index < 4} />}
      </PagedGrid>
      <RailSection title={t`Series`} more={{ label: t`See all`, to: href('/series') }} items={series}>
        {(one) => <SeriesCard series={one} variant="rail" />}
      </RailSection>
    </div>
  );
}
