import EyeOff from 'lucide-react/icons/eye-off';
import { Icon } from '../ui/images/icon.tsx';

/** Beside the name of what listeners do not see. */
export function HiddenMark() {
  return (
    <span className="state-mark ms-2">
      <Icon of={EyeOff} size={16} />
      Hidden
    </span>
  );
}
