import { useEffect, useReducer, useRef } from 'react';
import { useLocation } from 'react-router';
import type { BlogPage } from '#domain/editorial/articles.ts';
import type { BlogQuery } from '#domain/editorial/rules.ts';
import { answerOf, api } from '#web/api.ts';
import type { BlogState } from './blog-state.ts';
import { changeBlog, startBlog } from './blog-state.ts';

/** Lists as they were left, by history entry, so that "back" finds its place in them again; the oldest go first. */
const left = new Map<string, BlogState>();
const mostLeft = 12;

/** The blog's list: the first page is the route's, the others are fetched, and stay when one comes back. */
export function useBlog(query: BlogQuery, first: BlogPage): { state: BlogState; nextPage: () => void } {
  const { key } = useLocation();
  const [state, dispatch] = useReducer(changeBlog, undefined, () => left.get(key) ?? startBlog(query, first));
  const shown = useRef(first);

  useEffect(() => {
    if (shown.current === first) return;
    shown.current = first;
    dispatch({ type: 'asked', query, first });
  }, [query, first]);

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
      if (left.size <= mostLeft) break;
      left.delete(oldest);
    }
  }, [key, first, state]);

  return { state, nextPage: () => dispatch({ type: 'next-page' }) };
}
