import type { HiddenSubject } from '#domain/library/hidden.ts';
import { clearLeftLists } from '../lists/list-memory.ts';
import { type Answer, answerOf, api } from '../../api.ts';

/** @returns what went wrong; undefined when it is saved */
export async function saveHidden(
  { kind, id }: Pick<HiddenSubject, 'kind' | 'id'>,
  isHidden: boolean,
): Promise<string | undefined> {
  const given = { param: { id }, json: { isHidden } };
  return failureOf(
    kind === 'audio'
      ? await answerOf(api.user.hidden.audios[':id'].$post(given))
      : await answerOf(api.user.hidden.voices[':id'].$post(given)),
  );
}

/** The same for a tag. */
export async function saveHiddenTag(slug: string, isHidden: boolean): Promise<string | undefined> {
  return failureOf(await answerOf(api.user['hidden-tags'][':slug'].$post({ param: { slug }, json: { isHidden } })));
}

function failureOf(answer: Answer<unknown>): string | undefined {
  if (!answer.ok) return answer.message;
  clearLeftLists();
  return undefined;
}
