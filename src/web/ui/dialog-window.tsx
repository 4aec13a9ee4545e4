import { Dialog } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import type { DialogProps } from './dialog.tsx';
import { IconButton } from './icon-button.tsx';

type DialogWindowProps = Omit<DialogProps, 'title'> & {
  /** Left out where the children have a `DialogTitle`. */
  title?: ReactNode;
  /** Who has the focus first; where nothing is answered, the first that can have it. */
  initialFocus?: (popup: HTMLElement) => HTMLElement | undefined;
  /** Who has the focus when it is closed; where nothing is answered, who had it before. */
  finalFocus?: () => HTMLElement | undefined;
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
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => !next && onClose()}
      disablePointerDismissal={dismissedBy === 'button'}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim scrim--blur" />
        <Dialog.Viewport className="modal__v">
          <Dialog.Popup
            ref={popup}
            className="modal"
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
            <Dialog.Close render={<IconButton label="Close" icon={X} className="modal__x" />} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Scrolls to where it will be: while the window slides in, the browser would take it to be further down. */
function showInPlace(element: HTMLElement): void {
  const viewport = element.closest<HTMLElement>('.modal__v');
  if (viewport === null) return;
  let bottom = element.offsetHeight;
  for (let at: Element | null = element; at instanceof HTMLElement && at !== viewport; at = at.offsetParent)
    bottom += at.offsetTop;
  viewport.scrollTop = element.matches('.modal') ? 0 : bottom + 24 - viewport.clientHeight;
}

/** Names the dialog. */
export function DialogTitle({ className, children }: { className?: string; children: ReactNode }) {
  return <Dialog.Title className={className}>{children}</Dialog.Title>;
}

/** Read out with the title. */
export function DialogText({ className, children }: { className?: string; children: ReactNode }) {
  return <Dialog.Description className={classNames('modal__p', className)}>{children}</Dialog.Description>;
}
