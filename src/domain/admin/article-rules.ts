export const articleStates = ['published', 'scheduled', 'draft', 'deleted'] as const;
export type ArticleState = (typeof articleStates)[number];

export const articleSorts = ['changed', 'published', 'title'] as const;
export type ArticleSort = (typeof articleSorts)[number];

/** A deletion can be undone so long. */
export const restorableArticleDays = 30;

export const articleLengths = { title: 200, description: 600, body: 200_000, slug: 120 } as const;

/** Audios that one article links to. */
export const mostArticleAudios = 12;

export const topicLength = 60;
export const mostTopics = 30;
