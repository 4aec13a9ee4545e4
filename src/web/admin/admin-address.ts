/**
 * Accepts only addresses of Admin's own pages, so that a link cannot lead to another site.
 * @returns the overview for all others
 */
export function adminAddress(wanted: string | null | undefined): string {
  const isOwn =
    wanted !== undefined &&
    wanted !== null &&
    wanted.length <= 500 &&
    /^\/admin(?:\/[\w/.-]*)?(?:\?[^\s\\#]*)?$/.test(wanted);
  return isOwn && !wanted.includes('//') && !wanted.startsWith('/admin/second-factor') ? wanted : '/admin';
}
