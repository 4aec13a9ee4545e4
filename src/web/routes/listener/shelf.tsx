import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Suspense } from 'react';
import { href, Link, redirect } from 'react-router';
import { lazyParts } from '../../catalogue/lazy-part.ts';
import { TabLinks } from '../../catalogue/tab-links.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { toMixRow } from '../../library/load-mixes.ts';
import { MixRows } from '../../library/mix-rows.tsx';
import { otherTabs } from '../../library/other-tabs.ts';
import { audioCards } from '../../list-items.ts';
import { pageMeta } from '../../page-meta.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { orNotFound } from '../../route-errors.ts';
import type { Route } from './+types/shelf';

const MomentGroups = lazyParts(() => import('../../library/moments/moment-groups.tsx'))('MomentGroups');

const shelves = ['mixes', 'moments'] as const;

/** Mixes and moments: one route, because each adds to the first load of all pages. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const shelf = orNotFound(shelves.find((name) => name === params.shelf));
  const { viewer } = context.get(requestContext);
  if (viewer.kind === 'visitor') throw redirect(href('/library'));
  const { library } = context.get(siteContext);
  const [totals, mixes, moments] = await Promise.all([
    library.countFavorites(viewer),
    shelf === 'mixes' ? library.listMixes(viewer) : [],
    shelf === 'moments' ? library.listMoments(viewer.id) : undefined,
  ]);
  return {
    totals,
    mixes: mixes.map(toMixRow),
    moments: moments && {
      items: moments.items.map(({ id, audioId, position, note }) => ({ id, audioId, position, note })),
      audios: audioCards.list(moments.audios),
    },
  };
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(
    args,
    args.loaderData?.moments
      ? { title: t`Moments`, description: t`Your bookmarks in audios.`, index: 'no' }
      : { title: t`Mixes`, description: t`Filters that you saved.`, index: 'no' },
  );

export default function Shelf({ loaderData: { totals, mixes, moments } }: Route.ComponentProps) {
  return (
    <div className="wrap">
      <h1 className="text-60 pt-6">
        <Trans>Library</Trans>
      </h1>
      <TabLinks
        label={t`Library`}
        className="mt-6"
        tabs={otherTabs(moments ? 'moments' : 'mixes', { ...totals, moments: moments?.items.length })}
      />
      {moments ? <Moments {...moments} /> : <Mixes mixes={mixes} />}
    </div>
  );
}

type ShelfData = Route.ComponentProps['loaderData'];

function Mixes({ mixes }: Pick<ShelfData, 'mixes'>) {
  if (mixes.length > 0) return <MixRows mixes={mixes} />;
  return (
    <EmptyState title={t`No mixes yet`} text={t`Set filters on any list and save them. A mix stays fresh by itself.`}>
      <BrowseButton />
    </EmptyState>
  );
}

function Moments({ items, audios }: NonNullable<ShelfData['moments']>) {
  if (items.length > 0)
    return (
      <Suspense>
        <MomentGroups moments={items} audios={audios} />
      </Suspense>
    );
  return (
    <EmptyState
      title={t`No moments yet`}
      text={t`While you listen, open the player and press Bookmark. Only you see your moments.`}
    >
      <BrowseButton />
    </EmptyState>
  );
}

function BrowseButton() {
  return (
    <Button variant="outline" render={<Link to={href('/audios')} />}>
      {t`Browse audios`}
    </Button>
  );
}
