/** An audio that was heard or is a favorite, as the account's history and the list of this device have it. */
export type HeardAudio = {
  /** Null until it has one. */
  number: number | null;
  id: string;
  title: string;
  language: string;
  /** Slugs. */
  tags: readonly string[];
  /** Heard last, or made a favorite. */
  at: string;
  /** 0 for a favorite that was never heard. */
  listens: number;
  isFinished: boolean;
  isFavorite: boolean;
};

/** Why an audio counts, the strongest first. */
export type HeardKind = 'favorite' | 'often' | 'finished' | 'played';

const often = 3;
const weights: Record<HeardKind, number> = { favorite: 1.5, often: 1.5, finished: 1, played: 0.5 };
/** After so many others, an audio counts half. */
const halfAfter = 200;

export function kindOf({ listens, isFinished, isFavorite }: HeardAudio): HeardKind {
  if (isFavorite) return 'favorite';
  if (listens >= often) return 'often';
  return isFinished ? 'finished' : 'played';
}

/** @param place of the audio among those that were heard, the newest first */
export function weightOf(heard: HeardAudio, place: number): number {
  return weights[kindOf(heard)] * 2 ** (-place / halfAfter);
}
