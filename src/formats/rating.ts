/** “Restricted to Adults”: filters of parents know it. The same text on every site. */
export const ratingLabel = 'RTA-5042-1996-1400-1577-RTA';

const adultWork = /^(?:AudioObject|PodcastSeries|ProfilePage)$/;

/** schema.org for search engines, with `isFamilyFriendly` in each work for adults. */
export function withRating(facts: object): object {
  return JSON.parse(JSON.stringify(facts), (_name, part: Record<string, unknown> | null) =>
    adultWork.test(String(part?.['@type'])) ? { ...part, isFamilyFriendly: false } : part,
  ) as object;
}
