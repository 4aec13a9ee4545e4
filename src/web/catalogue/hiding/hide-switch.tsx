import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { HiddenSubject } from '#domain/library/hidden.ts';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { HiddenText } from './hidden-text.tsx';
import { saveHidden } from './save-hidden.ts';

type HideSwitchProps = {
  subject: HiddenSubject;
  /** When the page was loaded. */
  isHidden: boolean;
  /** For the sign-in prompt. */
  imageUrl: string | null;
};

/** On the page of an audio or creator: hides it, says that it is hidden, and shows it again. */
export function HideSwitch({ subject, isHidden: wasHidden, imageUrl }: HideSwitchProps) {
  const askToSignIn = useSignInPrompt();
  const { revalidate } = useRevalidator();
  const [isHidden, setIsHidden] = useState(wasHidden);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { kind, name } = subject;

  async function toggle(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const failed = await saveHidden(subject, !isHidden);
    setIsBusy(false);
    setProblem(failed);
    if (failed !== undefined) return;
    setIsHidden(!isHidden);
    // Its page was loaded without its lists.
    if (wasHidden && isHidden) await revalidate();
  }

  const title = wasHidden ? (kind === 'audio' ? t`You hid this audio` : t`You hid this creator`) : undefined;
  return (
    <div className="ms-3 flex min-h-11 flex-wrap items-center gap-x-4 text-muted">
      <output className="contents text-14">
        {isHidden && <HiddenText subject={subject} {...(title !== undefined && { title })} />}
        {problem}
      </output>
      <button
        type="button"
        className="link noscript:hidden"
        aria-disabled={isBusy || undefined}
        onClick={() => askToSignIn({ title: t`Sign in to hide “${name}”`, imageUrl, act: () => void toggle() })}
      >
        {!isHidden ? t`Hide` : wasHidden ? t`Show again` : t`Undo`}
        <span className="sr-only"> {name}</span>
      </button>
    </div>
  );
}
