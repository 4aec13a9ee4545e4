import { t } from '@lingui/core/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Globe from 'lucide-react/icons/globe';
import Lock from 'lucide-react/icons/lock';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { href, useLocation, useNavigate } from 'react-router';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { answerOf, api } from '../api.ts';
import { Dialog } from '../ui/layers/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MenuItem, MenuSeparator } from '../ui/layers/menu-items.tsx';
import { Menu } from '../ui/layers/menu.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { useLateLayer } from '../ui/layers/use-late-layer.ts';

const loadForm = () => import('./playlist-form.tsx');

type OwnPlaylistMenuProps = {
  playlist: UserPlaylist;
  onChoose: (change: { isPublic: boolean }) => void;
  /** @returns the error message, if refused */
  onRename: (title: string) => Promise<string | undefined>;
};

export function OwnPlaylistMenu({ playlist, onChoose, onRename }: OwnPlaylistMenuProps) {
  const { key } = useLocation();
  const deletePlaylist = useDeletePlaylist();
  const [isRenaming, setIsRenaming] = useState(false);
  const form = useLateLayer(loadForm, isRenaming, () => setIsRenaming(false));
  return (
    <>
      <Menu
        closeKey={key}
        trigger={<IconButton className="icon-button--more" data-more-button icon={Ellipsis} label={t`More`} />}
      >
        <MenuItem icon={Pencil} onSelect={() => setIsRenaming(true)}>
          {t`Rename`}
        </MenuItem>
        <MenuItem icon={playlist.isPublic ? Lock : Globe} onSelect={() => onChoose({ isPublic: !playlist.isPublic })}>
          {playlist.isPublic ? t`Make private` : t`Make public`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} onSelect={() => void deletePlaylist(playlist)}>
          {t`Delete playlist`}
        </MenuItem>
      </Menu>
      <Dialog
        open={isRenaming && form !== undefined}
        onClose={() => setIsRenaming(false)}
        dismissedBy="button"
        title={t`Rename playlist`}
      >
        {form && (
          <form.PlaylistForm
            label={t`Rename playlist`}
            title={playlist.title}
            submit={{ label: t`Save`, busy: t`Saving…` }}
            onCancel={() => setIsRenaming(false)}
            onSubmit={async ({ title }) => {
              const refusal = await onRename(title);
              if (refusal === undefined) setIsRenaming(false);
              return refusal;
            }}
          />
        )}
      </Dialog>
    </>
  );
}

/** Deletes at once; the notice has an Undo that restores the playlist. */
function useDeletePlaylist(): (playlist: UserPlaylist) => Promise<void> {
  const navigate = useNavigate();
  const showToast = useToast();
  const calls = api['users-playlists'][':id'];

  return async ({ id, title }) => {
    const answer = await answerOf(calls.$delete({ param: { id } }));
    if (!answer.ok) return showToast({ text: answer.message });
    await navigate(`${href('/library')}?tab=own`);
    showToast({ text: t`Deleted “${title}”`, action: { label: t`Undo`, onPress: () => void restore() } });

    async function restore(): Promise<void> {
      const restored = await answerOf(calls.restore.$post({ param: { id } }));
      if (!restored.ok) return showToast({ text: restored.message });
      await navigate(href('/users-playlists/:id', { id }));
    }
  };
}
