import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import type { ManagedSeries } from '#domain/studio/series/series.ts';
import { formatDuration } from '#formats/durations.ts';
import { formatCount } from '#formats/numbers.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { DeletedSeriesList } from '../../studio/series/deleted-series-list.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { NewSeries } from '../../studio/series/new-series.tsx';
import { useStudio } from '../../studio/use-studio.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { ListPage } from '../../workshop/lists/list-page.tsx';
import { readList } from '../../workshop/lists/read-list.ts';
import { RowName } from '../../workshop/lists/table.tsx';
import type { Route } from './+types/series';

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const [list, deleted] = await Promise.all([
    readList(url, {
      limit: 50,
      read: async ({ q }, page) => orNotFound(await site.studio.listManagedSeries(viewer, voice.id, { q, ...page })),
    }),
    site.studio.listDeletedSeries(voice.id, 20),
  ]);
  return { list, deleted: deleted.map((one) => ({ ...one, deletedAt: one.deletedAt.toISOString() })) };
}

const seriesText = () => t({ message: 'Series', context: 'several' });

export const meta = metaOf(() => ({ title: seriesText(), description: seriesText(), index: 'no' }));

export default function StudioSeries({ loaderData: { list, deleted } }: Route.ComponentProps) {
  const { voice, counts } = useStudio();
  return (
    <ListPage
      title={seriesText()}
      facts={t`Audios of ${{ name: voice.name }} that belong together, in your order`}
      actions={counts.series > 0 && <NewSeries voice={voice} />}
      list={list}
      search={{ label: t`Search series`, placeholder: t`Title` }}
      empty={{
        title: t`No series`,
        text: t`Group audios that belong together, in the order to hear them.`,
        children: <NewSeries voice={voice} />,
      }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`Series`,
          kind: 'name',
          cell: (series: ManagedSeries) => (
            <RowName
              picture={<Cover imageUrl={series.imageUrl} size={40} />}
              to={href('/studio/:voice/series/:id', { voice: voice.slug, id: series.id })}
              name={series.title}
              note={series.isLinked ? t`Your name links to this series` : undefined}
            />
          ),
        },
        { head: t`Audios`, kind: 'number', cell: ({ totalAudios }) => formatCount(totalAudios) },
        {
          head: t`Length`,
          kind: 'number',
          className: 'whitespace-nowrap',
          cell: ({ totalAudios, totalDuration }) => (totalAudios === 0 ? '·' : formatDuration(totalDuration)),
        },
      ]}
    >
      <DeletedSeriesList deleted={deleted} canRestore={voice.role !== 'editor'} />
    </ListPage>
  );
}
