import type { DialogProps } from './dialog-window.tsx';
import { useLateLayer } from './use-late-layer.ts';

const loadWindow = () => import('./dialog-window.tsx');

/**
 * At most 500 px wide; a bottom sheet on a phone. Traps the focus while open and restores it. Its code loads when first
 * opened.
 */
export function Dialog(props: DialogProps) {
  const loaded = useLateLayer(loadWindow, props.open, () => props.onClose('away'));
  return loaded && <loaded.DialogWindow {...props} />;
}
