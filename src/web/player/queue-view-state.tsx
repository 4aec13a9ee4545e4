import { t } from '@lingui/core/macro';
import {
  createContext,
  use,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  type ReactNode,
  type RefObject,
} from 'react';
import { useLocation } from 'react-router';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { useListener } from '../listening/player-provider.tsx';
import { type Layer, useLayers } from './use-layers.ts';
import { isRendered } from '../ui/is-rendered.ts';

type QueueView = {
  isOpen: boolean;
  /**
   * Closes the expanded player, which would cover it. Visitors get the sign-in prompt, and the queue after they log in
   * (spec §6).
   */
  open(): void;
  close(): void;
  /** The full-screen player. */
  isExpanded: boolean;
  expand(): void;
  collapse(): void;
};

const QueueViewContext = createContext<QueueView | undefined>(undefined);

/** Ids by which the queue and the page’s player move the focus to each other. */
export const queueHeadingId = 'queue-heading';
export const queueButtonId = 'go-to-queue';
export const expandButtonId = 'expand-player';

const ofUsers: Layer[] = ['queue', 'player'];
const ofVisitors: Layer[] = ['player'];

/** State of the two layers: the queue, which replaces the page, and the expanded player above both. */
export function QueueViewProvider({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  const isUser = useListener().kind === 'user';
  const askToSignIn = useSignInPrompt();
  const left = useRef<PageLeft>(undefined);
  const [layers, show] = useLayers(isUser ? ofUsers : ofVisitors, () => {
    left.current = { key, top: window.scrollY, focused: document.activeElement };
  });
  const isOpen = layers.includes('queue');
  const isExpanded = layers.includes('player');
  usePlaceOfPage(isOpen, key, left);

  const open = useCallback(
    () => askToSignIn({ title: t`Sign in to see your Queue`, act: () => show(['queue']) }),
    [askToSignIn, show],
  );
  const view = useMemo(
    () => ({
      isOpen,
      open,
      close: () => show([]),
      isExpanded,
      expand: () => show(isOpen ? ['queue', 'player'] : ['player']),
      collapse: () => show(isOpen ? ['queue'] : []),
    }),
    [isOpen, isExpanded, open, show],
  );
  return <QueueViewContext value={view}>{children}</QueueViewContext>;
}

export function useQueueView(): QueueView {
  const view = use(QueueViewContext);
  if (view === undefined) throw new Error('The queue and the player need a QueueViewProvider around them');
  return view;
}

type PageLeft = { key: string; top: number; focused: Element | null } | undefined;

/**
 * Opens the queue scrolled to its top (spec §4); on close, restores the scroll position and the focus of the page.
 * @param leftRef noted before the queue renders: a shorter page would have been scrolled up by then
 */
function usePlaceOfPage(isOpen: boolean, key: string, leftRef: RefObject<PageLeft>): void {
  useLayoutEffect(() => {
    if (isOpen) {
      window.scrollTo(0, 0);
      document.getElementById(queueHeadingId)?.focus({ preventScroll: true });
      return;
    }
    const page = leftRef.current;
    leftRef.current = undefined;
    // A new page handles its own scroll and focus.
    if (page === undefined || page.key !== key) return;
    window.scrollTo(0, page.top);
    const ways = [page.focused, document.getElementById(queueButtonId), document.getElementById(expandButtonId)];
    const back = ways.find((way) => way?.isConnected && isRendered(way)) ?? document.getElementById('main');
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  }, [isOpen, key, leftRef]);
}
