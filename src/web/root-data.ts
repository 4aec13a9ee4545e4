import { useRouteLoaderData } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Me } from '#domain/identity/accounts.ts';
import type { Preferences } from '#domain/identity/preference-rules.ts';
import type { BrowserIdentitySettings } from '#domain/identity/rules.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { QueueHead } from '#domain/library/saved-queue.ts';
import type { FavoriteIds } from '#domain/library/favorites.ts';
import type { PageLook } from '#domain/look/open-look.ts';
import type { Feature } from '#domain/settings/rules.ts';
import { type Language, type OfferedLanguages, prefixOf, sourceLanguage } from '#formats/languages.ts';
import { language } from '#i18n';
import type { Preferences as BrowserPreferences } from './context.ts';

/** Data for every page: the site, the user, and display preferences. */
export type RootData = {
  siteName: string;
  /** Origin, without a trailing slash. */
  siteUrl: string;
  appLinks: { ios?: string | undefined; android?: string | undefined };
  /** Absent: English alone. */
  languages?: OfferedLanguages;
  theme: BrowserPreferences['theme'];

  preferences: Preferences;
  /** The user’s time zone, once they have been in Studio or Admin. */
  timeZone?: string;
  viewer: Viewer;
  /** Null for visitors. */
  user: Me | null;
  /** Newest favorites of each type, for the hearts of the first render; null for visitors. */
  favorites: { ids: FavoriteIds; isWhole: boolean } | null;
  identity: BrowserIdentitySettings;
  /** Set when the user’s last charge failed; `usableUntil` is a formatted day, null when access has ended. */
  pastDue: { usableUntil: string | null } | null;
  /** The subscription is paused until this formatted day; absent: it is not. */
  pausedUntil?: string;
  /** Features that an operator turned off; absent: none. */
  off?: Feature[];
  /** The operator wants no label for filters. */
  isUnlabelled?: boolean;
  /** An operator sees the site as a visitor from this place; empty: from an unknown one. */
  seenAs?: string;
  /** Key of the v2 transport; null: plain JSON over v1. */
  transportKey: string | null;
  /** Free preview audio, shown by the player when it has nothing else. */
  preview: AudioItem | null;
  /** First audio of the saved queue, for the player’s first paint; null for visitors and empty queues. */
  queueHead: QueueHead | null;
  /** `standalone` in the address: no header, no player. */
  standalone: boolean;
  /** Names of the languages of audios that are not the page's, by primary subtag; absent: there are none. */
  languageNames?: Record<string, string>;
  /** The changed parts of the look; absent with the default look. */
  look?: PageLook;
};

/** Undefined only when the root loader failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root');
}

export function offeredBy(root: RootData | undefined): OfferedLanguages {
  return root?.languages ?? [sourceLanguage];
}

/** Languages that people may choose here; none when there is only one. */
export function useLanguages(): readonly Language[] {
  const offered = offeredBy(useRootData());
  return offered.length > 1 ? offered : [];
}

/** The beginning of addresses in the page's language. */
export function ownPrefix(root: RootData | undefined): string {
  return prefixOf(language(), offeredBy(root));
}

/** Whether the operator left the feature on. */
export function useIsOn(feature: Feature): boolean {
  return !useRootData()?.off?.includes(feature);
}
