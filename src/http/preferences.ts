import type { Preferences } from '#web/context.ts';

/**
 * The two cookies that pages read; unknown values count as absent. Dark is the default, because most people listen at
 * night.
 */
export function readPreferences(cookies: string): Preferences {
  const theme = /(?:^|;\s*)sotto_theme=(system|light)(?:;|$)/.exec(cookies)?.[1];
  return {
    theme: theme === 'system' || theme === 'light' ? theme : 'dark',
    discreet: /(?:^|;\s*)sotto_discreet=1(?:;|$)/.test(cookies),
  };
}
