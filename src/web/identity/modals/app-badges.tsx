import { Trans } from '@lingui/react/macro';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import Play from 'lucide-react/icons/play';
import Smartphone from 'lucide-react/icons/smartphone';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/images/icon.tsx';
import type { AuthFlow } from '../auth-flow.ts';
import type { AccountSite } from './modal-props.ts';

type AppBadgesProps = { appLinks: AccountSite['appLinks']; authFlow: Pick<AuthFlow, 'goTo'> };

/** Two badges: a store's, or, without a store address, the way to install the site (product.md, "Download our app"). */
export function AppBadges({ appLinks: { ios, android }, authFlow }: AppBadgesProps) {
  return (
    <div className="mt-6 grid grid-cols-2 gap-3">
      {ios === undefined ? (
        <InstallBadge icon={Smartphone} onClick={() => authFlow.goTo('install-iphone')}>
          <Trans>
            <small>Install on</small> iPhone
          </Trans>
        </InstallBadge>
      ) : (
        <StoreBadge url={ios} icon={<Icon of={Smartphone} size={24} />}>
          <Trans>
            <small>Download on the</small> App Store
          </Trans>
        </StoreBadge>
      )}
      {android === undefined ? (
        <InstallBadge icon={MonitorSmartphone} onClick={() => authFlow.goTo('install')}>
          <Trans>
            <small>Install on</small> this device
          </Trans>
        </InstallBadge>
      ) : (
        <StoreBadge url={android} icon={<Icon of={Play} size={24} filled />}>
          <Trans>
            <small>Get it on</small> Google Play
          </Trans>
        </StoreBadge>
      )}
    </div>
  );
}

function StoreBadge({ url, icon, children }: { url: string; icon: ReactNode; children: ReactNode }) {
  return (
    <a className="badge" href={url} target="_blank" rel="noopener">
      {icon}
      <span>{children}</span>
    </a>
  );
}

type InstallBadgeProps = { icon: LucideIcon; onClick: () => void; children: ReactNode };

function InstallBadge({ icon, onClick, children }: InstallBadgeProps) {
  return (
    <button type="button" className="badge" onClick={onClick}>
      <Icon of={icon} size={24} />
      <span>{children}</span>
    </button>
  );
}
