import { useState } from 'react';
import { nameLengths } from '#domain/admin/forms.ts';
import type { AdminTag } from '#domain/admin/content/tags.ts';
import { ConsequenceDialog, useConfirm } from '#web/admin/consequence-dialog.tsx';
import { type Found, TagField } from '#web/admin/found-fields.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { EditTextDialog } from '#web/admin/text-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api, onManyAudios } from '#web/api.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { RowActions, RowName } from '#web/workshop/lists/table.tsx';
import type { Route } from './+types/tags';

export function loader(args: Route.LoaderArgs) {
  return loadList(args, {
    name: 'tags',
    limit: 50,
    read: (site, viewer, { q }, page) => site.admin.content.listTags(viewer, { q, ...page }),
  });
}

type Dialog = { kind: 'rename' | 'merge'; tag: AdminTag };

export default function AdminTags({ loaderData }: Route.ComponentProps) {
  const { call } = useCall();
  const { confirm, dialog: question } = useConfirm();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  async function rename(id: string, json: { label: string; before: string | undefined }) {
    const answer = await answerOf(api.admin.tags[':id'].$patch({ param: { id }, json }));
    if (!answer.ok && answer.code === 'text/changed-meanwhile') {
      // The new name may have moved it to another page of the list.
      const now = await answerOf(api.admin.tags[':id'].$get({ param: { id } }));
      if (now.ok) setDialog({ kind: 'rename', tag: now.data });
    }
    return answer;
  }

  const askToDelete = (tag: AdminTag) =>
    confirm({
      title: `Delete ${tag.label}`,
      consequences: `This cannot be undone: it is removed from ${usageOf(tag)}, who then see those audios again.`,
      typedName: tag.label,
      verb: 'Delete tag',
      onConfirm: () =>
        call('delete', () => api.admin.tags[':id'].$delete({ param: { id: tag.id } }, onManyAudios), {
          done: `${tag.label} is deleted`,
        }),
    });

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
                ['Merge', () => setDialog({ kind: 'merge', tag })],
                ['Delete', () => askToDelete(tag)],
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
          <p className="text-13 text-muted">It changes on {usageOf(dialog.tag)}.</p>
        </EditTextDialog>
      )}
      {dialog?.kind === 'merge' && <MergeDialog tag={dialog.tag} onClose={close} />}
      {question}
    </ListPage>
  );
}

const usageOf = ({ audios, hidden }: AdminTag) =>
  `${countOf(audios, 'audio')} and ${countOf(hidden, 'listener who hides it', 'listeners who hide it')}`;

function MergeDialog({ tag, onClose }: { tag: AdminTag; onClose: () => void }) {
  const { id, label } = tag;
  const { call } = useCall();
  const [into, setInto] = useState<Found>();
  return (
    <ConsequenceDialog
      title={`Merge ${label}`}
      consequences={`This cannot be undone: the other tag takes over ${usageOf(tag)}.`}
      verb="Merge tags"
      isReady={into !== undefined}
      onClose={onClose}
      onConfirm={async () =>
        into &&
        call(
          'merge',
          () => api.admin.tags[':id'].merge.$post({ param: { id }, json: { into: into.value } }, onManyAudios),
          { done: `${label} is merged into ${into.label}` },
        )
      }
    >
      <TagField label="Into" found={into} except={id} onChoose={setInto} />
    </ConsequenceDialog>
  );
}
