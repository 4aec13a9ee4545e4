import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Download from 'lucide-react/icons/download';
import Plus from 'lucide-react/icons/plus';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { type BulkVerb, openUploadStates } from '#domain/admin/rules.ts';
import { languageChoices } from '#formats/language-names.ts';
import { language } from '#i18n';
import { type Count, formatCount } from '#formats/numbers.ts';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { AudioFilterForm, AudioFilterTokens, CopyViewLink } from '#web/admin/content/audio-filter-bar.tsx';
import { filterOf, readAudioQuery } from '#web/admin/content/audio-query.ts';
import { type BulkSubject, type SubjectKind, BulkSubjectDialog } from '#web/admin/content/bulk-subject-dialog.tsx';
import { UploadForDialog } from '#web/admin/content/creator-dialogs.tsx';
import { UploadTable } from '#web/admin/content/upload-table.tsx';
import { type BulkChoice, bulkCalls } from '#web/admin/content/bulk-calls.ts';
import { orBadRequest } from '#web/route-errors.ts';
import { AudioActs, audioStates } from '#web/studio/audios/audio-acts.tsx';
import { AudioTable, audioSorts } from '#web/studio/audios/audio-table.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { LanguageDialog } from '#web/workshop/lists/language-dialog.tsx';
import { SyntheticVoiceDialog } from '#web/workshop/lists/synthetic-voice-dialog.tsx';
import { BulkBar } from '#web/workshop/lists/bulk-bar.tsx';
import { Pager } from '#web/workshop/lists/pager.tsx';
import { RowKeysHint, useRowKeys } from '#web/workshop/lists/row-keys.tsx';
import { SortField } from '#web/workshop/lists/sorting.tsx';
import { useBulkActs } from '#web/workshop/lists/use-bulk-acts.ts';
import { usePicked } from '#web/workshop/lists/use-picked.ts';
import type { Route } from './+types/audios';

const pageSize = 25;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const query = readAudioQuery(url.searchParams);
  const uploadState = openUploadStates.find((state) => state === url.searchParams.get('state'));
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
    languages: languageChoices(page.items[0]?.language),
    uploadState,
    uploadCounts,
    uploads,
    now: Date.now(),
  };
}

