import X from 'lucide-react/icons/x';
import { IconButton } from '../ui/icon-button.tsx';

/** Stands in place of the header while the queue is open. */
export function QueueHeader({ onClose }: { onClose: () => void }) {
  return (
    <header className="hd hd--line">
      <div className="wrap hd__bar">
        <h1 className="text-[1.75rem]">Your Queue</h1>
        <span className="hd__sp" />
        <IconButton label="Close queue" icon={X} iconSize={24} onClick={onClose} />
      </div>
    </header>
  );
}
