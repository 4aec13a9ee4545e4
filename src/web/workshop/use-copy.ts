import { useToast } from '../ui/layers/toast.tsx';

/** Copies a text, and says whether that worked. @param name of the text, such as `link` */
export function useCopy(): (name: string, text: string) => Promise<void> {
  const showToast = useToast();
  return async (name, text) => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ kind: 'copy', text: `${name.charAt(0).toUpperCase()}${name.slice(1)} copied` });
    } catch {
      showToast({ kind: 'copy', text: `The ${name} could not be copied` });
    }
  };
}
