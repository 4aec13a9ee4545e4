import { useEffect, useEffectEvent } from 'react';
import type { Audio } from '#domain/catalogue/audios.ts';
import { apiFetch } from '#web/api.ts';
import { canKeepAudios } from '#web/listening/tab-downloads.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useAddDownloads } from './use-downloads.ts';

export type DownloadAllProps = {
  name: string;
  /** API path of the whole list. */
  list: string;
};

/** Maximum calls per press; enough for any list of the site. */
const mostPages = 60;

/** Downloads a list once, when it is rendered. */
export function DownloadAll({ name, list }: DownloadAllProps) {
  const add = useAddDownloads();
  const showToast = useToast();
  const start = useEffectEvent(async () => {
    if (!canKeepAudios()) return showToast({ text: 'This browser cannot store downloads.' });
    const all = await loadAll(list).catch(() => undefined);
    if (all === undefined) return showToast({ text: 'The list could not be loaded. Please try again.' });
    add(all, name);
  });
  useEffect(() => {
    const timer = setTimeout(() => void start());
    return () => clearTimeout(timer);
  }, []);
  return null;
}

async function loadAll(list: string): Promise<Audio[]> {
  const all: Audio[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const asked: URLSearchParams = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) });
    const answer = await apiFetch(`${list}?${asked}`);
    if (!answer.ok) throw new Error(`The list was answered with ${answer.status}`);
    const { items, nextCursor } = (await answer.json()) as { items: Audio[]; nextCursor: string | null };
    all.push(...items);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return all;
}
