/** What the player knows of an audio. Spec §3; `source` is the list it was played from ("queue" when added by hand). */
export type Track = {
  id: string;
  slug: string;
  title: string;
  imageUrl: string | null;
  audioFileUrl: string;
  /** Seconds, as the catalogue has it; the loaded file may tell it more exactly. */
  numberDuration: number;
  color: string | null;
  isFree: boolean;
  voice: { id: string; name: string; slug: string };
  source: string;
};
