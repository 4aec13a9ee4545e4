import { createContext, use, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useClosedByKey } from '#web/ui/use-closed-by-key.ts';
import { useListener } from './player-provider.tsx';

type QueueView = {
  isOpen: boolean;
  /** Visitors are asked to sign in, and see it once they have (spec §6). */
  open(): void;
  close(): void;
};

const QueueViewContext = createContext<QueueView | undefined>(undefined);

/** Where the queue's heading and the page's player look for each other. */
export const queueHeadingId = 'queue-heading';
export const queueButtonId = 'go-to-queue';

/** Whether the queue stands in the page's place. A change of page closes it (spec §2, "Page shell"). */
export function QueueViewProvider({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  const isUser = useListener().kind === 'user';
  const askToSignIn = useSignInPrompt();
  const [opened, setOpened] = useClosedByKey(key);
  const isOpen = opened && isUser;
  const setOpenedNow = useRef(setOpened);
  useLayoutEffect(() => {
    setOpenedNow.current = setOpened;
  });
  usePlaceOfPage(isOpen, key);

  const open = useCallback(
    () => askToSignIn({ to: 'see your Queue', act: () => setOpenedNow.current(true) }),
    [askToSignIn],
  );
  const close = useCallback(() => setOpenedNow.current(false), []);
  const view = useMemo(() => ({ isOpen, open, close }), [isOpen, open, close]);
  return <QueueViewContext value={view}>{children}</QueueViewContext>;
}

export function useQueueView(): QueueView {
  const view = use(QueueViewContext);
  if (view === undefined) throw new Error('useQueueView needs a QueueViewProvider around it');
  return view;
}

/** The queue opens scrolled to its top (spec §4); the page behind it has its place again afterwards, and the focus is looked after. */
function usePlaceOfPage(isOpen: boolean, key: string): void {
  const left = useRef<{ key: string; top: number; focused: Element | null }>(undefined);
  useLayoutEffect(() => {
    if (isOpen) {
      left.current = { key, top: window.scrollY, focused: document.activeElement };
      window.scrollTo(0, 0);
      document.getElementById(queueHeadingId)?.focus({ preventScroll: true });
      return;
    }
    const page = left.current;
    left.current = undefined;
    // Another page looks after itself.
    if (page === undefined || page.key !== key) return;
    window.scrollTo(0, page.top);
    const back = page.focused?.isConnected === true ? page.focused : document.getElementById(queueButtonId);
    if (back instanceof HTMLElement && back.checkVisibility()) back.focus({ preventScroll: true });
    else document.getElementById('main')?.focus({ preventScroll: true });
  }, [isOpen, key]);
}
