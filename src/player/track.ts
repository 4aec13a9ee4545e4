/** An audio in the player (spec §3). `source` is the list it was played from ("queue" when added by hand). */
export type Track = {
  id: string;
  slug: string;
  title: string;
  /** BCP 47; absent in what browsers kept before there were languages. */
  language?: string | undefined;
  imageUrl: string | null;
  audioFileUrl: string;
  /** Seconds, from the catalogue; the loaded file may be more exact. */
  numberDuration: number;
  color: string | null;
  isFree: boolean;
  voice: { id: string; name: string; slug: string; linkedSeries?: { slug: string } | null };
  source: string;
};
