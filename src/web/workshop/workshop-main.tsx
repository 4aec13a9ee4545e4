import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useNextLocation } from '#web/use-pending-search.ts';
import { type PageOutline, PageSkeleton } from './page-skeleton.tsx';
import { useNoteOpened } from './session-end.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';

/** The page fades first (spec §9); slower loads show a skeleton. */
const fadeMs = 200;
const waitMs = 200;

type WorkshopMainProps = {
  /** Skeleton of the page at a path; undefined outside this area. */
  outlineOf: (pathname: string) => PageOutline | undefined;
  children: ReactNode;
};

/** Content of Studio and Admin: fades while the next page loads, and shows its skeleton when that takes long. */
export function WorkshopMain({ outlineOf, children }: WorkshopMainProps) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  useFocusAfterRemoval(main, pathname);
  useNoteOpened();
  const next = useNextLocation();
  const isLeaving = next !== undefined && next.pathname !== pathname;
  const isFiltering = next !== undefined && next.pathname === pathname;
  const isLong = useLongerThan(isLeaving ? fadeMs + waitMs : waitMs, isLeaving || isFiltering);
  const outline = isLeaving && isLong ? outlineOf(next.pathname) : undefined;
  return (
    // No focus ring: the skip link focuses all of `<main>`, and a ring around the whole page would not help.
    <main
      ref={main}
      id="main"
      tabIndex={-1}
      className="workshop__main fade focus-visible:[--ring:none]"
      data-leaving={(isLeaving && !outline) || undefined}
      data-waits={(isFiltering && isLong) || undefined}
      aria-busy={isLong || undefined}
    >
      {outline && <PageSkeleton {...outline} />}
      <div hidden={outline !== undefined}>{children}</div>
    </main>
  );
}

/** Whether something has lasted that long. */
function useLongerThan(milliseconds: number, isOn: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setLong(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isOn, milliseconds]);
  return isOn && isLong;
}
