const year = 365 * 24 * 60 * 60;

/**
 * Cookie that the server needs to render the first page correctly; only the site reads it. Undefined deletes it, which
 * restores the default.
 */
export function keepCookie(name: string, value: string | undefined): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${value === undefined ? 0 : year}; SameSite=Lax${secure}`;
}
