import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '../api.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useToast } from '../ui/toast.tsx';

/** In the order of the design's palette. */
const colors = ['Pink', 'Orange', 'Green', 'Blue', 'Purple', 'Yellow'];

type AccountColorProps = { name: string | null; color: number };

/** Saves at once. Whatever is chosen while it saves is saved after it, so that the last choice is the one that stays. */
export function AccountColor({ name, color }: AccountColorProps) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [chosen, setChosen] = useState<number>();
  const wanted = useRef<number>(undefined);

  async function choose(next: number): Promise<void> {
    const isSaving = wanted.current !== undefined;
    wanted.current = next;
    setChosen(next);
    if (isSaving) return;
    const refused = await saveWanted();
    wanted.current = undefined;
    // Not after a refusal: without a connection, asking for the page anew would lose it.
    if (refused === undefined) await revalidate();
    // From here on the page says it; after a refusal that is the color from before.
    if (wanted.current === undefined) setChosen(undefined);
    showToast({ text: refused ?? 'Avatar color saved' });
  }

  /** @returns what it was refused with */
  async function saveWanted(): Promise<string | undefined> {
    for (let saved: number | undefined; saved !== wanted.current;) {
      saved = wanted.current;
      const answer = await answerOf(api.user.profile.$post({ json: { color: saved } }));
      if (!answer.ok) return answer.message;
    }
    return undefined;
  }

  return (
    <div className="swatches" role="radiogroup" aria-label="Avatar color">
      {colors.map((label, index) => (
        <label key={label}>
          <input
            type="radio"
            className="vh"
            name="avatar-color"
            aria-label={label}
            checked={index === (chosen ?? color)}
            onChange={() => void choose(index)}
          />
          <Avatar name={name} color={index} />
        </label>
      ))}
    </div>
  );
}
