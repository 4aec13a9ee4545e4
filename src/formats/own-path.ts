/** A path of this site, never another site's address: browsers take a backslash for a slash. */
export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}

/** @param to as somebody sent it. @returns the front page for anything but a path of this site */
export function ownPath(to: string | null): string {
  return isOwnPath(to) && /^[^\s\\]{1,2001}$/.test(to) ? to : '/';
}

/** From the first slash of a run, or a long run would be read once for each of its slashes. */
export const withoutEndSlashes = (address: string) => address.replace(/(?<!\/)\/+$/, '');
