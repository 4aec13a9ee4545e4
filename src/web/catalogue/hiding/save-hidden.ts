import type { HiddenSubject } from '#domain/library/hidden.ts';
import { clearLeftLists } from '../lists/list-memory.ts';
import { answerOf, api } from '../../api.ts';

/** @returns what went wrong; undefined when it is saved */
export async function saveHidden(
  { kind, id }: Pick<HiddenSubject, 'kind' | 'id'>,
  isHidden: boolean,
): Promise<string | undefined> {
  const given = { param: { id }, json: { isHidden } };
  const answer = await answerOf(
    kind === 'audio' ? api.user.hidden.audios[':id'].$post(given) : api.user.hidden.voices[':id'].$post(given),
  );
  if (!answer.ok) return answer.message;
  clearLeftLists();
  return undefined;
}
