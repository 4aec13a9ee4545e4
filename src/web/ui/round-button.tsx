import type { LucideIcon } from 'lucide-react';
import Play from 'lucide-react/icons/play';
import { classNames } from './class-names.ts';
import { Icon } from './images/icon.tsx';
import { type RenderedProps, rendered } from './rendered.ts';

type RoundButtonProps = RenderedProps & {
  /** Accessible name, such as `Play Bright Star`. */
  label: string;
  icon: LucideIcon;
  size?: 40 | 48 | 76;
  tone?: 'inverse' | 'accent' | 'quiet';
  busy?: boolean;
};

const tones = { inverse: '', accent: 'disc--accent', quiet: 'disc--quiet' };

/** Solid circle that plays and pauses. */
export function RoundButton({
  label,
  icon,
  size = 48,
  tone = 'inverse',
  busy = false,
  render,
  ...props
}: RoundButtonProps) {
  return rendered(
    render,
    {
      ...(busy && { 'aria-busy': true }),
      'aria-label': label,
      className: classNames('disc', size !== 48 && `disc--${size}`, tones[tone]),
      // A triangle looks centered only to the right of the middle.
      children: <Icon of={icon} filled={!busy} className={icon === Play ? 'ml-0.5' : ''} />,
    },
    props,
  );
}
