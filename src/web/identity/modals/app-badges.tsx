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
        <InstallBadge icon={Smartphone} name="iPhone" onClick={() => authFlow.goTo('install-iphone')} />
      ) : (
        <StoreBadge url={ios} icon={<Icon of={Smartphone} size={24} />} line="Download on the" name="App Store" />
      )}
      {android === undefined ? (
        <InstallBadge icon={MonitorSmartphone} name="this device" onClick={() => authFlow.goTo('install')} />
      ) : (
        <StoreBadge url={android} icon={<Icon of={Play} size={24} filled />} line="Get it on" name="Google Play" />
      )}
    </div>
  );
}

function StoreBadge({ url, icon, line, name }: { url: string; icon: ReactNode; line: string; name: string }) {
  return (
    <a className="badge" href={url} target="_blank" rel="noopener">
      {icon}
      <span>
        <small>{line}</small>
        {name}
      </span>
    </a>
  );
}

function InstallBadge({ icon, name, onClick }: { icon: LucideIcon; name: string; onClick: () => void }) {
  return (
    <button type="button" className="badge" onClick={onClick}>
      <Icon of={icon} size={24} />
      <span>
        <small>Install on</small>
        {name}
      </span>
    </button>
  );
}
