import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Search from 'lucide-react/icons/search';
import { type ReactNode, useEffect, useRef } from 'react';
import { href, Link, useLocation } from 'react-router';
import type { Me } from '#domain/identity/accounts.ts';
import { formatCapped, formatCount } from '#formats/numbers.ts';
import { Avatar } from '../ui/images/avatar.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { followDetails } from '../ui/layers/open-layers.ts';
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
    <div className="workshop">
      <aside
        className="sticky top-0 flex h-screen flex-col overflow-auto px-3 pt-3.5 pb-3 [scrollbar-width:thin] max-lg:hidden print:hidden"
        aria-label={t`${area} side bar`}
      >
        <div className="mb-3 flex items-center gap-2 px-2">
          <Link
            className="logo pe-0 text-[1.625rem] [&>svg:first-child]:h-5.25 [&>svg:first-child]:w-7"
            to={href('/')}
            aria-label={t`${siteName}, home`}
          >
            <Logo siteName={siteName} />
          </Link>
          <b className="ms-auto text-13 text-muted">{area}</b>
        </div>
        {top}
        {/* The way back stays in sight; the fade shows that there are more links. */}
        <nav
          ref={list}
          className="relative -mx-3 min-h-40 flex-[0_1_auto] overflow-y-auto px-3 pt-0.5 pb-6 [mask-image:linear-gradient(to_bottom,#000_calc(100%-24px),transparent)] [scrollbar-width:thin]"
          aria-label={area}
        >
          <Groups groups={groups} current={current} />
        </nav>
        <div className="mt-auto pt-4 grid gap-0.5">
          <BackToListening />
          {user !== null && (
            <Link className={sideLink} to={href('/account')}>
              <Avatar name={user.icon ?? user.username} color={user.color} size={24} />
              <span className="truncate">{user.username ?? user.email}</span>
            </Link>
          )}
        </div>
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-(--z-header) flex h-15 items-center gap-1 border-b border-line bg-bg/95 pe-2 ps-4 [backdrop-filter:blur(14px)] lg:hidden">
          <Link
            className="logo me-0 min-w-11 p-0 [&>svg:first-child]:h-5.75 [&>svg:first-child]:w-7.5"
            to={href('/')}
            aria-label={t`${siteName}, home`}
          >
            <Logo siteName="" />
          </Link>
          {/* A new, closed one on each page. Works without script. */}
          <details className="group min-w-0 flex-1" ref={sheet} key={key}>
            <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 rounded-cover px-2.5 text-16 font-semibold [&::-webkit-details-marker]:hidden [&>.count]:ms-0.5">
              <span className="truncate">{current?.label ?? area}</span>
              <small className="min-w-0 shrink-[99] truncate text-14 font-medium">{area}</small>
              <Icon of={ChevronDown} size={16} className="group-open:rotate-180" />
              {waiting > 0 && <Waiting count={waiting} />}
            </summary>
            <nav
              className="absolute inset-x-0 top-15 max-h-[calc(100vh-60px)] overflow-auto rounded-[0_0_var(--r-4)_var(--r-4)] bg-raised px-3 pt-2 pb-5 [box-shadow:var(--sh-3),0_1px_0_var(--line)] [&_ul]:grid-cols-2 [&_ul]:gap-x-2"
              aria-label={t`${area}, all pages`}
            >
              {top}
              <Groups groups={groups} current={current} />
              <ul className="mt-3 grid gap-0.5 border-t border-line pt-3">
                <li>
                  <BackToListening />
                </li>
              </ul>
            </nav>
          </details>
          {findLabel !== undefined && <IconButton label={findLabel} icon={Search} onClick={find} />}
          {user !== null && (
            <Link className="icon-button" to={href('/account')} aria-label={t`Account`}>
              <Avatar name={user.icon ?? user.username} color={user.color} size={36} />
            </Link>
          )}
        </header>
        {children}
      </div>
    </div>
  );
}

const sideLink = classNames(
  'flex min-h-9 items-center gap-3 rounded-cover px-3 text-14 font-medium text-soft hover:bg-text/6 hover:text-text max-lg:min-h-11',
  'aria-[current]:bg-overlay aria-[current]:font-semibold aria-[current]:text-text',
  '[&_.icon]:text-muted aria-[current]:[&_.icon]:text-accent-text',
);

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
    <Link className={sideLink} to={href('/')}>
      <Icon of={ArrowLeft} size={18} />
      <Trans>Back to listening</Trans>
    </Link>
  );
}

function Groups({ groups, current }: { groups: SideGroup[]; current: SideLink | undefined }) {
  return groups.map(({ heading, links }) => (
    <div key={heading ?? ''}>
      {heading && (
        <h2 className="px-3 pt-4 pb-1.5 font-ui text-12 leading-none font-semibold tracking-normal text-muted">
          {heading}
        </h2>
      )}
      <ul className="grid gap-0.5">
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
      className={sideLink}
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

/** A count that waits for someone. */
export function Waiting({ count, isMore = false }: { count: number; isMore?: boolean | undefined }) {
  return (
    <span className="count bg-accent-soft text-accent-text">
      {formatCapped({ count, isMore })}
      <span className="sr-only">
        {' '}
        <Trans>waiting</Trans>
      </span>
    </span>
  );
}
