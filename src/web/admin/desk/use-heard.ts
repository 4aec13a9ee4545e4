import { useEffect, useRef, useState } from 'react';

/** Parts of a recording that were played, in seconds. @returns how many seconds of it were heard, each once */
export function useHeard(position: number, isPlaying: boolean, duration: number): number {
  const heard = useRef(new Set<number>());
  const [seconds, setSeconds] = useState(0);
  const second = Math.floor(position);
  useEffect(() => {
    if (!isPlaying || heard.current.has(second)) return;
    heard.current.add(second);
    setSeconds(Math.min(heard.current.size, duration));
  }, [second, isPlaying, duration]);
  return seconds;
}
