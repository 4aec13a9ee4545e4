import { t } from '@lingui/core/macro';
import { type ReactNode, createContext, use, useEffect, useState } from 'react';
import { afterFirstPress } from '../first-press.ts';
import { type Notice, type ShownNotice, noticeMs, pressedExtent } from './notice.ts';
import { useLoaded } from '../use-loaded.ts';

const ToastContext = createContext<((notice: Notice) => void) | undefined>(undefined);

/** How the texts of calls without a connection begin. */
const offline = () => t`No internet connection`;

const loadToasts = () => import('./toasts.tsx');

/** Shows short notices above the player. A live region that exists beforehand announces them politely. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<ShownNotice[]>([]);
  const [offlineText, setOfflineText] = useState<string>();
  const [show] = useState(() => (notice: Notice) => {
    // The notice that lasts until the connection is back says it, or says more by now.
    if (!navigator.onLine && notice.text.startsWith(offline()))
      return setOfflineText((text) => (notice.text === offline() ? (text ?? offline()) : notice.text));
    const shownAt = performance.now();
    const added = { ...notice, pressed: pressedExtent(), shownAt };
    // The site has said it already, or another call of the same press has.
    if (notice.text !== '') setNotices((shown) => (isSaid(shown.at(-1), added) ? shown : [...shown, added]));
  });
  // Loaded at the latest with the first press: when the connection is lost, the code that reports it could not load.
  const [isNear, setIsNear] = useState(false);
  useEffect(() => afterFirstPress(() => setIsNear(true)), []);
  const loaded = useLoaded(loadToasts, isNear || notices.length > 0);
  useEffect(() => {
    const follow = () => setOfflineText((text) => (navigator.onLine ? undefined : (text ?? offline())));
    follow();
    const stop = new AbortController();
    for (const change of ['online', 'offline']) window.addEventListener(change, follow, stop);
    return () => stop.abort();
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      {/* A new element each time, so that a repeated text is announced again. */}
      <output className="sr-only">
        <span key={notices.length}>{spoken(notices.at(-1))}</span>
        <span>{offlineText}</span>
      </output>
      {offlineText !== undefined && (
        <div className="toasts toasts--top print:hidden" aria-hidden="true">
          <p className="toast pointer-events-none" data-toast>
            {offlineText}
          </p>
        </div>
      )}
      {loaded && <loaded.Toasts notices={notices} />}
    </ToastContext>
  );
}

/** One notice for one act: measured anew, the place of the press is another object. */
function isSaid(last: ShownNotice | undefined, { text, action, pressed, shownAt }: ShownNotice): boolean {
  const isSame = last?.text === text && last.action === undefined && action === undefined && last.pressed === pressed;
  return isSame && shownAt - last.shownAt < noticeMs;
}

function spoken(notice: Notice | undefined): string {
  if (notice?.action === undefined) return notice?.text ?? '';
  const {
    text,
    action: { label },
  } = notice;
  return t`${text}. Press F6 for ${label}.`;
}

/** @returns a function that shows a notice; it stays the same */
export function useToast(): (notice: Notice) => void {
  const show = use(ToastContext);
  if (show === undefined) throw new Error('useToast needs a ToastProvider around it');
  return show;
}
