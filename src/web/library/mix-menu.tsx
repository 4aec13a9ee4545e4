import { t } from '@lingui/core/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Pencil from 'lucide-react/icons/pencil';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import { answerOf, api } from '../api.ts';
import { useIsOn } from '../root-data.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MenuItem, MenuLink, MenuSeparator, MenuSwitch } from '../ui/layers/menu-items.tsx';
import { Menu } from '../ui/layers/menu.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';
import type { MixRow } from './load-mixes.ts';

const loadDialog = () => import('#web/catalogue/filters/mix-dialog.tsx');

export function MixMenu({ mix }: { mix: MixRow }) {
  const { id, name, hasNews, to, words } = mix;
  const { key } = useLocation();
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const areNewsOn = useIsOn('news');
  const [isRenaming, setIsRenaming] = useState(false);
  const close = () => setIsRenaming(false);
  const dialog = useLateLayer(loadDialog, isRenaming, close);
  const call = api.user.mixes[':id'];

  async function change(json: { name?: string; hasNews?: boolean }): Promise<string | undefined> {
    const answer = await answerOf(call.$patch({ param: { id }, json }));
    if (!answer.ok) return answer.message;
    await revalidate();
    return undefined;
  }
  async function remove(): Promise<void> {
    const answer = await answerOf(call.$delete({ param: { id } }));
    if (!answer.ok) return showToast({ text: answer.message });
    await revalidate();
    showToast({ text: t`Deleted “${{ title: name }}”`, action: { label: t`Undo`, onPress: () => void restore() } });
  }
  async function restore(): Promise<void> {
    const restored = await answerOf(call.restore.$post({ param: { id } }));
    if (restored.ok) await revalidate();
    else showToast({ text: restored.message });
  }

  return (
    <>
      <Menu
        closeKey={key}
        trigger={<IconButton icon={Ellipsis} label={t`More about ${name}`} className="icon-button--more" />}
      >
        <MenuItem icon={Pencil} onSelect={() => setIsRenaming(true)}>
          {t`Rename`}
        </MenuItem>
        <MenuLink icon={SlidersHorizontal} render={<Link to={to} />}>
          {t`Edit filters`}
        </MenuLink>
        {areNewsOn && (
          <MenuSwitch
            checked={hasNews}
            onChange={(on) => void change({ hasNews: on }).then((failure) => failure && showToast({ text: failure }))}
          >
            {t`Tell me what is new`}
          </MenuSwitch>
        )}
        <MenuSeparator />
        <MenuItem icon={Trash2} onSelect={() => void remove()}>
          {t`Delete mix`}
        </MenuItem>
      </Menu>
      {dialog && isRenaming && (
        <dialog.MixDialog
          title={t`Rename mix`}
          words={words}
          name={name}
          hasNews={hasNews}
          submit={t`Save`}
          onSubmit={change}
          onClose={close}
        />
      )}
    </>
  );
}
