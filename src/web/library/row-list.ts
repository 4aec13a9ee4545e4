import type { ContentSource } from '#domain/analytics/forms.ts';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';

/** Data shared by the rows of one list; a stable object, so that loading more re-renders no existing row. */
export type RowList = {
  source: ContentSource;
  name: string;
  /** All items loaded so far. */
  get: () => AudioRowItem[];
  /** In an own list: moves the audio by this many places. */
  onMove?: (id: string, by: 1 | -1) => void;
  onRemove?: (id: string) => void;
};
