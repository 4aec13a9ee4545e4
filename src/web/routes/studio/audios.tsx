import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { z } from 'zod';
import { syntheticVoices } from '#domain/catalogue/rules.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { languageChoices } from '#formats/language-names.ts';
import { type Count } from '#formats/numbers.ts';
import { language } from '#i18n';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import { type BulkAct, managedSorts, managedStates, textFilters } from '#domain/studio/rules.ts';
import { metaOf } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { AudioActs, audioStates } from '../../studio/audios/audio-acts.tsx';
import { AudioTable, audioSorts } from '../../studio/audios/audio-table.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { UploadRows } from '../../studio/uploads/upload-rows.tsx';
import { countText, useAudioActs } from '../../studio/audios/use-audio-acts.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { BulkBar } from '../../workshop/lists/bulk-bar.tsx';
import { SyntheticVoiceFilter, syntheticVoiceLabels } from '../../workshop/forms/synthetic-voice-field.tsx';
import { FilterMenu, FilterSelect, FilterTokens } from '../../workshop/lists/filter-menu.tsx';
import { LanguageDialog } from '../../workshop/lists/language-dialog.tsx';
import { SyntheticVoiceDialog } from '../../workshop/lists/synthetic-voice-dialog.tsx';
import { ListPage } from '../../workshop/lists/list-page.tsx';
import { Pager } from '../../workshop/lists/pager.tsx';
import { SortField } from '../../workshop/lists/sorting.tsx';
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
  syntheticVoice: z.enum(syntheticVoices).optional().catch(undefined),
  text: z.enum(textFilters).optional().catch(undefined),
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
  // Not `Object.groupBy`, which Safari has only since 17.4.
  const files = {
    failed: uploads.filter((upload) => upload.state === 'failed'),
    processing: uploads.filter((upload) => upload.state !== 'failed'),
  };
  const isFirstPage =
    state === undefined && !query.after && !query.before && query.q === '' && !query.syntheticVoice && !query.text;
  const shown = {
    page: isOfFiles ? { ...page, items: [], newerCursor: undefined, olderCursor: undefined } : page,
    uploads: isOfFiles ? files[state] : isFirstPage ? uploads : [],
  };
  return {
    ...shown,
    query,
    // The page shows how many there are without the filters that match nothing.
    all:
      shown.page.items.length + shown.uploads.length === 0
        ? await countAll(site, viewer, voice.id, uploads.length)
        : undefined,
    languages: languageChoices(page.items[0]?.language),
    uploadCounts: { processing: files.processing.length, failed: files.failed.length },
    now: Date.now(),
  };
}

async function countAll(site: Site, viewer: User, voiceId: string, uploads: number): Promise<Count> {
  const { counts } = await site.studio.listManagedAudios(viewer, { voiceId, limit: 1 });
  return { count: counts.all + counts.deleted + uploads, isMore: false };
}

export const meta = metaOf(() => ({ title: t`Audios`, description: t`Audios`, index: 'no' }));

export default function StudioAudios({ loaderData }: Route.ComponentProps) {
  const { query, page, all, uploads, uploadCounts, languages, now } = loaderData;
  const { voice } = useStudio();
  const picked = usePicked(page.items.map(({ id }) => id));
  const acts = useAudioActs(picked.clear);
  const [asksLanguage, setAsksLanguage] = useState(false);
  const [asksSynthetic, setAsksSynthetic] = useState(false);
  const canDelete = voice.role !== 'editor';
  const rows = page.items.filter(({ id }) => picked.ids.has(id));
  const tokens = [
    ...(query.syntheticVoice
      ? [{ name: 'syntheticVoice', label: t`Synthetic voice`, text: syntheticVoiceLabels[query.syntheticVoice]() }]
      : []),
    ...(query.text ? [{ name: 'text', label: t`Transcript`, text: t`no transcript` }] : []),
  ];
  const upload = (
    <Button variant="primary" render={<Link to={href('/studio/:voice/upload', { voice: voice.slug })} />}>
      <Icon of={Upload} size={18} />
      <Trans>Upload</Trans>
    </Button>
  );

  function actOn(act: BulkAct, audio: ManagedAudio): void {
    picked.clear();
    picked.pick(audio.id, true);
    acts.act(act, [audio]);
  }

  return (
    <ListPage
      title={t`Audios`}
      facts={plural({ count: page.counts.all }, { one: '# audio', other: '# audios' })}
      actions={upload}
      list={{ q: query.q, state: query.state, page: { items: [...uploads, ...page.items] }, all }}
      search={{ label: t`Search audios`, placeholder: t`Title, tag` }}
      states={audioStates(page.counts, uploadCounts)}
      filters={{
        values: [query.syntheticVoice, query.text],
        fields: (
          <>
            <FilterTokens tokens={tokens} />
            <FilterMenu submit={t`Show audios`}>
              <SyntheticVoiceFilter value={query.syntheticVoice} />
              <FilterSelect
                label={t`Transcript`}
                name="text"
                value={query.text}
                choices={[['without', t`no transcript`]]}
              />
            </FilterMenu>
            <SortField options={audioSorts()} current={query.sort} />
          </>
        ),
      }}
      empty={{
        title: t`No audios`,
        text: t`Upload the first recording. It stays a draft until you publish it.`,
        children: upload,
      }}
      rows={
        <>
          <UploadRows uploads={uploads} voiceSlug={voice.slug} />
          {page.items.length > 0 && (
            <AudioTable
              audios={page.items}
              sort={query.sort}
              picked={picked}
              now={now}
              canDelete={canDelete}
              onAct={actOn}
            />
          )}
        </>
      }
      pager={
        page.items.length > 0 && (
          <Pager
            shown={page.items.length}
            total={page.total}
            newerCursor={page.newerCursor}
            olderCursor={page.olderCursor}
          />
        )
      }
    >
      {(rows.length > 0 || acts.step.name !== 'choose') && (
        <BulkBar count={rows.length} step={acts.step} onBack={acts.close} onClear={picked.clear}>
          <AudioActs
            rows={rows}
            canDelete={canDelete}
            onAct={(act) => acts.act(act, rows)}
            onAskLanguage={() => setAsksLanguage(true)}
            onAskSyntheticVoice={() => setAsksSynthetic(true)}
          />
        </BulkBar>
      )}
      {asksSynthetic && (
        <SyntheticVoiceDialog
          count={countText(rows.length)}
          onChoose={(syntheticVoice) => acts.act('set-synthetic-voice', rows, { syntheticVoice })}
          onClose={() => setAsksSynthetic(false)}
        />
      )}
      {asksLanguage && (
        <LanguageDialog
          count={countText(rows.length)}
          choices={languages}
          language={rows[0]?.language ?? language()}
          onChoose={(chosen) => acts.act('set-language', rows, { language: chosen })}
          onClose={() => setAsksLanguage(false)}
        />
      )}
    </ListPage>
  );
}
