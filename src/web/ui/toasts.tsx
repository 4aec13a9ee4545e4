import { Toast } from '@base-ui/react/toast';
import { useEffect, useRef } from 'react';
import type { Notice } from './toast.tsx';

/** @param notices all there were; those that are new are shown */
export function Toasts({ notices }: { notices: Notice[] }) {
  return (
    <Toast.Provider limit={2}>
      <ToastList notices={notices} />
    </Toast.Provider>
  );
}

function ToastList({ notices }: { notices: Notice[] }) {
  const { toasts, add, close } = Toast.useToastManager();
  const known = useRef(0);
  useEffect(() => {
    for (const { text, action } of notices.slice(known.current)) {
      const id = add({ title: text, ...(action && { actionProps: { children: action.label, onClick: press } }) });
      // Done: nothing is left to be pressed.
      function press(): void {
        action?.onPress();
        close(id);
      }
    }
    known.current = notices.length;
  }, [notices, add, close]);

  return (
    <Toast.Portal>
      {/* The provider's own region reads them out. */}
      <Toast.Viewport className="toasts" aria-label="Notices" aria-live="off">
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast" swipeDirection="down">
            <Toast.Title render={<span />} />
            {toast.actionProps && <Toast.Action />}
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
