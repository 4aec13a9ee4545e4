import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import ImageIcon from 'lucide-react/icons/image';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AdminCategory } from '#domain/admin/content/categories.ts';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import { AdminHead } from '#web/admin/admin-head.tsx';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { ConsequenceDialog } from '#web/admin/consequence-dialog.tsx';
import { DeletedList } from '#web/admin/content/deleted-list.tsx';
import type { Texts } from '#web/admin/text-dialog.tsx';
import { EditTextDialog, TextDialog } from '#web/admin/text-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { useOrder } from '#web/admin/content/use-order.ts';
import { answerOf, api, onManyAudios } from '#web/api.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { pageMeta } from '#web/page-meta.ts';
import { PictureField } from '#web/studio/picture-field.tsx';
import type { ChosenPicture } from '#web/workshop/forms/read-picture.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MenuItem } from '#web/ui/layers/menu-items.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { EditedBar } from '#web/workshop/forms/edited-bar.tsx';
import { HandOrder } from '#web/workshop/forms/hand-order.tsx';
import type { Route } from './+types/categories';

export async function loader({ context }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context);
  const [categories, deleted] = await Promise.all([
    site.admin.content.listCategories(viewer),
    site.admin.content.listDeletedGroups(viewer, 'category'),
  ]);
  return { categories, deleted };
}

export function meta(args: Route.MetaArgs) {
  return pageMeta(args, { title: 'Categories', description: 'Categories of the site', index: 'no' });
}

const textsOf = ({ label, description }: AdminCategory) => ({ name: label, text: description });

function fieldsOf({ name, text }: Partial<Texts>) {
  return { ...(name !== undefined && { label: name }), ...(text !== undefined && { description: text }) };
}

type Dialog = { kind: 'create' } | { kind: 'edit' | 'picture' | 'delete'; category: AdminCategory };

