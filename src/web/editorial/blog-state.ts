import type { ArticleCard, BlogPage } from '#domain/editorial/articles.ts';
import type { BlogQuery } from '#domain/editorial/rules.ts';

/** Spec §3, “Blog state”. Order, topics and the first page come from the address; further pages load on scroll. */
export type BlogState = {
  query: BlogQuery;
  blogItems: ArticleCard[];
  /** Last page shown. */
  page: number;
  hasMore: boolean;
  /** The next page replaces the list instead of extending it. */
  clearNext: boolean;
  /** A page has to be loaded. */
  shouldFetch: boolean;
  status: 'idle' | 'loading' | 'failed';
};

export type BlogAction =
  /** The address changed to another list; its first page came with it. */
  | { type: 'asked'; query: BlogQuery; first: BlogPage }
  /** Back at a list with more pages loaded, or the same list again. */
  | { type: 'restored'; state: BlogState }
  | { type: 'next-page' }
  | { type: 'loaded'; page: BlogPage }
  | { type: 'failed' };

export function startBlog(query: BlogQuery, first: BlogPage): BlogState {
  const { items: blogItems, page, hasMore } = first;
  return { query, blogItems, page, hasMore, clearNext: false, shouldFetch: false, status: 'idle' };
}

export function changeBlog(state: BlogState, action: BlogAction): BlogState {
  switch (action.type) {
    // Spec §4, “Blog”: a new order or new topics start at page 0 and replace the list.
    case 'asked':
      return showPage({ ...state, query: action.query, clearNext: true }, action.first);
    case 'restored':
      return action.state;
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
    // A newly published article shifts the others, so the last one may come again: shown once.
    blogItems: [...before, ...items.filter(({ id }) => !known.has(id))],
    page,
    hasMore,
    clearNext: false,
    shouldFetch: false,
    status: 'idle',
  };
}
