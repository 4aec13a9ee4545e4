import type { ShellSite } from './shell.tsx';

/** What a menu says of the site's apps; nothing where it has none. */
export function appEntries({ ios, android }: ShellSite['appLinks']): { label: string; url: string }[] {
  const label = 'Download our app';
  if (ios && android) {
    return [
      { label: `${label} for iPhone`, url: ios },
      { label: `${label} for Android`, url: android },
    ];
  }
  const url = ios ?? android;
  return url ? [{ label, url }] : [];
}
