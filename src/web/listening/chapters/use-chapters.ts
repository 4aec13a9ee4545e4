import { useEffect, useState } from 'react';
import type { Chapter } from '#domain/catalogue/chapter-rules.ts';
import { loadChapters } from './load-chapters.ts';

type Loaded = { id: string; chapters: Chapter[] };

/** Empty until they are loaded. @param id of an audio; undefined: none are needed now */
export function useChapters(id: string | undefined): Chapter[] {
  const [loaded, setLoaded] = useState<Loaded>();
  const isThere = loaded?.id === id;
  useEffect(() => {
    if (id === undefined || isThere) return undefined;
    const request = new AbortController();
    async function load(audioId: string): Promise<void> {
      const chapters = await loadChapters(audioId, request.signal);
      if (!request.signal.aborted) setLoaded({ id: audioId, chapters });
    }
    void load(id);
    return () => request.abort();
  }, [id, isThere]);
  return loaded !== undefined && isThere ? loaded.chapters : none;
}

const none: Chapter[] = [];
