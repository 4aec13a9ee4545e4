import { PageHead } from '#web/catalogue/page-head.tsx';
import { readListQuery } from '#web/catalogue/list-query.ts';
import { PagedGrid } from '#web/catalogue/paged-grid.tsx';
import { VoiceCard } from '#web/catalogue/voice-card.tsx';
import { siteContext } from '#web/context.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orBadRequest } from '#web/route-errors.ts';
import type { Route } from './+types/creators';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { cursor } = readListQuery(request);
  return { page: await orBadRequest(context.get(siteContext).catalogue.listVoices({ cursor, limit: 30 })) };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, {
    title: 'Creators',
    description: 'The voices: who they are, what they read, and where to begin with each.',
  });
}

export default function Creators({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <PageHead title="Creators" />
      <PagedGrid page={loaderData.page} more="/v1/api/voices" under="voices" empty="No creators yet">
        {(voice, index) => <VoiceCard voice={voice} source="voices" look="grid" priority={index < 2} />}
      </PagedGrid>
    </div>
  );
}
