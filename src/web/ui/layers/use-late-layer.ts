import { t } from '@lingui/core/macro';
import { useLayer } from './open-layers.ts';
import { useToast } from './toast.tsx';
import { useLoaded } from '../use-loaded.ts';

/**
 * Loads the code of a dialog, menu or popover. Back, and a failed load, close one whose code has not arrived.
 * @param isOpen whether it was asked for
 * @param load as in `useLoaded`
 * @param isNear whether it may be asked for next
 */
export function useLateLayer<Part>(
  load: () => Promise<Part>,
  isOpen: boolean,
  close: () => void,
  isNear = false,
): Part | undefined {
  const showToast = useToast();
  const part = useLoaded(load, isOpen ? 'now' : isNear, () => {
    if (!isOpen) return;
    close();
    showToast({ text: t`No internet connection` });
  });
  useLayer(isOpen && part === undefined, close);
  return part;
}
