import { t } from '@lingui/core/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import LinkIcon from 'lucide-react/icons/link';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { formatTime } from '#formats/durations.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { useCopyLink } from '#web/analytics/use-share-link.ts';
import { type KeptMoment, type MomentDraft, keepMoment } from '#web/catalogue/moments/keep-moment.ts';
import { shareAddress } from '#web/listening/arrival.ts';
import { useListener } from '#web/listening/player-provider.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MenuItem, MenuSeparator } from '#web/ui/layers/menu-items.tsx';
import { Menu } from '#web/ui/layers/menu.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { useLateLayer } from '#web/ui/layers/use-late-layer.ts';

const loadDialog = () => import('#web/catalogue/moments/moment-dialog.tsx');

export function MomentMenu({ audio, moment }: { audio: AudioItem; moment: KeptMoment }) {
  const { id, audioId, position, note } = moment;
  const { key } = useLocation();
  const { revalidate } = useRevalidator();
  const viewer = useListener();
  const copyLink = useCopyLink();
  const showToast = useToast();
  const [isEditing, setIsEditing] = useState(false);
  const close = () => setIsEditing(false);
  const dialog = useLateLayer(loadDialog, isEditing, close);
  const seconds = position / 1000;
  const time = formatTime(seconds);

  /** @returns the error message; undefined on success */
  async function keep(draft?: MomentDraft): Promise<string | undefined> {
    if (viewer.kind !== 'user') return undefined;
    const kept = await keepMoment(viewer.id, id, draft);
    if (!kept.ok) return kept.message;
    if (kept.isWaiting) showToast({ text: t`No internet connection. This is saved when you are online.` });
    else await revalidate();
    return undefined;
  }

  async function remove(): Promise<void> {
    await keep();
    showToast({
      text: t`Deleted the bookmark at ${time}`,
      action: { label: t`Undo`, onPress: () => void keep({ audioId, position, note }) },
    });
  }

  return (
    <>
      <Menu
        closeKey={key}
        trigger={<IconButton icon={Ellipsis} label={t`More about ${time}`} className="icon-button--more" />}
      >
        <MenuItem icon={Pencil} onSelect={() => setIsEditing(true)}>
          {t`Edit note`}
        </MenuItem>
        <MenuItem
          icon={LinkIcon}
          onSelect={() =>
            copyLink({
              name: audio.title,
              address: shareAddress(audio.slug, seconds, window.location.origin),
              imageUrl: audio.imageUrl,
              onCopy: () => logEvent('share_audio', { source: 'favorites', subjectId: audio.id }),
            })
          }
        >
          {t`Copy link to the place`}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} onSelect={() => void remove()}>
          {t`Delete bookmark`}
        </MenuItem>
      </Menu>
      {dialog && isEditing && (
        <dialog.MomentDialog
          seconds={seconds}
          duration={audio.numberDuration}
          note={note}
          onSave={(place, changed) => keep({ audioId, position: Math.round(place * 1000), note: changed })}
          onClose={close}
        />
      )}
    </>
  );
}
