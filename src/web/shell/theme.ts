import { t } from '@lingui/core/macro';
import { keepCookie } from '../identity/preference-cookie.ts';

export type Theme = 'system' | 'dark' | 'light';

export const themes = (): { value: Theme; label: string }[] => [
  { value: 'dark', label: t({ message: 'Dark', context: 'theme' }) },
  { value: 'system', label: t({ message: 'System', context: 'theme' }) },
  { value: 'light', label: t({ message: 'Light', context: 'theme' }) },
];

/**
 * Applies the theme at once and saves it for a year; the server renders it into the next page (`<html data-theme>`) to
 * avoid a flash.
 */
export function keepTheme(theme: Theme): void {
  keepCookie('sotto_theme', theme === 'dark' ? undefined : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
