import { href, Link } from 'react-router';
import { PageHead } from '#web/catalogue/page-head.tsx';
import { readListQuery, restOf, voiceTypeChoices } from '#web/catalogue/list-query.ts';
import { PagedGrid } from '#web/catalogue/paged-grid.tsx';
import { VoiceCard } from '#web/catalogue/voice-card.tsx';
import { siteContext } from '#web/context.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orBadRequest } from '#web/route-errors.ts';
import { Chip } from '#web/ui/chip.tsx';
import type { Route } from './+types/creators';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { cursor, filter } = readListQuery(request);
  const { voiceType } = filter;
  return {
    voiceType,
    voiceTypes: voiceTypeChoices,
    more: restOf('/v1/api/voices', { sort: undefined, filter: { voiceType } }),
    page: await orBadRequest(context.get(siteContext).catalogue.listVoices({ voiceType, cursor, limit: 30 })),
  };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, {
    title: 'Creators',
    description: 'The voices: who they are, what they read, and where to begin with each.',
  });
}

export default function Creators({ loaderData }: Route.ComponentProps) {
  const { page, voiceType, voiceTypes, more } = loaderData;
  return (
    <div className="wrap">
      <PageHead title="Creators" />
      <nav className="chips chips--scroll mt-6" aria-label="Filter">
        <Chip aria-current={voiceType === undefined ? 'true' : undefined} render={<Link to={href('/creators')} />}>
          All voices
        </Chip>
        {voiceTypes.map(({ value, label }) => (
          <Chip
            key={value}
            aria-current={value === voiceType ? 'true' : undefined}
            render={<Link to={`${href('/creators')}?voiceType=${value}`} preventScrollReset />}
          >
            {label}
          </Chip>
        ))}
      </nav>
      <PagedGrid page={page} more={more} under="voices" empty="No creators yet">
        {(voice, index) => <VoiceCard voice={voice} source="voices" look="grid" priority={index < 2} />}
      </PagedGrid>
    </div>
  );
}
