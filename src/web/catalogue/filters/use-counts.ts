import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { apiFetch } from '../../api.ts';
import { useSession } from '../../identity/session-provider.tsx';
import { filterNames } from '#domain/catalogue/filters/rules.ts';
import type { FilterChoices } from '#domain/catalogue/filters/shapes.ts';

/**
 * The choices of a list with their counts: the loader's, which a filtered list has; else they are loaded. The last ones
 * stay until the next are there.
 */
export function useCounts(loaded: FilterChoices | undefined, place: string, from = 'audios') {
  const { search } = useLocation();
  const { user } = useSession();
  const [own, setOwn] = useState<FilterChoices>();
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState<string>();
  const query = new URLSearchParams(place);
  for (const [name, value] of new URLSearchParams(search))
    if (name === 'languages' || filterNames.some((one) => one === name)) query.append(name, value);
  const path = `/v1/api/${from}/filters?${query}`;
  const isLoaded = loaded !== undefined;
  const attempt = `${path} ${tries}`;
  useEffect(() => {
    if (isLoaded) return;
    const controller = new AbortController();
    const { signal } = controller;
    (async () => {
      const answer = await apiFetch(path, { signal });
      if (!answer.ok) throw new Error(`The filters were answered with ${answer.status}`);
      setOwn((await answer.json()) as FilterChoices);
    })().catch(() => signal.aborted || setFailed(attempt));
    return () => controller.abort();
  }, [path, isLoaded, user?.id, attempt]);
  return { counts: loaded ?? own, hasFailed: failed === attempt, retry: () => setTries(tries + 1) };
}
