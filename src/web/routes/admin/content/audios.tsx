import Download from 'lucide-react/icons/download';
import Plus from 'lucide-react/icons/plus';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { openUploadStates } from '#domain/admin/rules.ts';
import type { BulkVerb } from '#domain/admin/rules.ts';
import { cappedCountOf, countOf, formatCount } from '#formats/numbers.ts';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import type { ManagedState } from '#domain/studio/rules.ts';
import type { AdminUpload } from '#domain/admin/content/uploads.ts';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { NoMatches } from '#web/admin/no-matches.tsx';
import { AudioFilterForm, AudioFilterTokens } from '#web/admin/content/audio-filter-bar.tsx';
import { filterOf, readAudioQuery } from '#web/admin/content/audio-query.ts';
import type { SubjectKind } from '#web/admin/content/bulk-subject-dialog.tsx';
import { CopyViewLink } from '#web/admin/content/copy-view-link.tsx';
import { BulkSubjectDialog } from '#web/admin/content/bulk-subject-dialog.tsx';
import { UploadForDialog } from '#web/admin/content/upload-for-dialog.tsx';
import { UploadTable } from '#web/admin/content/upload-table.tsx';
import type { BulkChoice, BulkSubject } from '#web/admin/content/use-bulk-acts.ts';
import { useBulkActs } from '#web/admin/content/use-bulk-acts.ts';
import { pageMeta } from '#web/page-meta.ts';
import { orBadRequest } from '#web/route-errors.ts';
import { AudioTable, audioSorts } from '#web/studio/audios/audio-table.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { BulkBar } from '#web/workshop/lists/bulk-bar.tsx';
import { Pager } from '#web/workshop/lists/pager.tsx';
import { RowKeysHint, useRowKeys } from '#web/workshop/lists/row-keys.tsx';
import { SearchField } from '#web/workshop/lists/search-field.tsx';
import { SortField } from '#web/workshop/lists/sorting.tsx';
import { StateChips } from '#web/workshop/lists/state-chips.tsx';
import { usePicked } from '#web/workshop/lists/use-picked.ts';
import type { Route } from './+types/audios';

const pageSize = 25;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const asked = new URL(request.url).searchParams;
  const query = readAudioQuery(asked);
  const uploadState = openUploadStates.find((state) => state === asked.get('state'));
  const [page, open, hasVoices, categories, playlists, uploadCounts, uploads] = await Promise.all([
    orBadRequest(site.admin.content.listAudios(viewer, { ...query, limit: pageSize })),
    site.admin.content.listOpenBulkActs(viewer),
    site.admin.content.hasVoices(viewer),
    site.admin.content.listCategoryChoices(viewer),
    site.admin.content.listPlaylistChoices(viewer),
    site.admin.content.countUploads(viewer),
    uploadState === undefined ? [] : site.admin.content.listUploads(viewer, uploadState),
  ]);
  // The page shows how many there are without the filters that match nothing.
  const all = page.items.length === 0 ? (await site.admin.content.listAudios(viewer, { limit: 1 })).total : undefined;
  return {
    query,
    page,
    all,
    open,
    hasVoices,
    categories,
    playlists: playlists.map(({ id, title }) => ({ value: id, label: title })),
    uploadState,
    uploadCounts,
    uploads,
    now: Date.now(),
  };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Audios', description: 'Audios of all creators', index: 'no' });
}

const stateLabels: [ManagedState, string][] = [
  ['published', 'Published'],
  ['scheduled', 'Scheduled'],
  ['draft', 'Drafts'],
  ['unpublished', 'Unpublished'],
  ['deleted', 'Deleted'],
];

