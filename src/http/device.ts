import Bowser from 'bowser';

/** Name of a session's device, such as `Chrome on Android` or `Safari on iPad`. Only this name is stored. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return 'Unknown device';
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, 400));
  const name = browser.name || 'An app';
  // Only Apple's phones and tablets state their model in the header.
  const device = platform.vendor === 'Apple' && platform.model ? platform.model : os.name;
  return (device ? `${name} on ${device}` : name).slice(0, 80);
}
