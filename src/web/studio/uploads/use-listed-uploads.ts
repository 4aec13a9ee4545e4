import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListedUpload } from '#domain/studio/uploads/uploads.ts';
import { answerOf, api } from '../../api.ts';
import { announce } from './local-uploads.ts';
import { failureTexts } from '../../workshop/upload-failure-texts.ts';

export const uploadsPerPage = 50;
const [quickMs, slowMs] = [2000, 10_000];
/** After that, the list is polled less often. */
const quickLooks = 60;

export type UploadList = { items: ListedUpload[]; nextCursor: string | null };

/**
 * The site's list of a voice's uploads; polled while one is in progress and the page is visible.
 * @param isAwaiting a file has just arrived and is not in the list yet
 */
export function useListedUploads(voiceId: string, first: UploadList, isAwaiting: boolean) {
  const [list, setList] = useState(first);
  const [shownFirst, setShownFirst] = useState(first);
  const [older, setOlder] = useState<UploadList | undefined>();
  const [failure, setFailure] = useState<string | undefined>();
  if (shownFirst !== first) {
    setShownFirst(first);
    setList(first);
    setOlder(undefined);
  }

  const latest = useRef(0);
  const before = useRef(first.items);
  const look = useCallback(async () => {
    const turn = (latest.current += 1);
    const answer = await answerOf(
      api.studio.voices[':id'].uploads.$get({ param: { id: voiceId }, query: { limit: String(uploadsPerPage) } }),
    );
    if (turn !== latest.current) return;
    if (answer.ok) {
      announceEnds(before.current, answer.data.items);
      before.current = answer.data.items;
      setList(answer.data);
    }
    setFailure(answer.ok || answer.code === 'network' ? undefined : answer.message);
  }, [voiceId]);

  const isBusy = isAwaiting || list.items.some(({ state }) => state === 'waiting' || state === 'processing');
  useEffect(() => {
    if (!isBusy) return undefined;
    let looks = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = new AbortController();
    async function lookAgain(): Promise<void> {
      looks += 1;
      await look();
      next();
    }
    function next(): void {
      clearTimeout(timer);
      if (document.hidden || stop.signal.aborted) return;
      timer = setTimeout(() => void lookAgain(), looks < quickLooks ? quickMs : slowMs);
    }
    next();
    document.addEventListener('visibilitychange', next, { signal: stop.signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [isBusy, look]);

  async function showOlder(): Promise<void> {
    const cursor = (older ?? list).nextCursor;
    if (cursor === null) return;
    const answer = await answerOf(
      api.studio.voices[':id'].uploads.$get({
        param: { id: voiceId },
        query: { limit: String(uploadsPerPage), cursor },
      }),
    );
    if (answer.ok)
      setOlder((before) => ({
        items: [...(before?.items ?? []), ...answer.data.items],
        nextCursor: answer.data.nextCursor,
      }));
    else setFailure(answer.message);
  }

  const known = new Set(list.items.map(({ id }) => id));
  return {
    items: [...list.items, ...(older?.items ?? []).filter(({ id }) => !known.has(id))],
    hasOlder: (older ?? list).nextCursor !== null,
    failure,
    look,
    showOlder,
  };
}

function announceEnds(before: ListedUpload[], after: ListedUpload[]): void {
  const states = new Map(before.map(({ id, state }) => [id, state]));
  for (const { id, state, title, fileName, failure } of after) {
    const former = states.get(id);
    if (former === undefined || former === state) continue;
    if (state === 'ready') announce(t`${title} is ready`);
    if (state === 'failed')
      announce(t`${fileName} was not processed. ${{ reason: failureTexts()[failure ?? 'failed'] }}`);
  }
}
