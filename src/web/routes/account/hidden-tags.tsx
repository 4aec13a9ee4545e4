import { t } from '@lingui/core/macro';
import { visitor } from '#domain/kernel/viewer.ts';
import { requestContext, siteContext } from '../../context.ts';
import { HiddenTags } from '../../library/hidden-tags.tsx';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/hidden-tags';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { catalogue, library } = context.get(siteContext);
  const [hidden, tags] = await Promise.all([
    library.listHiddenTags(viewer.id),
    // All tags, because lists for this user omit hidden ones.
    catalogue.listTags(visitor, { limit: 100 }),
  ]);
  return { hidden, tags };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Hidden tags`, description: t`Tags whose audios you do not see.`, index: 'no' });

export default function HiddenTagsPage({ loaderData }: Route.ComponentProps) {
  return loaderData && <HiddenTags {...loaderData} />;
}
