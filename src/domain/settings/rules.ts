/** Parts of the site that an operator can turn off. Off: the server refuses, and pages do not offer it. */
export const features = ['signUp', 'comments', 'userPlaylists', 'giftCards', 'blog', 'privateFeeds', 'news'] as const;
export type Feature = (typeof features)[number];
