import { useEffect, useReducer, useRef } from 'react';
import { useLocation } from 'react-router';
import type { BlogPage } from '#domain/editorial/articles.ts';
import type { BlogQuery } from '#domain/editorial/rules.ts';
import { answerOf, api } from '#web/api.ts';
import type { BlogState } from './blog-state.ts';
import { changeBlog, startBlog } from './blog-state.ts';

/**
 * Lists as they were when their page was left, by history entry, so that Back restores the scroll position; the oldest
 * are dropped.
 */
const left = new Map<string, BlogState>();
const maxLists = 12;

/** The blog’s list: the route loads the first page, this hook the others, which survive leaving and coming back. */
export function useBlog(query: BlogQuery, first: BlogPage): { state: BlogState; nextPage: () => void } {
  const { key } = useLocation();
  const [state, dispatch] = useReducer(changeBlog, undefined, () => left.get(key) ?? startBlog(query, first));
  const shown = useRef(first);

  useEffect(() => {
    if (shown.current === first) return;
    shown.current = first;
    const known = left.get(key);
    if (known !== undefined && isStill(known, first)) dispatch({ type: 'restored', state: known });
    else dispatch({ type: 'asked', query, first });
  }, [key, query, first]);

  const { shouldFetch, page } = state;
  useEffect(() => {
    if (!shouldFetch) return;
    const controller = new AbortController();
    const { sortBy, topics } = state.query;
    const asked = { sortBy, topics: topics.join(','), page: String(page + 1) };
    void answerOf(api.blog.$get({ query: asked }, { init: { signal: controller.signal } })).then((answer) => {
      if (controller.signal.aborted) return;
      dispatch(answer.ok ? { type: 'loaded', page: answer.data } : { type: 'failed' });
    });
    return () => controller.abort();
  }, [shouldFetch, page, state.query]);

  useEffect(() => {
    if (state.status !== 'idle' || shown.current !== first) return;
    left.delete(key);
    left.set(key, state);
    for (const oldest of left.keys()) {
      if (left.size <= maxLists) break;
      left.delete(oldest);
    }
  }, [key, first, state]);

  return { state, nextPage: () => dispatch({ type: 'next-page' }) };
}

/** Whether the saved list starts with the freshly loaded first page. */
function isStill({ blogItems }: BlogState, first: BlogPage): boolean {
  return first.items.every(({ id }, index) => blogItems[index]?.id === id);
}
