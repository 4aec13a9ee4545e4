import type { LucideIcon } from 'lucide-react';
import { Icon } from './images/icon.tsx';
import { type RenderedProps, rendered } from './rendered.ts';

type PillProps = RenderedProps & {
  icon: LucideIcon;
  /** `tinted` while the audio is in progress. */
  tone?: 'quiet' | 'tinted';
};

/** Labeled play button of a row. */
export function Pill({ icon, tone = 'quiet', render, children, ...props }: PillProps) {
  return rendered(
    render,
    {
      'data-tone': tone,
      className: 'pill',
      children: (
        <>
          <Icon of={icon} size={16} filled />
          {children}
        </>
      ),
    },
    props,
  );
}
