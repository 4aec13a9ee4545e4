import { useState } from 'react';
import { nameLengths } from '#domain/admin/forms.ts';
import type { AdminTag } from '#domain/admin/content/tags.ts';
import { ConsequenceDialog } from '#web/admin/consequence-dialog.tsx';
import type { ChosenTag } from '#web/admin/content/tag-field.tsx';
import { TagField } from '#web/admin/content/tag-field.tsx';
import { ListPage } from '#web/admin/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { EditTextDialog } from '#web/admin/text-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api, onManyAudios } from '#web/api.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { pageMeta } from '#web/page-meta.ts';
import { RowActions, RowName } from '#web/workshop/lists/table.tsx';
import type { Route } from './+types/tags';

export function loader(args: Route.LoaderArgs) {
  return loadList(args, {
    name: 'tags',
    states: [],
    limit: 50,
    read: (site, viewer, { q }, page) => site.admin.content.listTags(viewer, { q, ...page }),
  });
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Tags', description: 'Tags of the site', index: 'no' });
}

type Dialog = { kind: 'rename' | 'merge' | 'delete'; tag: AdminTag };

export default function AdminTags({ loaderData }: Route.ComponentProps) {
  const { busy, call } = useCall();
  const [dialog, setDialog] = useState<Dialog>();
  const [into, setInto] = useState<ChosenTag>();
  const close = () => setDialog(undefined);
  const usage = ({ audios, hidden }: AdminTag) =>
    `${countOf(audios, 'audio')} and ${countOf(hidden, 'listener who hides it', 'listeners who hide it')}`;

  async function rename(id: string, json: { label: string; before: string | undefined }) {
    const answer = await answerOf(api.admin.tags[':id'].$patch({ param: { id }, json }));
    if (!answer.ok && answer.code === 'text/changed-meanwhile') {
      // The new name may have moved it to another page of the list.
      const now = await answerOf(api.admin.tags[':id'].$get({ param: { id } }));
      if (now.ok) setDialog({ kind: 'rename', tag: now.data });
    }
    return answer;
  }

  return (
    <ListPage
      title="Tags"
      facts="Creators add tags to their audios; listeners filter by them and hide them"
      list={loaderData}
      one="tag"
      search={{ label: 'Search tags', placeholder: 'Name' }}
      empty={{ title: 'No tags yet', text: 'Tags appear here when audios have them.' }}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Tag', kind: 'name', cell: ({ label, slug }) => <RowName name={label} note={slug} /> },
        { head: 'Audios', kind: 'number', cell: ({ audios }) => formatCount(audios) },
        { head: 'Hidden by', kind: 'number', cell: ({ hidden }) => formatCount(hidden) },
        {
          head: 'Actions',
          kind: 'actions',
          isWide: true,
          cell: (tag) => (
            <RowActions
              of={tag.label}
              actions={[
                ['Rename', () => setDialog({ kind: 'rename', tag })],
                [
                  'Merge',
                  () => {
                    setInto(undefined);
                    setDialog({ kind: 'merge', tag });
                  },
                ],
                ['Delete', () => setDialog({ kind: 'delete', tag })],
              ]}
            />
          ),
        },
      ]}
    >
      {dialog?.kind === 'rename' && (
        <EditTextDialog
          subject={{ type: 'tag', id: dialog.tag.id }}
          title={`Rename ${dialog.tag.label}`}
          verb="Rename"
          nameLabel="Name"
          saved={{ name: dialog.tag.label, text: '' }}
          max={{ name: nameLengths.tag }}
          done="Renamed"
          onClose={close}
          send={({ name = '' }, { name: before }) => rename(dialog.tag.id, { label: name, before })}
        >
          <p className="text-13 text-muted">It changes on {usage(dialog.tag)}.</p>
        </EditTextDialog>
      )}
      {dialog?.kind === 'merge' && (
        <ConsequenceDialog
          title={`Merge ${dialog.tag.label}`}
          consequences={`This cannot be undone: the other tag takes over ${usage(dialog.tag)}.`}
          verb="Merge tags"
          isBusy={busy !== undefined}
          isReady={into !== undefined}
          onClose={close}
          onConfirm={async () => {
            if (into === undefined) return;
            const { id, label } = dialog.tag;
            const merged = await call(
              'merge',
              () =>
                answerOf(
                  api.admin.tags[':id'].merge.$post({ param: { id }, json: { into: into.value } }, onManyAudios),
                ),
              { done: `${label} is merged into ${into.label}` },
            );
            if (merged !== undefined) close();
          }}
        >
          <TagField label="Into" tag={into} except={dialog.tag.id} onChoose={setInto} />
        </ConsequenceDialog>
      )}
      {dialog?.kind === 'delete' && (
        <ConsequenceDialog
          title={`Delete ${dialog.tag.label}`}
          consequences={`This cannot be undone: it is removed from ${usage(dialog.tag)}, who then see those audios again.`}
          typedName={dialog.tag.label}
          verb="Delete tag"
          isBusy={busy !== undefined}
          onClose={close}
          onConfirm={async () => {
            const { id, label } = dialog.tag;
            const gone = await call(
              'delete',
              () => answerOf(api.admin.tags[':id'].$delete({ param: { id } }, onManyAudios)),
              {
                done: `${label} is deleted`,
              },
            );
            if (gone !== undefined) close();
          }}
        />
      )}
    </ListPage>
  );
}
