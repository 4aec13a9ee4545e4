import Upload from 'lucide-react/icons/upload';
import { href, Link, useLocation } from 'react-router';
import { z } from 'zod';
import { countOf } from '#formats/numbers.ts';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import { managedSorts, managedStates } from '#domain/studio/rules.ts';
import type { BulkAct } from '#domain/studio/rules.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { AudioTable, audioSorts } from '../../studio/audios/audio-table.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { UploadRows } from '../../studio/uploads/upload-rows.tsx';
import { useAudioActs } from '../../studio/audios/use-audio-acts.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { BulkBar } from '../../workshop/lists/bulk-bar.tsx';
import { withParameters } from '../../workshop/lists/list-address.ts';
import { Pager } from '../../workshop/lists/pager.tsx';
import { SearchField } from '../../workshop/lists/search-field.tsx';
import { SortField } from '../../workshop/lists/sorting.tsx';
import { StateChips } from '../../workshop/lists/state-chips.tsx';
import { usePicked } from '../../workshop/lists/use-picked.ts';
import type { Route } from './+types/audios';

const pageSize = 25;

/** Invalid values are ignored. */
const Query = z.object({
  q: z.string().max(100).catch(''),
  state: z
    .enum([...managedStates, 'processing', 'failed'])
    .optional()
    .catch(undefined),
  sort: z.enum(managedSorts).catch('changed'),
  after: z.string().optional(),
  before: z.string().optional(),
});

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const query = Query.parse({ q: '', ...Object.fromEntries(new URL(request.url).searchParams) });
  const { state, ...rest } = query;
  const isOfFiles = state === 'processing' || state === 'failed';
  const [page, uploads] = await Promise.all([
    orBadRequest(
      site.studio.listManagedAudios(viewer, {
        ...rest,
        voiceId: voice.id,
        limit: pageSize,
        ...(state !== undefined && !isOfFiles && { state }),
      }),
    ),
    site.studio.listPendingUploads(voice.id),
  ]);
  const failed = uploads.filter((upload) => upload.state === 'failed');
  const running = uploads.filter((upload) => upload.state !== 'failed');
  const shownUploads =
    state === 'failed'
      ? failed
      : state === 'processing'
        ? running
        : state === undefined && !query.after && !query.before && query.q === ''
          ? uploads
          : [];
  return {
    query: { ...query, state },
    page: isOfFiles ? { ...page, items: [], newerCursor: undefined, olderCursor: undefined } : page,
    uploads: shownUploads,
    uploadCounts: { processing: running.length, failed: failed.length },
    now: Date.now(),
  };
}

export const meta = metaOf({ title: 'Audios', description: 'Audios', index: 'no' });

export default function StudioAudios({ loaderData }: Route.ComponentProps) {
  const { query, page, uploads, uploadCounts, now } = loaderData;
  const { voice } = useStudio();
  const picked = usePicked(page.items.map(({ id }) => id));
  const acts = useAudioActs(picked.clear);
  const canDelete = voice.role !== 'editor';
  const rows = page.items.filter(({ id }) => picked.ids.has(id));
  const { counts } = page;
  const chips = [
    { value: undefined, label: 'All', count: counts.all },
    { value: 'published', label: 'Published', count: counts.published },
    { value: 'scheduled', label: 'Scheduled', count: counts.scheduled },
    { value: 'draft', label: 'Drafts', count: counts.draft },
    { value: 'unpublished', label: 'Unpublished', count: counts.unpublished },
    { value: 'processing', label: 'Processing', count: uploadCounts.processing },
    { value: 'failed', label: 'Failed', count: uploadCounts.failed },
    { value: 'deleted', label: 'Deleted', count: counts.deleted },
  ];
  const isEmpty =
    counts.all + counts.deleted === 0 && uploads.length === 0 && query.q === '' && query.state === undefined;

  function actOn(act: BulkAct, audio: ManagedAudio): void {
    picked.clear();
    picked.pick(audio.id, true);
    acts.act(act, [audio]);
  }

  return (
    <>
      <div className="page-head">
        <div className="page-head__title">
          <h1>Audios</h1>
          <p className="page-head__facts tabular-nums">{countOf(counts.all, 'audio')}</p>
        </div>
        <div className="page-head__acts">
          <UploadLink voiceSlug={voice.slug} />
        </div>
      </div>
      {isEmpty ? (
        <EmptyState title="No audios" text="Upload the first recording. It stays a draft until you publish it.">
          <UploadLink voiceSlug={voice.slug} />
        </EmptyState>
      ) : (
        <>
          <StateChips label="State" name="state" value={query.state} options={chips} />
          <div className="filter-bar">
            <SearchField label="Search audios" placeholder="Title, tag" value={query.q} />
            <SortField options={audioSorts} current={query.sort} />
          </div>
          <UploadRows uploads={uploads} voiceSlug={voice.slug} />
          {page.items.length > 0 && (
            <>
              <AudioTable
                audios={page.items}
                sort={query.sort}
                picked={picked}
                now={now}
                canDelete={canDelete}
                onAct={actOn}
              />
              <Pager
                shown={page.items.length}
                total={page.total}
                newerCursor={page.newerCursor}
                olderCursor={page.olderCursor}
              />
            </>
          )}
          {page.items.length === 0 && uploads.length === 0 && <NothingFound count={counts.all} />}
          {(rows.length > 0 || acts.step.name !== 'choose') && (
            <BulkBar count={rows.length} step={acts.step} onBack={acts.close} onClear={picked.clear}>
              <BulkActs rows={rows} canDelete={canDelete} onAct={(act) => acts.act(act, rows)} />
            </BulkBar>
          )}
        </>
      )}
    </>
  );
}

function UploadLink({ voiceSlug }: { voiceSlug: string }) {
  return (
    <Button variant="primary" render={<Link to={href('/studio/:voice/upload', { voice: voiceSlug })} />}>
      <Icon of={Upload} size={18} />
      Upload
    </Button>
  );
}

/** Only acts that change some of the rows. */
function BulkActs({
  rows,
  canDelete,
  onAct,
}: {
  rows: ManagedAudio[];
  canDelete: boolean;
  onAct: (act: BulkAct) => void;
}) {
  const isAny = (test: (row: ManagedAudio) => boolean) => rows.some(test);
  const isThere = (row: ManagedAudio) => row.state !== 'deleted';
  const acts: [BulkAct, string, boolean][] = [
    ['publish', 'Publish', isAny((row) => isThere(row) && row.state !== 'published')],
    ['unpublish', 'Unpublish', isAny(({ state }) => state === 'published' || state === 'scheduled')],
    ['free', 'Make free', isAny((row) => isThere(row) && !row.isFree)],
    ['subscribers', 'For subscribers', isAny((row) => isThere(row) && row.isFree)],
    ['delete', 'Delete', canDelete && isAny(isThere)],
    ['restore', 'Restore', canDelete && isAny(({ state }) => state === 'deleted')],
  ];
  return acts
    .filter(([, , isOffered]) => isOffered)
    .map(([act, label]) => (
      <Button key={act} size="sm" onClick={() => onAct(act)}>
        {label}
      </Button>
    ));
}

function NothingFound({ count }: { count: number }) {
  const { search } = useLocation();
  return (
    <div className="pane">
      <p className="font-semibold">No results found</p>
      {count > 0 && <p className="text-14 mt-1 text-muted">{countOf(count, 'audio')} under the other states.</p>}
      <Button className="mt-3.5" render={<Link to={withParameters(search, { q: undefined, state: undefined })} />}>
        Remove filters
      </Button>
    </div>
  );
}
