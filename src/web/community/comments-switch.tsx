import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '../api.ts';
import { useToast } from '../ui/layers/toast.tsx';

/** Lets the voice’s owner turn comments on this audio on and off. */
export function CommentsSwitch({ audioId, isOn }: { audioId: string; isOn: boolean }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [wanted, setWanted] = useState<boolean>();
  const shown = wanted ?? isOn;

  async function toggle(): Promise<void> {
    if (wanted !== undefined) return;
    setWanted(!isOn);
    const answer = await answerOf(
      api.audios[':id']['comments-disabled'].$put({ param: { id: audioId }, json: { commentsDisabled: isOn } }),
    );
    if (answer.ok) await revalidate();
    setWanted(undefined);
    showToast({ text: answer.ok ? (isOn ? 'Comments are off' : 'Comments are on') : answer.message });
  }

  return (
    <button
      type="button"
      role="switch"
      aria-checked={shown}
      className="noscript:hidden flex min-h-11 items-center gap-3 rounded-cover text-14 text-soft"
      onClick={() => void toggle()}
    >
      Allow comments
      <span className="switch" />
    </button>
  );
}
