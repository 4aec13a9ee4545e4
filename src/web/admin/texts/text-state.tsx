import Check from 'lucide-react/icons/check';
import Pencil from 'lucide-react/icons/pencil';
import { Icon } from '#web/ui/images/icon.tsx';

/** Whether a text is the operator's or the site's default. */
export function TextState({ isChanged }: { isChanged: boolean }) {
  return (
    <span className={`state-mark max-[360px]:whitespace-normal ${isChanged ? 'tone-accent' : ''}`}>
      <Icon of={isChanged ? Pencil : Check} size={16} />
      {isChanged ? 'Your text' : 'Default text'}
    </span>
  );
}
