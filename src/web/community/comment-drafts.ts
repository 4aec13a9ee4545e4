/** Unsent comments and replies of one user, by what they answer. */
let drafts = { userId: '', texts: new Map<string, string>() };

/**
 * Text of a comment until it is accepted; outlives the field, which is gone after a log-out. In memory only, so that it
 * ends with the tab.
 * @param userId another user's drafts are dropped
 * @param subjectId the audio, or the comment that is replied to
 */
export function commentDraft(userId: string, subjectId: string) {
  if (drafts.userId !== userId) drafts = { userId, texts: new Map() };
  const { texts } = drafts;
  return {
    get: (): string => texts.get(subjectId) ?? '',
    set: (text: string): void => void texts.set(subjectId, text),
  };
}

/** The text of a refused comment, before what was typed since it was sent. */
export function withRefused(text: string, typed: string): string {
  return typed === '' || typed === text ? text : `${text}\n\n${typed}`;
}
