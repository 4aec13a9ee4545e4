import type { ArticleCard, BlogPage } from '#domain/editorial/articles.ts';
import type { BlogQuery } from '#domain/editorial/rules.ts';

/** Spec §3, "Blog state". Sort, topics and the first page are the address's; what follows is asked for as one scrolls. */
export type BlogState = {
  query: BlogQuery;
  blogItems: ArticleCard[];
  /** The last one that is shown. */
  page: number;
  hasMore: boolean;
  /** What comes next takes the place of what is shown, instead of following it. */
  clearNext: boolean;
  /** Something is to be asked for. */
  shouldFetch: boolean;
  status: 'idle' | 'loading' | 'failed';
};

export type BlogAction =
  /** The address asks for another list, whose first page came with it. */
  | { type: 'asked'; query: BlogQuery; first: BlogPage }
  | { type: 'next-page' }
  | { type: 'loaded'; page: BlogPage }
  | { type: 'failed' };

export function startBlog(query: BlogQuery, first: BlogPage): BlogState {
  const { items: blogItems, page, hasMore } = first;
  return { query, blogItems, page, hasMore, clearNext: false, shouldFetch: false, status: 'idle' };
}

export function changeBlog(state: BlogState, action: BlogAction): BlogState {
  switch (action.type) {
    // Spec §4, "Blog": another sort or other topics begin again with page 0, and replace what is there.
    case 'asked':
      return showPage({ ...state, query: action.query, clearNext: true }, action.first);
    case 'next-page':
      if (!state.hasMore || state.status === 'loading') return state;
      return { ...state, shouldFetch: true, clearNext: false, status: 'loading' };
    case 'loaded':
      return state.shouldFetch ? showPage(state, action.page) : state;
    case 'failed':
      return state.shouldFetch ? { ...state, shouldFetch: false, status: 'failed' } : state;
  }
}

function showPage(state: BlogState, { items, page, hasMore }: BlogPage): BlogState {
  const before = state.clearNext ? [] : state.blogItems;
  const known = new Set(before.map(({ id }) => id));
  return {
    ...state,
    // An article that came out meanwhile moves the others on by one: the one that comes twice is shown once.
    blogItems: [...before, ...items.filter(({ id }) => !known.has(id))],
    page,
    hasMore,
    clearNext: false,
    shouldFetch: false,
    status: 'idle',
  };
}
