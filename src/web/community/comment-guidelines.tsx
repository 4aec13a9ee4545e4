import type { LucideIcon } from 'lucide-react';
import Heart from 'lucide-react/icons/heart';
import MessageCircle from 'lucide-react/icons/message-circle';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/images/icon.tsx';

const guidelines: { icon: LucideIcon; text: string }[] = [
  { icon: Heart, text: 'Be warm. A person read this aloud for you.' },
  { icon: MessageCircle, text: 'Talk about the performance, not the performer’s body or private life.' },
  { icon: ShieldCheck, text: 'No slurs, threats, contact details or links. We remove them and may close the account.' },
];

export function CommentGuidelines({ className }: { className: string }) {
  return (
    <aside className={classNames('panel text-14 leading-[1.55] text-soft', className)} aria-label="Comment guidelines">
      <h3 className="font-ui text-18 font-semibold tracking-normal">Comment guidelines</h3>
      <ul>
        {guidelines.map(({ icon, text }) => (
          <li key={text} className="mt-3 flex gap-2.5">
            <Icon of={icon} size={18} className="mt-0.5 text-accent-text" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </aside>
  );
}
