import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './images/icon.tsx';

type StageProps = {
  icon: LucideIcon;
  tone?: 'plain' | 'good' | 'bad';
  title: string;
  text: ReactNode;
  /** Read out when it appears. */
  announced?: 'status' | 'alert';
  children: ReactNode;
};

/** A page that says how something stands; its route brings `styles/age.css`. */
export function Stage({ icon, tone = 'plain', title, text, announced, children }: StageProps) {
  return (
    <section className="stage" role={announced}>
      <span className="stage__disc" data-tone={tone}>
        <Icon of={icon} size={28} />
      </span>
      <h1 tabIndex={-1}>{title}</h1>
      <p className="stage__text">{text}</p>
      {children}
    </section>
  );
}
