import { createContext, use, useState } from 'react';
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
  const loaded = useLoaded(loadToasts, notices.length > 0);
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
