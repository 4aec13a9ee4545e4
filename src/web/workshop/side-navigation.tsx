import type { LucideIcon } from 'lucide-react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Search from 'lucide-react/icons/search';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { href, Link, useLocation } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import { formatCapped, formatCount } from '#formats/numbers.ts';
import { Avatar } from '../ui/images/avatar.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { followDetails } from '../ui/follow-details.ts';
import { Icon } from '../ui/images/icon.tsx';
import { isComposing } from '../ui/fields/is-composing.ts';
import { Logo } from '../ui/images/logo.tsx';
import { storeTimeZone } from './local-time.tsx';

export type SideLink = {
  label: string;
  to: string;
  icon: LucideIcon;
  count?: number;
  /** There are more than `count`. */
  isMore?: boolean;
  /** Work in progress on that page, such as `2 uploads, 43%`. */
  note?: string | undefined;
  /** The count waits for someone. */
  isWaiting?: boolean;
};

export type SideGroup = { heading?: string; links: SideLink[] };

type SideNavigationProps = {
  siteName: string;
  /** `Studio` or `Admin`. */
  area: string;
  /** Above the links: the voice switcher, or the search field. */
  top?: ReactNode;
  /** The bar's button that leads to the search field in `top`. */
  findLabel?: string;
  groups: SideGroup[];
  user: Me | null;
  children: ReactNode;
};

/** Layout of Studio and Admin: navigation at the side, or under 1024 px in a sheet below a bar. */
export function SideNavigation({ siteName, area, top, findLabel, groups, user, children }: SideNavigationProps) {
  const { pathname, key } = useLocation();
  const links = groups.flatMap((group) => group.links);
  // The longest address that contains the page, so that the start page is not marked on all pages.
  const current = links
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
  useEffect(storeTimeZone, []);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // The links scroll separately; on a low window the last ones are out of view.
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    const bottom = link === null || link === undefined ? 0 : link.offsetTop + link.offsetHeight;
    if (list.current !== null && bottom > list.current.scrollTop + list.current.clientHeight)
      list.current.scrollTop = bottom - list.current.clientHeight / 2;
  }, [pathname]);
  const sheet = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeByEscape(sheet.current), [key]);
  useEffect(() => (sheet.current === null ? undefined : followDetails(sheet.current)), [key]);
  const waiting = links.reduce((sum, { isWaiting, count = 0 }) => sum + (isWaiting ? count : 0), 0);

  function find(): void {
    if (sheet.current === null) return;
    sheet.current.open = true;
    sheet.current.querySelector<HTMLInputElement>('input[type=search]')?.focus();
  }

  return (
    <div className="wk">
      <aside className="side" aria-label={`${area} side bar`}>
        <div className="side__top">
          <Link className="logo" to={href('/')} aria-label={`${siteName}, home`}>
            <Logo siteName={siteName} />
          </Link>
          <b>{area}</b>
        </div>
        {top}
        <nav ref={list} aria-label={area}>
          <Groups groups={groups} current={current} />
        </nav>
        <div className="mt-auto pt-4 grid gap-0.5">
          <BackToListening />
          {user !== null && (
            <Link className="side__l" to={href('/account')}>
              <Avatar name={user.icon ?? user.username} color={user.color} size={24} />
              <span className="truncate">{user.username ?? user.email}</span>
            </Link>
          )}
        </div>
      </aside>
      <div className="min-w-0">
        <header className="wbar">
          <Link className="logo" to={href('/')} aria-label={`${siteName}, home`}>
            <Logo siteName="" />
          </Link>
          {/* A new, closed one on each page. Works without script. */}
          <details className="wnav" ref={sheet} key={key}>
            <summary>
              <span className="truncate">{current?.label ?? area}</span>
              <small>{area}</small>
              <Icon of={ChevronDown} size={16} />
              {waiting > 0 && <Waiting count={waiting} />}
            </summary>
            <nav className="wnav__s" aria-label={`${area}, all pages`}>
              {top}
              <Groups groups={groups} current={current} />
              <ul className="mt-3 border-t border-line pt-3">
                <li>
                  <BackToListening />
                </li>
              </ul>
            </nav>
          </details>
          {findLabel !== undefined && <IconButton label={findLabel} icon={Search} onClick={find} />}
          {user !== null && (
            <Link className="ib" to={href('/account')} aria-label="Account">
              <Avatar name={user.icon ?? user.username} color={user.color} size={36} />
            </Link>
          )}
        </header>
        {children}
      </div>
    </div>
  );
}

/** @returns stops it */
function closeByEscape(sheet: HTMLDetailsElement | null): (() => void) | undefined {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event) || !sheet?.open) return;
    sheet.open = false;
    sheet.querySelector('summary')?.focus();
  };
  sheet?.addEventListener('keydown', onKeyDown);
  return () => sheet?.removeEventListener('keydown', onKeyDown);
}

function BackToListening() {
  return (
    <Link className="side__l" to={href('/')}>
      <Icon of={ArrowLeft} size={18} />
      Back to listening
    </Link>
  );
}

function Groups({ groups, current }: { groups: SideGroup[]; current: SideLink | undefined }) {
  return groups.map(({ heading, links }) => (
    <div key={heading ?? ''}>
      {heading && <h2>{heading}</h2>}
      <ul>
        {links.map((link) => (
          <li key={link.to}>
            <SideItem link={link} isCurrent={link === current} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

function SideItem({ link, isCurrent }: { link: SideLink; isCurrent: boolean }) {
  const { pathname } = useLocation();
  return (
    <Link
      className="side__l"
      to={link.to}
      aria-current={isCurrent ? (pathname === link.to ? 'page' : 'true') : undefined}
    >
      <Icon of={link.icon} size={18} />
      {link.label}
      {link.note !== undefined && <span className="count">{link.note}</span>}
      {link.count !== undefined &&
        (link.isWaiting ? (
          link.count > 0 && <Waiting count={link.count} isMore={link.isMore} />
        ) : (
          <span className="count">{formatCount(link.count)}</span>
        ))}
    </Link>
  );
}

function Waiting({ count, isMore = false }: { count: number; isMore?: boolean | undefined }) {
  return (
    <span className="count bg-accent-soft text-accent-text">
      {formatCapped({ count, isMore })}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
