import { mergeProps } from '@base-ui/react/merge-props';
import { useRender } from '@base-ui/react/use-render';
import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

type IconButtonProps = useRender.ComponentProps<'button'> & {
  /** Its accessible name; there is no other text. */
  label: string;
  icon: LucideIcon;
  iconSize?: 16 | 18 | 20 | 24;
  filled?: boolean;
  size?: 40 | 44;
  /** `on` is tinted: what it opens is open. */
  state?: 'off' | 'on';
};

/** Round and quiet, 40 or 44 px. Children stand beside the icon (the 15 of the seek buttons). */
export function IconButton({
  label,
  icon,
  iconSize = 20,
  filled = false,
  size = 44,
  state = 'off',
  render,
  children,
  ...props
}: IconButtonProps) {
  return useRender({
    render,
    defaultTagName: 'button',
    props: mergeProps<'button'>(
      {
        ...(render === undefined && { type: 'button' }),
        'aria-label': label,
        className: classNames('ib', size !== 44 && `ib--${size}`, state === 'on' && 'is-on'),
        children: (
          <>
            <Icon of={icon} size={iconSize} filled={filled} />
            {children}
          </>
        ),
      },
      props,
    ),
  });
}