export default function AdminAudios({ loaderData }: Route.ComponentProps) {
  const { query, page, all, open, hasVoices, categories, playlists, uploadState, uploadCounts, uploads, now } =
    loaderData;
  const table = useRowKeys<HTMLDivElement>();
  const { search } = useLocation();
  const picked = usePicked(page.items.map(({ id }) => id));
  // Selects all matches of the filters until the filters change.
  const [allOf, setAllOf] = useState<string>();
  const [asked, setAsked] = useState<SubjectKind>();
  const [asksWhose, setAsksWhose] = useState(false);
  const filters = JSON.stringify(filterOf(query));
  const isAll = allOf === filters;

  function clear(): void {
    picked.clear();
    setAllOf(undefined);
  }

  const acts = useBulkActs(open, clear);
  const rows = page.items.filter(({ id }) => picked.ids.has(id));
  const isFiltered = Object.values(filterOf(query)).some((value) => value !== undefined);
  const { counts, total } = page;
  const hasMore = total.isMore || total.count > page.items.length;
  const chosen = isAll ? cappedCountOf(total, 'audio') : countOf(rows.length, 'audio');
  const choice: BulkChoice = isAll ? { filter: filterOf(query) } : { ids: rows.map(({ id }) => id) };
  const act = (verb: BulkVerb, subject: BulkSubject = {}) => acts.act(verb, choice, chosen, subject);

  function actOn(verb: BulkVerb, { id }: ManagedAudio): void {
    clear();
    picked.pick(id, true);
    acts.act(verb, { ids: [id] }, countOf(1, 'audio'));
  }

  const chips = [
    { value: undefined, label: 'All', count: counts?.all.count, isMore: counts?.all.isMore === true },
    ...stateLabels.map(([value, label]) => ({
      value,
      label,
      count: counts?.[value].count,
      isMore: counts?.[value].isMore === true,
    })),
    { value: 'processing', label: 'Processing', count: uploadCounts.processing },
    { value: 'failed', label: 'Failed', count: uploadCounts.failed },
  ];
  return (
    <>
      <AdminHead
        title="Audios"
        facts={`${cappedCountOf(total, 'audio')}${isFiltered ? ' under these filters' : ' of all creators'}`}
      >
        <a className="btn btn--secondary" href={`/admin/audios.csv${search}`} download="">
          <Icon of={Download} size={18} />
          CSV
        </a>
        {hasVoices && (
          <Button variant="primary" onClick={() => setAsksWhose(true)}>
            <Icon of={Upload} size={18} />
            Upload
          </Button>
        )}
      </AdminHead>
      <StateChips label="State" name="state" value={uploadState ?? query.state} options={chips} />
      {uploadState !== undefined && <Uploads uploads={uploads} now={now} />}
      {uploadState === undefined && (
        <>
          <div className="filter-bar">
            <SearchField label="Search audios" placeholder="Title, creator, tag" value={query.q ?? ''} />
            <AudioFilterTokens query={query} names={page.names} />
            <AudioFilterForm query={query} names={page.names} categories={categories} />
            <SortField options={audioSorts} current={query.sort} />
            <CopyViewLink />
          </div>
          {page.items.length > 0 ? (
            <>
              <div ref={table}>
                <AudioTable
                  audios={page.items}
                  recentPlays={page.recentPlays}
                  sort={query.sort}
                  picked={picked}
                  now={now}
                  withVoices
                  canDelete
                  onAct={actOn}
                />
              </div>
              <Pager
                shown={page.items.length}
                total={total.count}
                isMore={total.isMore}
                newerCursor={page.newerCursor}
                olderCursor={page.olderCursor}
              />
              <RowKeysHint />
            </>
          ) : isFiltered ? (
            <NoMatches
              all={all ?? { count: 0, isMore: false }}
              filters={Object.values(filterOf(query)).map((value) => value !== undefined)}
              one="audio"
            />
          ) : (
            <EmptyState
              title="No audios"
              text="Creators upload them in the Studio. They stay drafts until they are published."
            />
          )}
        </>
      )}
      {uploadState === undefined && (rows.length > 0 || isAll || acts.step.name !== 'choose') && (
        <BulkBar
          count={rows.length}
          countText={isAll ? chosen : undefined}
          step={acts.step}
          onBack={acts.close}
          onClear={clear}
        >
          <Acts rows={isAll ? undefined : rows} state={query.state} onAct={act} onAsk={setAsked} />
          {!isAll && hasMore && (
            <Button variant="ghost" onClick={() => setAllOf(filters)}>
              Select all {total.isMore ? '' : formatCount(total.count)} that match
            </Button>
          )}
        </BulkBar>
      )}
      {asksWhose && <UploadForDialog onClose={() => setAsksWhose(false)} />}
      {asked !== undefined && (
        <BulkSubjectDialog
          kind={asked}
          count={chosen}
          categories={categories.map(({ id, label }) => ({ value: id, label }))}
          playlists={playlists}
          onClose={() => setAsked(undefined)}
          onAct={(adds, subject) => {
            const verbs = {
              categories: ['add-categories', 'remove-categories'],
              tags: ['add-tags', 'remove-tags'],
              playlist: ['add-to-playlist', 'remove-from-playlist'],
            } as const;
            setAsked(undefined);
            act(verbs[asked][adds ? 0 : 1], subject);
          }}
        />
      )}
    </>
  );
}

function Uploads({ uploads, now }: { uploads: AdminUpload[]; now: number }) {
  if (uploads.length === 0)
    return (
      <div className="pane">
        <p className="font-semibold">No uploads in this state</p>
        <Button className="mt-3.5" render={<Link to="?" />}>
          Show all audios
        </Button>
      </div>
    );
  return <UploadTable uploads={uploads} now={now} />;
}

type ActsProps = {
  /** Undefined: all matches of the filters. */
  rows: ManagedAudio[] | undefined;
  state: ManagedState | undefined;
  onAct: (verb: BulkVerb) => void;
  onAsk: (kind: SubjectKind) => void;
};

/** Only acts that change some of the rows. */
function Acts({ rows, state, onAct, onAsk }: ActsProps) {
  const isAny = (test: (row: ManagedAudio) => boolean) => rows === undefined || rows.some(test);
  const areDeleted = rows === undefined ? state === 'deleted' : rows.every((row) => row.state === 'deleted');
  if (areDeleted)
    return (
      <Button size="sm" onClick={() => onAct('restore')}>
        Restore
      </Button>
    );
  const acts: [BulkVerb, string, boolean][] = [
    ['publish', 'Publish', isAny((row) => row.state !== 'published')],
    ['unpublish', 'Unpublish', isAny((row) => row.state === 'published' || row.state === 'scheduled')],
    ['free', 'Make free', isAny((row) => !row.isFree)],
    ['subscribers', 'For subscribers', isAny((row) => row.isFree)],
    ['delete', 'Delete', true],
  ];
  const asked: [SubjectKind, string][] = [
    ['categories', 'Category'],
    ['tags', 'Tag'],
    ['playlist', 'Playlist'],
  ];
  return (
    <>
      {acts
        .filter(([, , isOffered]) => isOffered)
        .map(([verb, label]) => (
          <Button key={verb} size="sm" onClick={() => onAct(verb)}>
            {label}
          </Button>
        ))}
      {asked.map(([kind, label]) => (
        <Button key={kind} size="sm" onClick={() => onAsk(kind)}>
          <Icon of={Plus} size={16} />
          {label}
        </Button>
      ))}
    </>
  );
}