export default function AdminAudios({ loaderData }: Route.ComponentProps) {
  const { query, page, all, open, hasVoices, categories, playlists, uploadState, uploadCounts, uploads, now } =
    loaderData;
  const [asksLanguage, setAsksLanguage] = useState(false);
  const [asksSynthetic, setAsksSynthetic] = useState(false);
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

  const acts = useBulkActs(bulkCalls, clear, open);
  const rows = page.items.filter(({ id }) => picked.ids.has(id));
  const isFiltered = Object.values(filterOf(query)).some((value) => value !== undefined);
  const { counts, total } = page;
  const hasMore = total.isMore || total.count > page.items.length;
  const chosen = isAll ? countText(total) : countText(exactly(rows.length));
  const choice: BulkChoice = isAll ? { filter: filterOf(query) } : { ids: rows.map(({ id }) => id) };
  const act = (verb: BulkVerb, subject: BulkSubject = {}) => acts.act(verb, { ...choice, ...subject }, chosen);

  function actOn(verb: BulkVerb, { id }: ManagedAudio): void {
    clear();
    picked.pick(id, true);
    acts.act(verb, { ids: [id] }, countText(exactly(1)));
  }

  const shared = {
    title: t`Audios`,
    facts: isFiltered ? filteredText(total) : allText(total),
    actions: (
      <>
        <a className="btn btn--secondary" href={`/admin/audios.csv${search}`} download="">
          <Icon of={Download} size={18} />
          <Trans>CSV</Trans>
        </a>
        {hasVoices && (
          <Button variant="primary" onClick={() => setAsksWhose(true)}>
            <Icon of={Upload} size={18} />
            <Trans>Upload</Trans>
          </Button>
        )}
      </>
    ),
    states: audioStates(counts, uploadCounts),
  };
  const uploadFor = asksWhose && <UploadForDialog onClose={() => setAsksWhose(false)} />;
  if (uploadState !== undefined)
    return (
      <ListPage
        {...shared}
        list={{ q: '', state: uploadState, page: { items: uploads }, all: exactly(uploads.length) }}
        empty={{ title: t`No uploads in this state` }}
        rows={<UploadTable uploads={uploads} now={now} />}
      >
        {uploadFor}
      </ListPage>
    );
  const { q = '', state, ...others } = filterOf(query);
  return (
    <ListPage
      {...shared}
      list={{ q, state, page, all }}
      search={{ label: t`Search audios`, placeholder: t`Title, creator, tag` }}
      filters={{
        values: Object.values(others),
        fields: (
          <>
            <AudioFilterTokens query={query} names={page.names} />
            <AudioFilterForm query={query} names={page.names} categories={categories} />
            <SortField options={audioSorts()} current={query.sort} />
            <CopyViewLink />
          </>
        ),
      }}
      empty={{
        title: t`No audios`,
        text: t`Creators upload them in the Studio. They stay drafts until they are published.`,
      }}
      rows={
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
      }
      pager={
        page.items.length > 0 && (
          <>
            <Pager
              shown={page.items.length}
              total={total.count}
              isMore={total.isMore}
              newerCursor={page.newerCursor}
              olderCursor={page.olderCursor}
            />
            <RowKeysHint />
          </>
        )
      }
    >
      {(rows.length > 0 || isAll || acts.step.name !== 'choose') && (
        <BulkBar
          count={rows.length}
          countText={isAll ? chosen : undefined}
          step={acts.step}
          onBack={acts.close}
          onClear={clear}
        >
          <AudioActs
            rows={isAll ? undefined : rows}
            state={query.state}
            canDelete
            onAct={act}
            onAskLanguage={() => setAsksLanguage(true)}
            onAskSyntheticVoice={() => setAsksSynthetic(true)}
          >
            {subjects.map(([kind, label]) => (
              <Button key={kind} size="sm" onClick={() => setAsked(kind)}>
                <Icon of={Plus} size={16} />
                {label()}
              </Button>
            ))}
          </AudioActs>
          {!isAll && hasMore && (
            <Button variant="ghost" onClick={() => setAllOf(filters)}>
              {total.isMore
                ? t`Select all that match`
                : t`Select all ${{ count: formatCount(total.count) }} that match`}
            </Button>
          )}
        </BulkBar>
      )}
      {uploadFor}
      {asksSynthetic && (
        <SyntheticVoiceDialog
          count={chosen}
          onChoose={(syntheticVoice) => act('set-synthetic-voice', { syntheticVoice })}
          onClose={() => setAsksSynthetic(false)}
        />
      )}
      {asksLanguage && (
        <LanguageDialog
          count={chosen}
          choices={loaderData.languages}
          language={rows[0]?.language ?? language()}
          onChoose={(to) => act('set-language', { language: to })}
          onClose={() => setAsksLanguage(false)}
        />
      )}
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
    </ListPage>
  );
}

const exactly = (count: number): Count => ({ count, isMore: false });

/** Groups that many audios are put into. */
const subjects: [SubjectKind, () => string][] = [
  ['categories', () => t`Category`],
  ['tags', () => t`Tag`],
  ['playlist', () => t`Playlist`],
];

const countText = ({ count, isMore }: Count) =>
  isMore
    ? plural(count, { one: 'over # audio', other: 'over # audios' })
    : plural(count, { one: '# audio', other: '# audios' });

const filteredText = ({ count, isMore }: Count) =>
  isMore
    ? plural(count, { one: 'over # audio under these filters', other: 'over # audios under these filters' })
    : plural(count, { one: '# audio under these filters', other: '# audios under these filters' });

const allText = ({ count, isMore }: Count) =>
  isMore
    ? plural(count, { one: 'over # audio of all creators', other: 'over # audios of all creators' })
    : plural(count, { one: '# audio of all creators', other: '# audios of all creators' });
