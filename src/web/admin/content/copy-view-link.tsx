import LinkIcon from 'lucide-react/icons/link';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';

/** Copies the address, which includes the filters and the order of the list. */
export function CopyViewLink() {
  const showToast = useToast();

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(window.location.href);
      showToast({ kind: 'copy', text: 'Link copied' });
    } catch {
      showToast({ kind: 'copy', text: 'The link could not be copied' });
    }
  }

  return (
    <Button className="ms-auto" size="sm" variant="ghost" onClick={() => void copy()}>
      <Icon of={LinkIcon} size={16} />
      Copy link to this view
    </Button>
  );
}
