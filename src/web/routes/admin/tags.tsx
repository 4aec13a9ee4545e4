import { useState } from 'react';
import { nameLengths } from '#domain/admin/forms.ts';
import type { AdminTag } from '#domain/admin/content/tags.ts';
import { AdminHead } from '../../admin/admin-head.tsx';
import { adminViewer } from '../../admin/admin-viewer.ts';
import { NoMatches } from '../../admin/no-matches.tsx';
import { ConsequenceDialog } from '../../admin/consequence-dialog.tsx';
import { ListPager } from '../../admin/list-pager.tsx';
import { ListSearch } from '../../admin/list-search.tsx';
import type { ChosenTag } from '../../admin/content/tag-field.tsx';
import { TagField } from '../../admin/content/tag-field.tsx';
import { EditTextDialog } from '../../admin/text-dialog.tsx';
import { tableRoles } from '../../workshop/lists/table-roles.ts';
import { useAdminCall } from '../../admin/use-admin-call.ts';
import { answerOf, api, onManyAudios } from '../../api.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { pageMeta } from '../../page-meta.ts';
import { orBadRequest } from '../../route-errors.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/tags';

const pageSize = 50;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const { searchParams } = new URL(request.url);
  const q = (searchParams.get('q') ?? '').slice(0, 100);
  const cursor = searchParams.get('cursor') ?? undefined;
  const page = await orBadRequest(site.content.listTags(viewer, { q, cursor, limit: pageSize }));
  const all = await site.admin.countAll(viewer, 'tags', page);
  return { q, page, all };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Tags', description: 'Tags of the site', index: 'no' });
}

type Dialog = { kind: 'rename' | 'merge' | 'delete'; tag: AdminTag };

export default function AdminTags({ loaderData: { q, page, all } }: Route.ComponentProps) {
  const { busy, call } = useAdminCall();
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
    <>
      <AdminHead title="Tags" facts="Creators add tags to their audios; listeners filter by them and hide them" />
      <ListSearch label="Find a tag" q={q} />
      {all !== undefined ? (
        <NoMatches all={all} filters={[q]} one="tag">
          <EmptyState title="No tags yet" text="Tags appear here when audios have them." />
        </NoMatches>
      ) : (
        <table className="tbl tbl--cards" {...tableRoles.table}>
          <thead>
            <tr {...tableRoles.row}>
              <th {...tableRoles.head}>Tag</th>
              <th {...tableRoles.head} className="r">
                Audios
              </th>
              <th {...tableRoles.head} className="r">
                Hidden by
              </th>
              <th {...tableRoles.head} className="s">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {page.items.map((tag) => (
              <tr key={tag.id} {...tableRoles.row}>
                <td {...tableRoles.cell} className="w2">
                  <div className="cell">
                    <div>
                      <b className="wrap-anywhere">{tag.label}</b>
                      <small>{tag.slug}</small>
                    </div>
                  </div>
                </td>
                <td {...tableRoles.cell} className="r" data-l="Audios">
                  {formatCount(tag.audios)}
                </td>
                <td {...tableRoles.cell} className="r" data-l="Hidden by">
                  {formatCount(tag.hidden)}
                </td>
                <td {...tableRoles.cell} className="s w2">
                  <span className="flex flex-wrap justify-end gap-1 md:flex-nowrap">
                    <Button
                      variant="ghost"
                      size="sm"
                      aria-label={`Rename ${tag.label}`}
                      onClick={() => setDialog({ kind: 'rename', tag })}
                    >
                      Rename
                    </Button>
                    <Button
                      variant="ghost"
                      size="sm"
                      aria-label={`Merge ${tag.label}`}
                      onClick={() => {
                        setInto(undefined);
                        setDialog({ kind: 'merge', tag });
                      }}
                    >
                      Merge
                    </Button>
                    <Button
                      variant="ghost"
                      size="sm"
                      aria-label={`Delete ${tag.label}`}
                      onClick={() => setDialog({ kind: 'delete', tag })}
                    >
                      Delete
                    </Button>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ListPager shown={`${countOf(page.items.length, 'tag')} shown`} nextCursor={page.nextCursor} />
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
    </>
  );
}
