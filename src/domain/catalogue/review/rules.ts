/** Audios that are reviewed before they become public: none, the first of each creator, or all. */
export const reviewModes = ['off', 'new-creators', 'all'] as const;
export type ReviewMode = (typeof reviewModes)[number];

/** First audios of a creator, with `new-creators`. */
export const reviewedFirst = 5;

export const reviewStates = ['waiting', 'returned'] as const;
export type ReviewState = (typeof reviewStates)[number];

export const reviewCauses = ['new-creator', 'all', 'new-sound', 'watched-word'] as const;
export type ReviewCause = (typeof reviewCauses)[number];

export type ReviewDecision = 'approved' | 'returned' | 'withdrawn';

/** Fills the first words of the reason. */
export const returnReasons = ['consent-missing', 'wrong-notes', 'text-differs', 'sound', 'other'] as const;
export type ReturnReason = (typeof returnReasons)[number];
