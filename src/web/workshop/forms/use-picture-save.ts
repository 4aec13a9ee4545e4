import { useRevalidator } from 'react-router';
import type { Answer } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import type { ChosenPicture } from './read-picture.ts';

/** Saves what `PictureField` gives, and reloads the page. @param name such as `Portrait` */
export function usePictureSave(name: string, send: (base64: string | null) => Promise<Answer<unknown>>) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  return async (picture: ChosenPicture | null): Promise<string | undefined> => {
    const answer = await send(picture?.base64 ?? null);
    if (answer.ok || answer.status === 409) await revalidate();
    if (!answer.ok) return answer.message;
    showToast({ text: `${name} ${picture === null ? 'removed' : 'saved'}` });
    return undefined;
  };
}
