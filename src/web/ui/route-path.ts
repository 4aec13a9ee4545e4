import { language } from '#i18n';

/** In the browser: the path of an address of this page’s language without its prefix, as `useLocation` has it. */
export function routePath(pathname: string): string {
  const prefix = `/${language()}/`;
  return `${pathname}/`.startsWith(prefix) ? pathname.slice(prefix.length - 1) || '/' : pathname;
}
