import { mergeProps } from '@base-ui/react/merge-props';
import { useRender } from '@base-ui/react/use-render';
import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

type PillProps = useRender.ComponentProps<'button'> & {
  icon: LucideIcon;
  /** Tinted where something is under way. */
  tone?: 'quiet' | 'tinted';
};

/** The labelled play button of a row. */
export function Pill({ icon, tone = 'quiet', render, children, ...props }: PillProps) {
  return useRender({
    render,
    defaultTagName: 'button',
    props: mergeProps<'button'>(
      {
        ...(render === undefined && { type: 'button' }),
        className: classNames('pill', tone === 'tinted' && 'is-on'),
        children: (
          <>
            <Icon of={icon} size={16} filled />
            {children}
          </>
        ),
      },
      props,
    ),
  });
}
