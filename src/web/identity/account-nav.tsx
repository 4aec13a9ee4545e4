import CreditCard from 'lucide-react/icons/credit-card';
import Database from 'lucide-react/icons/database';
import EyeOff from 'lucide-react/icons/eye-off';
import Gift from 'lucide-react/icons/gift';
import History from 'lucide-react/icons/history';
import LogOut from 'lucide-react/icons/log-out';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Smartphone from 'lucide-react/icons/smartphone';
import User from 'lucide-react/icons/user';
import { useSyncExternalStore } from 'react';
import { href, Link, useLocation } from 'react-router';
import { appEntries } from '../shell/app-entries.ts';
import { Icon } from '../ui/icon.tsx';
import { useSession } from './session-provider.tsx';

const parts = [
  { id: 'profile', label: 'Profile', icon: User },
  { id: 'subscription', label: 'Subscription', icon: CreditCard },
  { id: 'gift-cards', label: 'Gift cards', icon: Gift },
  { id: 'sessions', label: 'Sessions', icon: MonitorSmartphone },
  { id: 'blocked', label: 'Blocked users', icon: ShieldCheck },
  { id: 'left-out', label: 'Leave these out', icon: EyeOff },
  { id: 'data', label: 'Your data', icon: Database },
];

/** The parts of the account, which are one page, and the ways out of it. */
export function AccountNav({ appLinks }: { appLinks: Parameters<typeof appEntries>[0] }) {
  const { logOut } = useSession();
  const shown = useShownPart();
  return (
    <nav className="anav" aria-label="Account">
      {parts.map(({ id, label, icon }) => (
        <Link
          key={id}
          to={`#${id}`}
          replace
          aria-current={id === shown ? 'location' : undefined}
          onClick={() => document.getElementById(id)?.focus({ preventScroll: true })}
        >
          <Icon of={icon} />
          {label}
        </Link>
      ))}
      <Link to={href('/account/history')}>
        <Icon of={History} />
        Listening history
      </Link>
      {appEntries(appLinks).map(({ label, url }) => (
        <Link key={url} to={url} target="_blank" rel="noopener">
          <Icon of={Smartphone} />
          {label}
        </Link>
      ))}
      <button type="button" onClick={() => void logOut()}>
        <Icon of={LogOut} />
        Log out
      </button>
    </nav>
  );
}

/** The one that the address names, which the server is not told. */
function useShownPart(): string {
  const { hash } = useLocation();
  const isBrowser = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  const named = isBrowser ? hash.slice(1) : '';
  return parts.some(({ id }) => id === named) ? named : 'subscription';
}
