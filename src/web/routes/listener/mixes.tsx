import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link, redirect } from 'react-router';
import { TabLinks } from '../../catalogue/tab-links.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { toMixRow } from '../../library/load-mixes.ts';
import { MixRows } from '../../library/mix-rows.tsx';
import { otherTabs } from '../../library/other-tabs.ts';
import { pageMeta } from '../../page-meta.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/mixes';

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') throw redirect(href('/library'));
  const { library } = context.get(siteContext);
  const [totals, mixes] = await Promise.all([library.countFavorites(viewer), library.listMixes(viewer)]);
  return { totals, mixes: mixes.map(toMixRow) };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: t`Mixes`, description: t`Filters that you saved.`, index: 'no' });

export default function Mixes({ loaderData: { totals, mixes } }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6">
        <Trans>Library</Trans>
      </h1>
      <TabLinks
        label={t`Library`}
        className="mt-6"
        tabs={[
          ...otherTabs(totals),
          { label: t`Mixes`, count: mixes.length, to: href('/library/mixes'), isCurrent: true },
          { label: t`Downloads`, to: href('/library/downloads'), isCurrent: false },
        ]}
      />
      {mixes.length === 0 ? (
        <EmptyState
          title={t`No mixes yet`}
          text={t`Set filters on any list and save them. A mix stays fresh by itself.`}
        >
          <Button variant="outline" render={<Link to={href('/audios')} />}>
            {t`Browse audios`}
          </Button>
        </EmptyState>
      ) : (
        <MixRows mixes={mixes} />
      )}
    </div>
  );
}
