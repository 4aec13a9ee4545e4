import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '#web/ui/images/icon.tsx';

type BannerProps = { icon: LucideIcon; tone?: 'bad'; title: ReactNode; children: ReactNode };

/** State of the whole page. */
export function Banner({ icon, tone, title, children }: BannerProps) {
  return (
    <div className="banner" data-tone={tone}>
      <span className="banner__icon">
        <Icon of={icon} size={20} />
      </span>
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
    </div>
  );
}
