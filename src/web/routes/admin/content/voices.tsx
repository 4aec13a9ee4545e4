import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { href } from 'react-router';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { DeletedList } from '#web/admin/content/deleted-list.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { NewVoiceDialog } from '#web/admin/people/voice-form.tsx';
import { api, onManyAudios } from '#web/api.ts';
import { languageChoices } from '#formats/language-names.ts';
import { formatCount } from '#formats/numbers.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { RowName } from '#web/workshop/lists/table.tsx';
import { voiceTypeText } from '#web/catalogue/voice-type-text.ts';
import { HiddenMark, StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/voices';

export async function loader(args: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(args.context);
  const [list, categories, deleted] = await Promise.all([
    loadList(args, {
      name: 'voices',
      states: ['hidden', 'asking'],
      read: ({ admin }, actor, { q, state }, page) => admin.content.listVoices(actor, { q, state, ...page }),
    }),
    site.admin.content.listCategoryChoices(viewer),
    site.admin.content.listDeletedGroups(viewer, 'voice'),
  ]);
  return { list, categories, languages: languageChoices(), deleted };
}

export default function AdminVoices({ loaderData }: Route.ComponentProps) {
  const { list, categories, languages, deleted } = loaderData;
  const [isCreating, setIsCreating] = useState(false);
  return (
    <ListPage
      title={t`Creators`}
      facts={t`Creators and their teams`}
      actions={
        <Button variant="primary" onClick={() => setIsCreating(true)}>
          {t`New creator`}
        </Button>
      }
      list={list}
      search={{ label: t`Search creators`, placeholder: t`Name` }}
      states={{
        label: t`Which creators`,
        options: [
          ['hidden', t({ message: 'Hidden', context: 'several' })],
          ['asking', t`Ask for verification`],
        ],
      }}
      empty={{ title: t`No creators yet` }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t`Creator`,
          kind: 'name',
          cell: ({ id, name, imageUrl, voiceTypeLabel, isHidden, asksForVerification }) => (
            <RowName
              picture={<Cover imageUrl={imageUrl} shape="circle" size={40} />}
              to={href('/admin/voices/:id', { id })}
              name={name}
              note={
                <>
                  {voiceTypeText(voiceTypeLabel)}
                  {isHidden && <HiddenMark />}
                  {asksForVerification && <StateMark tone="accent" text={t`Asks for verification`} className="ms-2" />}
                </>
              }
            />
          ),
        },
        { head: t`Audios`, kind: 'number', cell: ({ audios }) => formatCount(audios) },
        {
          head: t({ message: 'Series', context: 'several' }),
          kind: 'number',
          cell: ({ series }) => formatCount(series),
        },
        { head: t`People`, kind: 'number', cell: ({ owners }) => formatCount(owners) },
        { head: t`Favorites`, kind: 'number', cell: ({ favorites }) => formatCount(favorites) },
      ]}
    >
      <DeletedList
        items={deleted}
        restore={(id) => api.admin.voices[':id'].restore.$post({ param: { id } }, onManyAudios)}
      />
      {isCreating && (
        <NewVoiceDialog categories={categories} languages={languages} onClose={() => setIsCreating(false)} />
      )}
    </ListPage>
  );
}
