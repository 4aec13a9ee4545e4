import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Bell from 'lucide-react/icons/bell';
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column';
import CreditCard from 'lucide-react/icons/credit-card';
import Database from 'lucide-react/icons/database';
import EyeOff from 'lucide-react/icons/eye-off';
import Gift from 'lucide-react/icons/gift';
import Languages from 'lucide-react/icons/languages';
import History from 'lucide-react/icons/history';
import LogOut from 'lucide-react/icons/log-out';
import Podcast from 'lucide-react/icons/podcast';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Smartphone from 'lucide-react/icons/smartphone';
import User from 'lucide-react/icons/user';
import { href, Link, useMatch } from 'react-router';
import { useIsOn } from '../../root-data.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/images/icon.tsx';
import { useSession } from '../session-provider.tsx';

/** The first one is shown at `/account` too. */
const parts = [
  { path: 'profile', label: () => t`Profile`, icon: User },
  { path: 'subscription', label: () => t`Subscription`, icon: CreditCard },
  { path: 'gift-cards', label: () => t`Gift cards`, icon: Gift },
  { path: 'notifications', label: () => t`News`, icon: Bell },
  { path: 'feeds', label: () => t`Podcast feeds`, icon: Podcast },
  { path: 'sessions', label: () => t`Sessions`, icon: MonitorSmartphone },
  { path: 'language', label: () => t`Language`, icon: Languages },
  { path: 'hidden', label: () => t`Hidden`, icon: EyeOff },
  { path: 'blocked', label: () => t`Blocked users`, icon: ShieldCheck },
  { path: 'analytics', label: () => t`Analytics`, icon: ChartNoAxesColumn },
  { path: 'data', label: () => t`Your data`, icon: Database },
];

/** Parts that were once sections of one page, under other names. */
const renamed: Record<string, string> = {
  invoices: 'subscription',
  'left-out': 'hidden',
  'hidden-tags': 'hidden',
  figures: 'analytics',
};

/** @param hash from an old link such as `/account#sessions` @returns the path of that part below `/account` */
export function partOfHash(hash: string): string | undefined {
  const name = hash.slice(1);
  const path = Object.hasOwn(renamed, name) ? renamed[name] : name;
  return parts.find((part) => part.path === path)?.path;
}

// A column; between phone and wide screens a scrolling row, which would clip the focus ring.
const bar = classNames(
  'mt-4 grid gap-0.5 max-lg:col-span-full max-lg:justify-self-stretch max-lg:[--ring:none] lg:mt-6 lg:w-full',
  'max-md:-mx-3.5 md:max-lg:mx-[calc(var(--gutter)*-1)] md:max-lg:flex md:max-lg:overflow-x-auto md:max-lg:px-(--gutter) md:max-lg:[scrollbar-width:none]',
);
const item = classNames(
  'flex min-h-12 items-center gap-3 rounded-cover px-3.5 font-medium text-soft hover:bg-surface max-md:min-h-13',
  'max-lg:focus-visible:outline-2 max-lg:focus-visible:-outline-offset-2 max-lg:focus-visible:outline-focus',
  'md:aria-[current]:bg-raised md:aria-[current]:font-semibold md:aria-[current]:text-text',
  'md:max-lg:min-h-11 md:max-lg:whitespace-nowrap md:max-lg:[&_.icon]:hidden',
);

/** The parts of the account, each its own page, and the log-out. */
export function AccountNav() {
  const { logOut, openModal } = useSession();
  const hasFeeds = useIsOn('privateFeeds');
  const hasNews = useIsOn('news');
  const shown = useMatch('/account/:part')?.params.part ?? parts[0]?.path;
  return (
    <nav className={bar} aria-label={t`Account`}>
      {parts
        .filter(({ path }) => hasFeeds || path !== 'feeds')
        .filter(({ path }) => hasNews || path !== 'notifications')
        .map(({ path, label, icon }) => (
          <Link
            key={path}
            className={item}
            to={href('/account/:id', { id: path })}
            aria-current={path === shown ? 'page' : undefined}
          >
            <Icon of={icon} />
            {label()}
          </Link>
        ))}
      <Link className={item} to={href('/account/history')}>
        <Icon of={History} />
        <Trans>Listening history</Trans>
      </Link>
      <button type="button" className={item} onClick={() => openModal('app')}>
        <Icon of={Smartphone} />
        <Trans>Download our app</Trans>
      </button>
      <button
        type="button"
        className={item}
        onClick={() => void import('../leave.ts').then(({ leave }) => leave(logOut), logOut)}
      >
        <Icon of={LogOut} />
        <Trans>Log out</Trans>
      </button>
    </nav>
  );
}
