/** Features that an operator can turn off. Off: the server refuses them, and pages do not offer them. */
export const features = ['signUp', 'comments', 'userPlaylists', 'giftCards', 'blog', 'privateFeeds', 'news'] as const;
export type Feature = (typeof features)[number];
