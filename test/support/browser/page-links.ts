/** Links of a page within the site, in their order, as a crawler reads them: without fragments. */
export function linksOf(html: string): { address: string; isFollowed: boolean }[] {
  return [...html.matchAll(/<a\b[^>]*>/g)].flatMap(([tag]) => {
    const [, address] = /\shref="(\/[^"#]*)/.exec(tag) ?? [];
    const isFollowed = !/\srel="[^"]*\bnofollow\b/.test(tag);
    return address === undefined ? [] : [{ address: address.replaceAll('&amp;', '&'), isFollowed }];
  });
}
