import ChevronRight from 'lucide-react/icons/chevron-right';
import { href, Link } from 'react-router';
import { readListQuery } from '../../catalogue/list-query.ts';
import { countOf } from '#formats/numbers.ts';
import { formatDuration } from '#formats/durations.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { DeletedSeriesList } from '../../studio/series/deleted-series-list.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { NewSeries } from '../../studio/series/new-series.tsx';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import type { Route } from './+types/series';

const pageSize = 50;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const { cursor } = readListQuery(request);
  const [page, deleted] = await Promise.all([
    orBadRequest(site.studio.listManagedSeries(viewer, voice.id, { cursor, limit: pageSize })),
    site.studio.listDeletedSeries(voice.id, 20),
  ]);
  return {
    page: orNotFound(page),
    deleted: deleted.map((one) => ({ ...one, deletedAt: one.deletedAt.toISOString() })),
    isContinued: cursor !== undefined,
  };
}

export const meta = metaOf({ title: 'Series', description: 'Series', index: 'no' });

export default function StudioSeries({ loaderData: { page, deleted, isContinued } }: Route.ComponentProps) {
  const { voice, counts } = useStudio();
  const at = href('/studio/:voice/series', { voice: voice.slug });
  return (
    <>
      <div className="page-head">
        <div className="page-head__title">
          <h1>Series</h1>
          <p className="page-head__facts">Audios of {voice.name} that belong together, in your order</p>
        </div>
        {counts.series > 0 && (
          <div className="page-head__acts">
            <NewSeries voice={voice} />
          </div>
        )}
      </div>
      {page.items.length === 0 && !isContinued ? (
        <EmptyState title="No series" text="Put audios that belong together in one, in the order to hear them.">
          <NewSeries voice={voice} />
        </EmptyState>
      ) : (
        <ul className="border-t border-line">
          {page.items.map((series) => (
            <li key={series.id}>
              <Link className="series-row" to={href('/studio/:voice/series/:id', { voice: voice.slug, id: series.id })}>
                <Cover imageUrl={series.imageUrl} size={48} />
                <span className="min-w-0">
                  <b>{series.title}</b>
                  <small>
                    {countOf(series.totalAudios, 'audio')}
                    {series.totalAudios > 0 && <span className="dot">{formatDuration(series.totalDuration)}</span>}
                    {series.isLinked && <span className="dot">Your name links to this series</span>}
                  </small>
                </span>
                <Icon of={ChevronRight} size={18} className="text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {(page.nextCursor !== undefined || isContinued) && (
        <nav className="pager" aria-label="Pages of series">
          {isContinued && (
            <Button variant="ghost" render={<Link to={at} />}>
              Back to the beginning
            </Button>
          )}
          {page.nextCursor !== undefined && (
            <Button render={<Link to={`${at}?cursor=${encodeURIComponent(page.nextCursor)}`} />}>More series</Button>
          )}
        </nav>
      )}
      <DeletedSeriesList deleted={deleted} canRestore={voice.role !== 'editor'} />
    </>
  );
}
