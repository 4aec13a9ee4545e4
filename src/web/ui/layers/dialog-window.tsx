import { t } from '@lingui/core/macro';
import { Dialog } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { type ReactNode, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { useLayer } from './open-layers.ts';
import './dialog-window.css';

export type DialogProps = {
  open: boolean;
  /** Close button, Escape, Back, and the backdrop where it may. */
  onClose: (how: 'button' | 'away') => void;
  title: ReactNode;
  /** Accessible description. */
  description?: ReactNode;
  /** `button`: pressing the backdrop does not close it, so that typed text is not lost. `answer`: only Escape does. */
  dismissedBy?: 'backdrop' | 'button' | 'answer';
  /** Element to focus after closing; undefined restores the previous focus. */
  finalFocus?: () => HTMLElement | undefined;
  children?: ReactNode;
};

type DialogWindowProps = Omit<DialogProps, 'title'> & {
  /** Omit when the children contain a `DialogTitle`. */
  title?: ReactNode;
  /** Element to focus first; undefined focuses the first focusable one. */
  initialFocus?: (popup: HTMLElement) => HTMLElement | undefined;
};

export function DialogWindow({
  open,
  onClose,
  title,
  description,
  dismissedBy = 'backdrop',
  initialFocus,
  finalFocus,
  children,
}: DialogWindowProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayer(open, () => onClose('away'));
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next, { reason }) => !next && onClose(reason === 'close-press' ? 'button' : 'away')}
      disablePointerDismissal={dismissedBy !== 'backdrop'}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim scrim--blur" />
        <Dialog.Viewport className="modal__viewport" data-modal-viewport>
          <Dialog.Popup
            ref={popup}
            className="modal"
            data-modal
            initialFocus={() => {
              const first = popup.current && initialFocus?.(popup.current);
              if (!first) return true;
              first.focus({ preventScroll: true });
              showInPlace(first);
              return false;
            }}
            finalFocus={() => finalFocus?.() ?? true}
          >
            {title !== undefined && <DialogTitle>{title}</DialogTitle>}
            {description !== undefined && <DialogText>{description}</DialogText>}
            {children}
            {dismissedBy !== 'answer' && (
              <Dialog.Close render={<IconButton label={t`Close`} icon={X} className="modal__close" />} />
            )}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Scrolls to the element’s final position: during the slide-in, the browser would measure it too far down. */
function showInPlace(element: HTMLElement): void {
  const viewport = element.closest<HTMLElement>('[data-modal-viewport]');
  if (viewport === null) return;
  let bottom = element.offsetHeight;
  for (let at: Element | null = element; at instanceof HTMLElement && at !== viewport; at = at.offsetParent)
    bottom += at.offsetTop;
  viewport.scrollTop = element.matches('[data-modal]') ? 0 : bottom + 24 - viewport.clientHeight;
}

export function DialogTitle({ className, children }: { className?: string; children: ReactNode }) {
  return <Dialog.Title className={className}>{children}</Dialog.Title>;
}

export function DialogText({ className, children }: { className?: string; children: ReactNode }) {
  return <Dialog.Description className={classNames('modal__text', className)}>{children}</Dialog.Description>;
}
