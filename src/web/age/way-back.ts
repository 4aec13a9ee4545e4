/** The page that somebody came from, by `?to=`: a path of this site. */
export function wayBack(url: string): string {
  const to = new URL(url).searchParams.get('to');
  return to !== null && /^\/(?![/\\])[^\s\\]{0,2000}$/.test(to) ? to : '/';
}
