import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './images/icon.tsx';

type NoteProps = { tone: 'error' | 'success' | 'info'; className?: string; children: ReactNode };

const variants = { error: '', success: 'note--ok', info: 'note--info' };
const icons = { error: CircleAlert, success: CircleCheck, info: Info };

/** Message about a whole form, announced as soon as it appears. */
export function Note({ tone, className, children }: NoteProps) {
  return (
    <div className={classNames('note', variants[tone], className)} role={tone === 'success' ? 'status' : 'alert'}>
      <Icon of={icons[tone]} size={18} />
      <span>{children}</span>
    </div>
  );
}
