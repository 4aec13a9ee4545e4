/** Facts that the page of a frame hands to its script. */
export type EmbedData = {
  parts: EmbedPart[];
  /** In the language of the page. */
  texts: {
    play: string;
    pause: string;
    /** With `{position}` and `{duration}`. */
    place: string;
    failed: string;
  };
};

/** An audio that everyone may hear. */
export type EmbedPart = {
  /** By which its plays count; null: they do not. */
  id: string | null;
  title: string;
  author: string;
  seconds: number;
  src: string;
  /** One base-36 digit for each bar of its waveform; null until it is measured. */
  bars: string | null;
};
