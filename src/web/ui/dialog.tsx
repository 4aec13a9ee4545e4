import type { ReactNode } from 'react';
import { useToast } from './toast.tsx';
import { useLoaded } from './use-loaded.ts';

export type DialogProps = {
  open: boolean;
  /** Close button, Escape, and the backdrop where it may. */
  onClose: () => void;
  title: ReactNode;
  /** Read out with the title. */
  description?: ReactNode;
  /** `button`: a press beside it does not close it (nothing typed is lost). */
  dismissedBy?: 'backdrop' | 'button';
  children?: ReactNode;
};

const loadWindow = () => import('./dialog-window.tsx');

/** At most 500 px wide, a sheet at the bottom of a phone. Holds the focus while it is open and gives it back. Fetched when first opened. */
export function Dialog(props: DialogProps) {
  const showToast = useToast();
  const loaded = useLoaded(loadWindow, props.open, () => {
    props.onClose();
    showToast({ text: 'No internet connection' });
  });
  return loaded && <loaded.DialogWindow {...props} />;
}
