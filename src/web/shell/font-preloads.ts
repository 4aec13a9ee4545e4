import hanken from '../styles/fonts/hanken-grotesk-common.woff2?url';
import newsreader from '../styles/fonts/newsreader-common.woff2?url';

/** For the root’s `links`: the two font files used in the first view of every page. */
export const fontPreloads = [newsreader, hanken].map((href) => ({
  rel: 'preload' as const,
  as: 'font' as const,
  type: 'font/woff2',
  href,
  crossOrigin: 'anonymous' as const,
}));
