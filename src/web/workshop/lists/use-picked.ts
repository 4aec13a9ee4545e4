import { useState } from 'react';

export type Picked = {
  ids: ReadonlySet<string>;
  pick: (id: string, isPicked: boolean) => void;
  pickAll: (isPicked: boolean) => void;
  clear: () => void;
};

/** Rows selected for a bulk act. Only rows of the current page count. @param shown ids of its rows */
export function usePicked(shown: string[]): Picked {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  return {
    ids: new Set(shown.filter((id) => picked.has(id))),
    pick: (id, isPicked) =>
      setPicked((before) => {
        const after = new Set(before);
        if (isPicked) after.add(id);
        else after.delete(id);
        return after;
      }),
    pickAll: (isPicked) => setPicked(new Set(isPicked ? shown : [])),
    clear: () => setPicked(new Set()),
  };
}
