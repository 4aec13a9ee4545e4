import type { LucideIcon } from 'lucide-react';
import { classNames } from '../class-names.ts';

type IconProps = {
  of: LucideIcon;
  size?: 16 | 18 | 20 | 24 | 28;
  filled?: boolean;
  className?: string;
};

/** Decorative: the surrounding control has the name. */
export function Icon({ of: Drawing, size = 20, filled = false, className }: IconProps) {
  return <Drawing aria-hidden="true" size={size} className={classNames('icon', filled && 'icon--filled', className)} />;
}
