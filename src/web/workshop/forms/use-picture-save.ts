import { t } from '@lingui/core/macro';
import { useRevalidator } from 'react-router';
import type { Answer } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import type { ChosenPicture } from './read-picture.ts';

/** Notices after a picture was saved or removed. */
const notices = {
  Cover: () => [t`Cover saved`, t`Cover removed`],
  Picture: () => [t`Picture saved`, t`Picture removed`],
  Portrait: () => [t`Portrait saved`, t`Portrait removed`],
} satisfies Record<string, () => [saved: string, removed: string]>;

/** Saves what `PictureField` gives, and reloads the page. */
export function usePictureSave(name: keyof typeof notices, send: (base64: string | null) => Promise<Answer<unknown>>) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  return async (picture: ChosenPicture | null): Promise<string | undefined> => {
    const answer = await send(picture?.base64 ?? null);
    if (answer.ok || answer.status === 409) await revalidate();
    if (!answer.ok) return answer.message;
    const [saved, removed] = notices[name]();
    showToast({ text: picture === null ? removed : saved });
    return undefined;
  };
}
