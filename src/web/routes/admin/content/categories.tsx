import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import ImageIcon from 'lucide-react/icons/image';
import Languages from 'lucide-react/icons/languages';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { Link } from 'react-router';
import type { AdminCategory } from '#domain/admin/content/categories.ts';
import { nameLengths, textLengths } from '#domain/admin/forms.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { useConfirm } from '#web/admin/consequence-dialog.tsx';
import { DeletedList } from '#web/admin/content/deleted-list.tsx';
import { ListPage } from '#web/workshop/lists/list-page.tsx';
import { type Texts, EditTextDialog, TextDialog } from '#web/admin/text-dialog.tsx';
import { useCall } from '#web/admin/use-call.ts';
import { usePictureSave } from '../../../workshop/forms/use-picture-save.ts';
import { translationsOf } from '#web/admin/texts/translations-link.tsx';
import { useLanguages } from '#web/root-data.ts';
import { useOrder } from '#web/admin/content/use-order.ts';
import { answerOf, api, onManyAudios } from '#web/api.ts';
import { formatCount } from '#formats/numbers.ts';
import { PictureField } from '#web/studio/picture-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MenuItem, MenuLink } from '#web/ui/layers/menu-items.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
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

const textsOf = ({ label, description }: AdminCategory) => ({ name: label, text: description });

function fieldsOf({ name, text }: Partial<Texts>) {
  return { ...(name !== undefined && { label: name }), ...(text !== undefined && { description: text }) };
}

type Dialog = { kind: 'create' } | { kind: 'edit' | 'picture'; category: AdminCategory };

export default function AdminCategories({ loaderData: { categories, deleted } }: Route.ComponentProps) {
  const { call } = useCall();
  const hasLanguages = useLanguages().length > 0;
  const { confirm, dialog: question } = useConfirm();
  const { items, move, edited, names } = useOrder(
    'category',
    categories,
    ({ label }) => label,
    (json) => answerOf(api.admin.categories.order.$put({ json })),
  );
  const [dialog, setDialog] = useState<Dialog>();
  const max = { name: nameLengths.category, text: textLengths.category };
  const close = () => setDialog(undefined);

  const restore = (id: string) => api.admin.categories[':id'].restore.$post({ param: { id } });

  const setHidden = ({ id, label }: AdminCategory, isHidden: boolean) =>
    call(id, () => api.admin.categories[':id'].$patch({ param: { id }, json: { isHidden } }), {
      done: isHidden ? t`${{ name: label }} is hidden` : t`${{ name: label }} is shown again`,
    });

  const askToDelete = ({ id, label, audios, voices, favorites }: AdminCategory) =>
    confirm({
      title: t`Delete ${{ name: label }}`,
      consequences: t`${plural(audios, { one: '# audio', other: '# audios' })} and ${plural(voices, { one: '# creator', other: '# creators' })} lose this category, and ${plural(favorites, { one: '# listener loses it as a favorite', other: '# listeners lose it as a favorite' })}. You can restore it with all of that for 30 days.`,
      verb: t`Delete category`,
      onConfirm: () =>
        call(
          'delete',
          () => api.admin.categories[':id'].delete.$post({ param: { id }, json: { name: label } }, onManyAudios),
          {
            done: t`${{ name: label }} is deleted`,
            about: id,
            undo: () => void call(id, () => restore(id), { done: t`${{ name: label }} is restored`, about: id }),
          },
        ),
    });

  return (
    <ListPage
      title={t`Categories`}
      facts={plural(
        { count: categories.length },
        {
          one: '# category, in this order on every page',
          other: '# categories, in this order on every page',
        },
      )}
      actions={
        <Button variant="primary" onClick={() => setDialog({ kind: 'create' })}>
          {t`New category`}
        </Button>
      }
      list={{ page: { items } }}
      empty={{ title: t`No categories yet`, text: t`Categories group audios on the home page and in the catalogue.` }}
      rows={
        <HandOrder
          label={t`Categories`}
          items={items}
          nameOf={({ label }) => label}
          onMove={move}
          renderItem={({ label, slug, imageUrl, isHidden, audios }) => (
            <>
              <Cover imageUrl={imageUrl} size={40} />
              <span className="min-w-0">
                <b className="block truncate">{label}</b>
                <small className="text-13 block truncate text-muted">
                  {isHidden ? t`/${slug}, hidden` : `/${slug}`}
                </small>
              </span>
              <span className="time-cell text-end text-muted" title={t`Audios`}>
                {formatCount(audios)}
                <span className="sr-only">
                  {' '}
                  <Trans>audios</Trans>
                </span>
              </span>
            </>
          )}
          renderActs={(category) => (
            <Menu
              closeKey={String(category.isHidden)}
              trigger={<IconButton label={t`More for ${{ name: category.label }}`} icon={Ellipsis} iconSize={18} />}
            >
              <MenuItem icon={Pencil} onSelect={() => setDialog({ kind: 'edit', category })}>
                {t`Edit`}
              </MenuItem>
              {hasLanguages && (
                <MenuLink
                  icon={Languages}
                  render={<Link to={translationsOf({ kind: 'category', subject: category.id })} />}
                >
                  {t`Translations`}
                </MenuLink>
              )}
              <MenuItem icon={ImageIcon} onSelect={() => setDialog({ kind: 'picture', category })}>
                {t`Picture`}
              </MenuItem>
              <MenuItem
                icon={category.isHidden ? Eye : EyeOff}
                onSelect={() => void setHidden(category, !category.isHidden)}
              >
                {category.isHidden ? t`Show again` : t`Hide`}
              </MenuItem>
              <MenuItem icon={Trash2} onSelect={() => askToDelete(category)}>
                {t`Delete`}
              </MenuItem>
            </Menu>
          )}
        />
      }
    >
      <DeletedList items={deleted} restore={restore} />
      <EditedBar edited={edited} valueNames={names} />
      {dialog?.kind === 'create' && (
        <TextDialog
          title={t`New category`}
          verb={t`Create category`}
          nameLabel={t`Name`}
          textLabel={t`Description`}
          max={max}
          onClose={close}
          onSave={({ name, text }) =>
            call('create', () => api.admin.categories.$post({ json: { label: name, description: text } }), {
              done: t`${name} is created`,
            })
          }
        />
      )}
      {dialog?.kind === 'edit' && (
        <EditTextDialog
          subject={{ type: 'category', id: dialog.category.id }}
          title={t`Edit category`}
          verb={t`Save`}
          nameLabel={t`Name`}
          textLabel={t`Description`}
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
      {question}
    </ListPage>
  );
}

/** The picture of a category. Open while rendered. */
function CategoryPictureDialog({ category, onClose }: { category: AdminCategory; onClose: () => void }) {
  const { id, label, imageUrl } = category;
  const save = usePictureSave('Picture', (picture) =>
    answerOf(api.admin.categories[':id'].picture.$put({ param: { id }, json: { picture, before: imageUrl } })),
  );

  return (
    <DialogWindow
      open
      onClose={onClose}
      title={t`Picture of ${label}`}
      description={t`Shown at 16:10 on tiles and at the top of its page. Use Crop to choose the area.`}
      dismissedBy="button"
    >
      <div className="mt-4">
        <PictureField name="picture" imageUrl={imageUrl} shapes={['wide']} onChoose={save} />
      </div>
      <Button className="mt-4" variant="ghost" onClick={onClose}>
        {t`Close`}
      </Button>
    </DialogWindow>
  );
}
