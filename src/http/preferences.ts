import type { Preferences } from '#web/context.ts';

/** The two cookies that pages read; anything unknown in them counts as absent. */
export function readPreferences(cookies: string): Preferences {
  const theme = /(?:^|;\s*)sotto_theme=(dark|light)(?:;|$)/.exec(cookies)?.[1];
  return {
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    discreet: /(?:^|;\s*)sotto_discreet=1(?:;|$)/.test(cookies),
  };
}
