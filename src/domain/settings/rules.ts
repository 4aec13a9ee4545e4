/** Features that an operator can turn off. Off: the server refuses them, and pages do not offer them. */
export const features = [
  'signUp',
  'comments',
  'userPlaylists',
  'giftCards',
  'blog',
  'privateFeeds',
  'news',
  'embeds',
  'clips',
] as const;
export type Feature = (typeof features)[number];

/** Least and most of each limit for one person. */
export const limitBounds = {
  commentsPerHour: [1, 1000],
  reportsToHide: [1, 100],
  uploadsPerDay: [1, 100_000],
  uploadGigabytesPerDay: [1, 100_000],
  uploadHoursPerDay: [1, 100_000],
  feedDownloadsPerDay: [1, 10_000],
  feedNetworksPerDay: [2, 1000],
  unfinishedUploads: [1, 200],
} as const;

/** Characters of a word and of the help text, and words of each of the operators' lists. */
export const wordListLengths = { word: 60, help: 300, list: 500 } as const;
