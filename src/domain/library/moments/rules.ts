/** Characters (code points) of a note. */
export const momentNoteLength = 500;
export const maxMoments = 2000;
/** A day; audios are shorter. */
export const maxMomentMs = 86_400_000;
