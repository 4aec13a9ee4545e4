import { createContext, use, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { afterFirstPress } from './first-press.ts';
import { pressedExtent } from './pressed-extent.ts';
import type { Extent } from './pressed-extent.ts';
import { useLoaded } from './use-loaded.ts';

export type Notice = {
  text: string;
  /** One action, such as Undo. */
  action?: { label: string; onPress: () => void };
  /** Replaces a visible notice of the same kind; defaults to the text. */
  kind?: string;
};

/** A notice with the position of the control that caused it. */
export type ShownNotice = Notice & { pressed: Extent | undefined };

/** Display time in milliseconds; focus or hover pauses it (WCAG 2.2.1). */
export const noticeMs = 5000;
export const actionMs = 20_000;

const ToastContext = createContext<((notice: Notice) => void) | undefined>(undefined);

const loadToasts = () => import('./toasts.tsx');

/** Shows short notices above the player. A live region that exists beforehand announces them politely. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<ShownNotice[]>([]);
  const [show] = useState(() => (notice: Notice) => {
    const pressed = pressedExtent();
    setNotices((shown) => [...shown, { ...notice, pressed }]);
  });
  // Loaded at the latest with the first press: when the connection is lost, the code that reports it could not load.
  const [isNear, setIsNear] = useState(false);
  const loaded = useLoaded(loadToasts, isNear || notices.length > 0);
  useEffect(() => afterFirstPress(() => setIsNear(true)), []);
  return (
    <ToastContext value={show}>
      {children}
      {/* A new element each time, so that a repeated text is announced again. */}
      <output className="sr-only">
        <span key={notices.length}>{spoken(notices.at(-1))}</span>
      </output>
      {loaded && <loaded.Toasts notices={notices} />}
    </ToastContext>
  );
}

function spoken(notice: Notice | undefined): string {
  if (notice?.action === undefined) return notice?.text ?? '';
  return `${notice.text}. Press F6 for ${notice.action.label}.`;
}

/** @returns a function that shows a notice; it stays the same */
export function useToast(): (notice: Notice) => void {
  const show = use(ToastContext);
  if (show === undefined) throw new Error('useToast needs a ToastProvider around it');
  return show;
}
