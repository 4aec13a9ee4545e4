import { keepCookie } from './preference-cookie.ts';

export type Theme = 'system' | 'dark' | 'light';

export const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
];

/** Shows it at once and keeps it for a year; the server writes it into the next page (`<html data-theme>`), so that nothing flashes. */
export function keepTheme(theme: Theme): void {
  keepCookie('sotto_theme', theme === 'system' ? undefined : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
