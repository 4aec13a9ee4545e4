import hanken from '../styles/fonts/hanken-grotesk-common.woff2?url';
import newsreader from '../styles/fonts/newsreader-common.woff2?url';
import newsreaderLarge from '../styles/fonts/newsreader-large.woff2?url';

/** For the root’s `links`: the two font files used in the first view of every page. */
export const fontPreloads = [newsreader, hanken].map((href) => preload(href));

/** For the `links` of pages with a large title, whose font wide screens alone use (styles/base.css). */
export const largeTitlePreload = { ...preload(newsreaderLarge), media: '(min-width: 64em)' };

function preload(href: string) {
  return {
    rel: 'preload' as const,
    as: 'font' as const,
    type: 'font/woff2',
    href,
    crossOrigin: 'anonymous' as const,
  };
}
