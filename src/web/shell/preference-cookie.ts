const year = 365 * 24 * 60 * 60;

/** For what the server must know to write the first page right; read by the site only. Nothing kept: the default holds. */
export function keepCookie(name: string, value: string | undefined): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${value === undefined ? 0 : year}; SameSite=Lax${secure}`;
}
