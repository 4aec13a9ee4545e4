import { commentOrderOf } from '#domain/catalogue/rules.ts';
import { listeningOfCookies } from '#domain/identity/listening-rules.ts';
import { forPreferences, preferenceSwitches } from '#domain/identity/preference-rules.ts';
import { isLanguage } from '#formats/languages.ts';
import { isTimeZone } from '#formats/zones.ts';
import type { Preferences } from '#web/context.ts';

const isOn = forPreferences((name) => new RegExp(`(?:^|;\\s*)${preferenceSwitches[name]}=1(?:;|$)`));

/**
 * Cookies that all pages read; unknown values count as absent. Dark is the default, because most people listen at
 * night.
 */
export function readPreferences(cookies: string): Preferences {
  const theme = /(?:^|;\s*)sotto_theme=(system|light)(?:;|$)/.exec(cookies)?.[1];
  const language = /(?:^|;\s*)sotto_language=([a-z]{2})(?:;|$)/.exec(cookies)?.[1];
  const listening = listeningOfCookies(cookies);
  const commentOrder = commentOrderOf(cookies);
  return {
    ...(isLanguage(language) && { language }),
    ...(listening.listensTo && { listening }),
    ...(commentOrder && { commentOrder }),
    theme: theme === 'system' || theme === 'light' ? theme : 'dark',
    ...forPreferences((name) => isOn[name].test(cookies)),
  };
}

/**
 * The zone of the browser, which it stored in Studio or Admin. Only for users: visitors share their pages. Undefined when
 * this server does not know it.
 */
export function readTimeZone(cookies: string): string | undefined {
  const zone = /(?:^|;\s*)sotto_zone=([A-Za-z][\w+/-]{1,63})(?:;|$)/.exec(cookies)?.[1];
  return zone !== undefined && isTimeZone(zone) ? zone : undefined;
}
