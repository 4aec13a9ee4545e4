import type { DialogProps } from './dialog-window.tsx';
import { useToast } from './toast.tsx';
import { useLoaded } from './use-loaded.ts';

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
