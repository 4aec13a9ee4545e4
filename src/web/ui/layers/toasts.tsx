import { t } from '@lingui/core/macro';
import { Toast } from '@base-ui/react/toast';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { type Extent, type ShownNotice, actionMs, noticeMs } from './notice.ts';

/** @param notices all notices so far; only new ones are shown */
export function Toasts({ notices }: { notices: ShownNotice[] }) {
  return (
    <Toast.Provider limit={2} timeout={noticeMs}>
      <ToastList notices={notices} />
    </Toast.Provider>
  );
}

function ToastList({ notices }: { notices: ShownNotice[] }) {
  const { toasts, add, close } = Toast.useToastManager();
  const shownCount = useRef(0);
  /** The notices that the visible toast of each kind stands for. */
  const open = useRef(new Map<string, ShownNotice[]>());
  const [isOnTop, setIsOnTop] = useState(false);
  useEffect(() => {
    for (const notice of notices.slice(shownCount.current)) {
      const { text, action, kind = text, several, until } = notice;
      if (until?.aborted) continue;
      until?.addEventListener('abort', () => close(kind));
      const all = [...((several && open.current.get(kind)) ?? []), notice];
      open.current.set(kind, all);
      add({
        id: kind,
        title: several && all.length > 1 ? several(all.length) : text,
        timeout: action ? actionMs : noticeMs,
        onClose() {
          open.current.delete(kind);
          for (const { onClosed } of all) onClosed?.();
        },
        actionProps: action && { children: action.label, onClick: press },
      });
      // The action is done, so the toast closes.
      function press(): void {
        for (const one of all.toReversed()) one.action?.onPress();
        close(kind);
      }
    }
    if (notices.length > shownCount.current) setIsOnTop(isNearBottom(notices.at(-1)?.pressed));
    shownCount.current = notices.length;
  }, [notices, add, close]);

  return (
    <Toast.Portal>
      {/* The provider’s live region announces them. */}
      <Toast.Viewport
        className={classNames('toasts print:hidden', isOnTop && 'toasts--top')}
        aria-label={t`Notices`}
        aria-live="off"
      >
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast" data-toast swipeDirection="down">
            <Toast.Title render={<span />} />
            {toast.actionProps && <Toast.Action />}
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

/** Whether the pressed control is near the bottom, where toasts appear; they must not cover it. */
function isNearBottom(pressed: Extent | undefined): boolean {
  if (pressed === undefined) return false;
  const bar = document.querySelector('[data-player]')?.getBoundingClientRect().top ?? window.innerHeight;
  return pressed.top < bar && pressed.bottom > bar - noticesHeight;
}

/** Height in pixels of two notices of two lines, margins included. */
const noticesHeight = 180;
