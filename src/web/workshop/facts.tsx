import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Instant, formatDate } from '#formats/times.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/images/icon.tsx';

/** Names and values in two columns. @param children facts */
export function Facts({ className, children }: { className?: string; children: ReactNode }) {
  return <dl className={classNames('facts', className)}>{children}</dl>;
}

type FactProps = { name: string; className?: string; children: ReactNode };

export function Fact({ name, className = 'tabular-nums', children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </>
  );
}

export type Moment = {
  key?: string;
  icon: LucideIcon;
  tone?: 'tone-ok' | 'tone-bad' | 'tone-accent' | undefined;
  title: ReactNode;
  at: Instant;
  /** In place of the date. */
  time?: ReactNode;
  note?: ReactNode;
};

/** Events, newest first. */
export function Timeline({ label, moments }: { label?: string; moments: Moment[] }) {
  return (
    <ol className="timeline" aria-label={label}>
      {moments.map(({ icon, tone, title, at, time, note, key = String(title) }) => (
        <li key={key}>
          <span className={classNames('timeline__icon', tone)}>
            <Icon of={icon} size={16} />
          </span>
          <b>{title}</b>
          {time ?? <time dateTime={new Date(at).toISOString()}>{formatDate(at)}</time>}
          {note !== undefined && <small>{note}</small>}
        </li>
      ))}
    </ol>
  );
}
