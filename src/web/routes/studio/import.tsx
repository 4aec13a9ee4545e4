import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { itemFilters } from '#domain/studio/feed-imports/rules.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { FeedImportPage } from '../../studio/feed-imports/feed-import-page.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { useStudio } from '../../studio/use-studio.ts';
import type { Route } from './+types/import';

const pageSize = 50;

/** Invalid values are ignored. */
const Query = z.object({ show: z.enum(itemFilters).optional().catch(undefined), cursor: z.string().optional() });

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const { show, cursor } = Query.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [found, categories] = await Promise.all([
    site.studio.findFeedImport(viewer, voice.id),
    site.catalogue.listCategories(),
  ]);
  const page =
    found === undefined || found.counts.all === 0
      ? undefined
      : orNotFound(await orBadRequest(site.studio.listFeedItems(viewer, found.id, { show, cursor, limit: pageSize })));
  return {
    found: found ?? null,
    page: { items: page?.items ?? [], nextCursor: page?.nextCursor ?? null },
    show,
    categories: categories.map(({ id, label }) => ({ id, label })),
    feedUrl: `${site.facts.url}/creators/${voice.slug}/feed.xml`,
  };
}

export const meta = metaOf(() => ({ title: t`Import`, description: t`Import from a feed`, index: 'no' }));

export default function StudioImport({ loaderData }: Route.ComponentProps) {
  const { voice } = useStudio();
  return <FeedImportPage key={voice.id} voice={voice} {...loaderData} />;
}
