import Bowser from 'bowser';

/** What a user recognises a session by, such as `Chrome on Android`; nothing more of the header is kept. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 400));
  const name = browser.name || 'An app';
  return (os.name ? `${name} on ${os.name}` : name).slice(0, 80);
}
