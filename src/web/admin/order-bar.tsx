import Undo2 from 'lucide-react/icons/undo-2';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

type OrderBarProps = { text: string; isBusy: boolean; onUndo: () => void; onSave: () => void };

/** Saves or discards a changed order. */
export function OrderBar({ text, isBusy, onUndo, onSave }: OrderBarProps) {
  return (
    <section className="stick" aria-label="Unsaved changes">
      <output className="saved">{text}</output>
      <span className="ml-auto flex flex-wrap gap-2">
        <Button variant="ghost" disabled={isBusy} onClick={onUndo}>
          <Icon of={Undo2} size={16} />
          Undo
        </Button>
        <Button variant="primary" busy={isBusy ? 'Saving…' : undefined} onClick={onSave}>
          Save order
        </Button>
      </span>
    </section>
  );
}
