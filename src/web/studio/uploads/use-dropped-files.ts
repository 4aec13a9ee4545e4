import { useEffect, useEffectEvent, useState } from 'react';

/** Accepts files dropped anywhere on the page. @returns whether files are held over it */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent(onFiles);
  useEffect(() => {
    // Entering a child leaves its parent.
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      setIsOver(depth > 0);
    };
    // Otherwise browsers open the file.
    const allow = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const take = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setIsOver(false);
      drop([...(event.dataTransfer?.files ?? [])]);
    };
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener('dragenter', enter, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('dragover', allow, { signal });
    addEventListener('drop', take, { signal });
    return () => stop.abort();
  }, []);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
