import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { nameLengths } from '#domain/admin/forms.ts';
import type { AdminTag } from '#domain/admin/content/tags.ts';
import { ConsequenceDialog, useConfirm } from '#web/admin/consequence-dialog.tsx';
import { type Found, TagField } from '#web/admin/found-fields.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { loadList } from '#web/admin/load-list.ts';
import { EditTextDialog } from '#web/admin/text-dialog.tsx';
import { translationsOf } from '#web/admin/texts/translations-link.tsx';
import { useLanguages } from '#web/root-data.ts';
import { useCall } from '#web/admin/use-call.ts';
import { answerOf, api, onManyAudios } from '#web/api.ts';
import { formatCount } from '#formats/numbers.ts';
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
  const navigate = useNavigate();
  const hasLanguages = useLanguages().length > 0;
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
      title: t`Delete ${{ name: tag.label }}`,
      consequences: t`This cannot be undone: it is removed from ${plural({ audios: tag.audios }, { one: '# audio', other: '# audios' })} and ${plural({ listeners: tag.hidden }, { one: '# listener who hides it', other: '# listeners who hide it' })}, who then see those audios again.`,
      typedName: tag.label,
      verb: t`Delete tag`,
      onConfirm: () =>
        call('delete', () => api.admin.tags[':id'].$delete({ param: { id: tag.id } }, onManyAudios), {
          done: t`${{ name: tag.label }} is deleted`,
        }),
    });

  return (
    <ListPage
      title={t`Tags`}
      facts={t`Creators add tags to their audios; listeners filter by them and hide them`}
      list={loaderData}
      search={{ label: t`Search tags`, placeholder: t`Name` }}
      empty={{ title: t`No tags yet`, text: t`Tags appear here when audios have them.` }}
      keyOf={({ id }) => id}
      columns={[
        { head: t`Tag`, kind: 'name', cell: ({ label, slug }) => <RowName name={label} note={slug} /> },
        { head: t`Facet`, cell: ({ facet }) => facet ?? '' },
        { head: t`Audios`, kind: 'number', cell: ({ audios }) => formatCount(audios) },
        { head: t`Hidden by`, kind: 'number', cell: ({ hidden }) => formatCount(hidden) },
        {
          head: t`Actions`,
          kind: 'actions',
          isWide: true,
          cell: (tag) => (
            <RowActions
              of={tag.label}
              actions={[
                [t`Rename`, () => setDialog({ kind: 'rename', tag })],
                ...(hasLanguages
                  ? [[t`Translations`, () => void navigate(translationsOf({ kind: 'tag', subject: tag.id }))] as const]
                  : []),
                [t`Merge`, () => setDialog({ kind: 'merge', tag })],
                [t`Delete`, () => askToDelete(tag)],
              ]}
            />
          ),
        },
      ]}
    >
      {dialog?.kind === 'rename' && (
        <EditTextDialog
          subject={{ type: 'tag', id: dialog.tag.id }}
          title={t`Rename ${{ name: dialog.tag.label }}`}
          verb={t`Rename`}
          nameLabel={t`Name`}
          saved={{ name: dialog.tag.label, text: '' }}
          max={{ name: nameLengths.tag }}
          done={t`Renamed`}
          onClose={close}
          send={({ name = '' }, { name: before }) => rename(dialog.tag.id, { label: name, before })}
        >
          <p className="text-13 text-muted">
            {t`It changes on ${plural({ audios: dialog.tag.audios }, { one: '# audio', other: '# audios' })} and for ${plural({ listeners: dialog.tag.hidden }, { one: '# listener who hides it', other: '# listeners who hide it' })}.`}
          </p>
        </EditTextDialog>
      )}
      {dialog?.kind === 'merge' && <MergeDialog tag={dialog.tag} onClose={close} />}
      {question}
    </ListPage>
  );
}

function MergeDialog({ tag, onClose }: { tag: AdminTag; onClose: () => void }) {
  const { id, label, audios, hidden: listeners } = tag;
  const { call } = useCall();
  const [into, setInto] = useState<Found>();
  return (
    <ConsequenceDialog
      title={t`Merge ${{ name: label }}`}
      consequences={t`This cannot be undone: the other tag takes over ${plural(audios, { one: '# audio', other: '# audios' })} and ${plural(listeners, { one: '# listener who hides it', other: '# listeners who hide it' })}.`}
      verb={t`Merge tags`}
      isReady={into !== undefined}
      onClose={onClose}
      onConfirm={async () =>
        into &&
        call(
          'merge',
          () => api.admin.tags[':id'].merge.$post({ param: { id }, json: { into: into.value } }, onManyAudios),
          { done: t`${{ name: label }} is merged into ${{ other: into.label }}` },
        )
      }
    >
      <TagField label={t`Into`} found={into} except={id} onChoose={setInto} />
    </ConsequenceDialog>
  );
}
