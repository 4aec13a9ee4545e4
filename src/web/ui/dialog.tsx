import type { ReactNode } from 'react';
import { useToast } from './toast.tsx';
import { useLoaded } from './use-loaded.ts';

export type DialogProps = {
  open: boolean;
  /** Close button, Escape, and the backdrop where it may. */
  onClose: (how: 'button' | 'away') => void;
  title: ReactNode;
  /** Accessible description. */
  description?: ReactNode;
  /** `button`: pressing the backdrop does not close it, so that typed text is not lost. */
  dismissedBy?: 'backdrop' | 'button';
  /** Element to focus after closing; undefined restores the previous focus. */
  finalFocus?: () => HTMLElement | undefined;
  children?: ReactNode;
};

const loadWindow = () => import('./dialog-window.tsx');

/**
 * At most 500 px wide; a bottom sheet on a phone. Traps the focus while open and restores it. Its code loads when first
 * opened.
 */
export function Dialog(props: DialogProps) {
  const showToast = useToast();
  const loaded = useLoaded(loadWindow, props.open, () => {
    props.onClose('away');
    showToast({ text: 'No internet connection' });
  });
  return loaded && <loaded.DialogWindow {...props} />;
}
