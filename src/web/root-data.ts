import { useRouteLoaderData } from 'react-router';
import type { Audio } from '#domain/catalogue/audios.ts';
import type { Me } from '#domain/identity/accounts.ts';
import type { BrowserIdentitySettings, Viewer } from '#domain/identity/rules.ts';
import type { Preferences } from './context.ts';

/** What every page is told about the site, the one who looks at it, and how they like it shown. */
export type RootData = {
  siteName: string;
  /** Origin, without a trailing slash. */
  siteUrl: string;
  appLinks: { ios?: string | undefined; android?: string | undefined };
  theme: Preferences['theme'];
  discreet: boolean;
  viewer: Viewer;
  /** Absent for visitors. */
  user: Me | null;
  identity: BrowserIdentitySettings;
  /** The last charge to this user has failed; `usableUntil` is a day in words, while there is any time left. */
  pastDue: { usableUntil: string | null } | null;
  /** Of the v2 transport; null: plain JSON by v1. */
  transportKey: string | null;
  /** The audio that anyone may hear; the player shows it where nothing else is. */
  preview: Audio | null;
  /** The address asks for the page alone: no header, no player. */
  standalone: boolean;
};

/** Absent only where the site itself could not be asked. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root');
}
