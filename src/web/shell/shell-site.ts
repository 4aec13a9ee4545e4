import type { Preferences } from '#domain/identity/preference-rules.ts';
import type { PageLook } from '#domain/look/open-look.ts';
import type { Theme } from './theme.ts';

/** Site data and display preferences for the shell, from the root loader. */
export type ShellSite = {
  siteName: string;
  theme: Theme;
  preferences: Preferences;
  /** Page without header and player, and with the footer’s bottom line only. */
  standalone: boolean;
  look?: PageLook;
};
