import { t } from '@lingui/core/macro';

/** @param device as the site stores it, in English: `Chrome on Android`, `An app on Windows`, `Unknown device` */
export function deviceName(device: string): string {
  if (device === 'Unknown device') return t`Unknown device`;
  const [name = '', system] = device.split(' on ');
  const browser = name === 'An app' ? t`An app` : name;
  return system === undefined ? browser : t`${browser} on ${system}`;
}
