import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type AvatarColor, avatarColors } from '#domain/identity/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { useToast } from '../../ui/layers/toast.tsx';

/** In the order of the palette. */
const colorNames = () => [t`Pink`, t`Orange`, t`Green`, t`Blue`, t`Purple`, t`Yellow`];

type AccountColorProps = { name: string | null; color: AvatarColor };

/** Saves at once. A color chosen during a save is saved after it, so that the last choice wins. */
export function AccountColor({ name, color }: AccountColorProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [chosen, setChosen] = useState<AvatarColor>();
  const latest = useRef<AvatarColor>(undefined);
  const names = colorNames();

  async function choose(next: AvatarColor): Promise<void> {
    const isSaving = latest.current !== undefined;
    latest.current = next;
    setChosen(next);
    if (isSaving) return;
    const refused = await saveLatest();
    latest.current = undefined;
    // Not after a refusal: offline, reloading the data would fail.
    if (refused === undefined) await revalidate();
    // The page’s data has the saved color now; after a refusal, the previous one.
    if (latest.current === undefined) setChosen(undefined);
    showToast({ text: refused ?? t`Avatar color saved` });
  }

  /** @returns the error message, if refused */
  async function saveLatest(): Promise<string | undefined> {
    for (let saved: AvatarColor | undefined; saved !== latest.current;) {
      saved = latest.current;
      const answer = await answerOf(api.user.profile.$post({ json: { color: saved } }));
      if (!answer.ok) return answer.message;
    }
    return undefined;
  }

  return (
    // Firefox would restore an older choice on reload, and it would be saved. Enter would send the form.
    <form autoComplete="off" onSubmit={(event) => event.preventDefault()}>
      <div className="swatches" role="radiogroup" aria-label={t`Avatar color`}>
        {avatarColors.map((one, index) => (
          <label key={one}>
            <input
              type="radio"
              className="sr-only"
              name="avatar-color"
              aria-label={names[index]}
              checked={one === (chosen ?? color)}
              onChange={() => void choose(one)}
            />
            <Avatar name={name} color={one} />
          </label>
        ))}
      </div>
    </form>
  );
}