export default function AdminCategories({ loaderData: { categories, deleted } }: Route.ComponentProps) {
  const { busy, call } = useCall();
  const { items, move, edited, names } = useOrder(
    'category',
    categories,
    ({ label }) => label,
    (json) => answerOf(api.admin.categories.order.$put({ json })),
  );
  const [dialog, setDialog] = useState<Dialog>();
  const max = { name: nameLengths.category, text: textLengths.category };
  const close = () => setDialog(undefined);

  const restore = (id: string) => answerOf(api.admin.categories[':id'].restore.$post({ param: { id } }));

  async function setHidden({ id, label }: AdminCategory, isHidden: boolean): Promise<void> {
    await call(id, () => answerOf(api.admin.categories[':id'].$patch({ param: { id }, json: { isHidden } })), {
      done: isHidden ? `${label} is hidden` : `${label} is shown again`,
    });
  }

  return (
    <>
      <AdminHead
        title="Categories"
        facts={`${countOf(categories.length, 'category', 'categories')}, in this order on every page`}
      >
        <Button variant="primary" onClick={() => setDialog({ kind: 'create' })}>
          New category
        </Button>
      </AdminHead>
      {items.length === 0 ? (
        <EmptyState title="No categories yet" text="Categories group audios on the home page and in the catalogue." />
      ) : (
        <HandOrder
          label="Categories"
          items={items}
          nameOf={({ label }) => label}
          onMove={move}
          renderItem={({ label, slug, imageUrl, isHidden, audios }) => (
            <>
              <Cover imageUrl={imageUrl} size={40} />
              <span className="min-w-0">
                <b className="block truncate">{label}</b>
                <small className="text-13 block truncate text-muted">
                  /{slug}
                  {isHidden && ', hidden'}
                </small>
              </span>
              <span className="time-cell text-right text-muted" title="Audios">
                {formatCount(audios)}
                <span className="sr-only"> audios</span>
              </span>
            </>
          )}
          renderActs={(category) => (
            <Menu
              closeKey={String(category.isHidden)}
              trigger={<IconButton label={`More for ${category.label}`} icon={Ellipsis} iconSize={18} />}
            >
              <MenuItem icon={Pencil} onSelect={() => setDialog({ kind: 'edit', category })}>
                Edit
              </MenuItem>
              <MenuItem icon={ImageIcon} onSelect={() => setDialog({ kind: 'picture', category })}>
                Picture
              </MenuItem>
              <MenuItem
                icon={category.isHidden ? Eye : EyeOff}
                onSelect={() => void setHidden(category, !category.isHidden)}
              >
                {category.isHidden ? 'Show again' : 'Hide'}
              </MenuItem>
              <MenuItem icon={Trash2} onSelect={() => setDialog({ kind: 'delete', category })}>
                Delete
              </MenuItem>
            </Menu>
          )}
        />
      )}
      <DeletedList items={deleted} restore={restore} />
      <EditedBar edited={edited} valueNames={names} />
      {dialog?.kind === 'create' && (
        <TextDialog
          title="New category"
          verb="Create category"
          nameLabel="Name"
          textLabel="Description"
          max={max}
          isBusy={busy !== undefined}
          onClose={close}
          onSave={async ({ name, text }) =>
            (await call(
              'create',
              () => answerOf(api.admin.categories.$post({ json: { label: name, description: text } })),
              {
                done: `${name} is created`,
              },
            )) !== undefined
          }
        />
      )}
      {dialog?.kind === 'edit' && (
        <EditTextDialog
          subject={{ type: 'category', id: dialog.category.id }}
          title="Edit category"
          verb="Save"
          nameLabel="Name"
          textLabel="Description"
          saved={textsOf(categories.find(({ id }) => id === dialog.category.id) ?? dialog.category)}
          max={max}
          onClose={close}
          send={(changed, seen) => {
            const json = { ...fieldsOf(changed), before: fieldsOf(seen) };
            return answerOf(api.admin.categories[':id'].$patch({ param: { id: dialog.category.id }, json }));
          }}
        />
      )}
      {dialog?.kind === 'picture' && (
        <CategoryPictureDialog
          // The current one, with the picture that was just saved.
          category={items.find(({ id }) => id === dialog.category.id) ?? dialog.category}
          onClose={close}
        />
      )}
      {dialog?.kind === 'delete' && (
        <ConsequenceDialog
          title={`Delete ${dialog.category.label}`}
          consequences={`${countOf(dialog.category.audios, 'audio')} and ${countOf(dialog.category.voices, 'creator')} lose this category, and ${countOf(dialog.category.favorites, 'listener loses it as a favorite', 'listeners lose it as a favorite')}. You can restore it with all of that for 30 days.`}
          verb="Delete category"
          isBusy={busy !== undefined}
          onClose={close}
          onConfirm={async () => {
            const { id, label } = dialog.category;
            const gone = await call(
              'delete',
              () =>
                answerOf(
                  api.admin.categories[':id'].delete.$post({ param: { id }, json: { name: label } }, onManyAudios),
                ),
              {
                done: `${label} is deleted`,
                about: id,
                undo: () => void call(id, () => restore(id), { done: `${label} is restored`, about: id }),
              },
            );
            if (gone !== undefined) close();
          }}
        />
      )}
    </>
  );
}

/** The picture of a category. Open while rendered. */
function CategoryPictureDialog({ category, onClose }: { category: AdminCategory; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { id, label, imageUrl } = category;

  async function save(picture: ChosenPicture | null): Promise<string | undefined> {
    const json = { picture: picture?.base64 ?? null, before: imageUrl };
    const answer = await answerOf(api.admin.categories[':id'].picture.$put({ param: { id }, json }));
    if (answer.ok || answer.status === 409) await revalidate();
    if (!answer.ok) return answer.message;
    showToast({ text: picture === null ? 'Picture removed' : 'Picture saved' });
    return undefined;
  }

  return (
    <DialogWindow
      open
      onClose={onClose}
      title={`Picture of ${label}`}
      description="Shown at 16:10 on tiles and at the top of its page. Use Crop to choose the area."
      dismissedBy="button"
    >
      <div className="mt-4">
        <PictureField name="picture" imageUrl={imageUrl} shapes={['wide']} onChoose={save} />
      </div>
      <Button className="mt-4" variant="ghost" onClick={onClose}>
        Close
      </Button>
    </DialogWindow>
  );
}
