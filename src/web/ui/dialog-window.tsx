import { Dialog } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import type { DialogProps } from './dialog.tsx';
import { IconButton } from './icon-button.tsx';

export function DialogWindow({ open, onClose, title, description, dismissedBy = 'backdrop', children }: DialogProps) {
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => !next && onClose()}
      disablePointerDismissal={dismissedBy === 'button'}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim scrim--blur" />
        <Dialog.Viewport className="modal__v">
          <Dialog.Popup className="modal">
            <Dialog.Title>{title}</Dialog.Title>
            {description !== undefined && <Dialog.Description className="modal__p">{description}</Dialog.Description>}
            {children}
            <Dialog.Close render={<IconButton label="Close" icon={X} className="modal__x" />} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
