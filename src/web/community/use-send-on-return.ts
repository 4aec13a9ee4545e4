import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * For a comment that could not be sent because the session had ended.
 * @param box contains the form, which may be gone until the page is the user’s again
 * @returns sends what the form holds, as soon as it is there
 */
export function useSendOnReturn(box: RefObject<HTMLElement | null>, isThere: boolean): () => void {
  const [requests, setRequests] = useState(0);
  const sent = useRef(0);
  useEffect(() => {
    if (!isThere || sent.current === requests) return;
    sent.current = requests;
    box.current?.querySelector('form')?.requestSubmit();
  }, [box, requests, isThere]);
  return () => setRequests((before) => before + 1);
}
