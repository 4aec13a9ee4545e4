import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';
import { Icon } from './images/icon.tsx';
import { type RenderedProps, rendered } from './rendered.ts';

type IconButtonProps = RenderedProps & {
  /** Accessible name; the button has no other text. */
  label: string;
  icon: LucideIcon;
  iconSize?: 16 | 18 | 20 | 24;
  filled?: boolean;
  size?: 40 | 44;
};

/** Round icon button, 40 or 44 px. Children appear next to the icon (the 15 of the seek buttons). */
export function IconButton({
  label,
  icon,
  iconSize = 20,
  filled = false,
  size = 44,
  render,
  children,
  ...props
}: IconButtonProps) {
  return rendered(
    render,
    {
      'aria-label': label,
      className: classNames('icon-button', size !== 44 && `icon-button--${size}`),
      children: (
        <>
          <Icon of={icon} size={iconSize} filled={filled} />
          {children}
        </>
      ),
    },
    props,
  );
}
