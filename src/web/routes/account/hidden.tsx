import { t } from '@lingui/core/macro';
import { visitor } from '#domain/kernel/viewer.ts';
import { currentMinute } from '#formats/times.ts';
import { requestContext, siteContext } from '../../context.ts';
import { Hidden } from '../../library/hidden.tsx';
import { pageMeta } from '../../page-meta.ts';
import type { Route } from './+types/hidden';

/** Rows of each kind in the page; a press loads the rest. */
const shown = 50;

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') return null;
  const { catalogue, library } = context.get(siteContext);
  const [{ audios, voices, tags: hiddenTags }, tags] = await Promise.all([
    library.listHidden(viewer.id),
    // All tags, because lists for this user omit hidden ones.
    catalogue.listTags(visitor, { limit: 100 }),
  ]);
  const iso = <Row extends { hiddenAt: Date }>(row: Row) => ({ ...row, hiddenAt: row.hiddenAt.toISOString() });
  return {
    audios: { items: audios.slice(0, shown).map(iso), total: audios.length },
    voices: { items: voices.slice(0, shown).map(iso), total: voices.length },
    hiddenTags,
    tags,
    now: currentMinute(),
  };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Hidden`, description: t`Audios, creators and tags that you do not see.`, index: 'no' });

export default function HiddenPage({ loaderData }: Route.ComponentProps) {
  return loaderData && <Hidden {...loaderData} />;
}
