import { createContext, use, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useLoaded } from './use-loaded.ts';

export type Notice = {
  text: string;
  /** One thing that can be done about it, such as Undo. */
  action?: { label: string; onPress: () => void };
};

const ToastContext = createContext<((notice: Notice) => void) | undefined>(undefined);

const loadToasts = () => import('./toasts.tsx');

/** Shows short notices above the player for five seconds. They are read out politely, by a region that was there before them. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const [show] = useState(() => (notice: Notice) => setNotices((shown) => [...shown, notice]));
  // By the first press on: without a connection it would be too late to fetch what says so.
  const [isNear, setIsNear] = useState(false);
  const loaded = useLoaded(loadToasts, isNear || notices.length > 0);
  useEffect(() => {
    const onPress = () => setIsNear(true);
    const once = { once: true, capture: true };
    window.addEventListener('pointerdown', onPress, once);
    window.addEventListener('keydown', onPress, once);
    return () => {
      window.removeEventListener('pointerdown', onPress, once);
      window.removeEventListener('keydown', onPress, once);
    };
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <output className="vh">{notices.at(-1)?.text}</output>
      {loaded && <loaded.Toasts notices={notices} />}
    </ToastContext>
  );
}

/** @returns a function that shows a notice; it stays the same */
export function useToast(): (notice: Notice) => void {
  const show = use(ToastContext);
  if (show === undefined) throw new Error('useToast needs a ToastProvider around it');
  return show;
}
