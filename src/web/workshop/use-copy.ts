import { t } from '@lingui/core/macro';
import { useToast } from '../ui/layers/toast.tsx';

/** Notices for each kind of text: it was copied, or could not be. */
const notices = {
  key: () => [t`Key copied`, t`The key could not be copied`],
  line: () => [t`Line copied`, t`The line could not be copied`],
  link: () => [t`Link copied`, t`The link could not be copied`],
} satisfies Record<string, () => [copied: string, failed: string]>;

/** Copies a text, and says whether that worked. */
export function useCopy(): (name: keyof typeof notices, text: string) => Promise<void> {
  const showToast = useToast();
  return async (name, text) => {
    const [copied, failed] = notices[name]();
    try {
      await navigator.clipboard.writeText(text);
      showToast({ kind: 'copy', text: copied });
    } catch {
      showToast({ kind: 'copy', text: failed });
    }
  };
}
