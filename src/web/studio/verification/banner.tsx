import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '#web/ui/images/icon.tsx';

type BannerProps = { icon: LucideIcon; tone?: 'bad' | 'quiet'; title: ReactNode; children: ReactNode; act?: ReactNode };

/** State of the whole page. */
export function Banner({ icon, tone, title, children, act }: BannerProps) {
  return (
    <div className="banner" data-tone={tone}>
      <span className="banner__icon">
        <Icon of={icon} size={20} />
      </span>
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
      {act && <div className="max-md:col-span-full max-md:mt-2.5">{act}</div>}
    </div>
  );
}
