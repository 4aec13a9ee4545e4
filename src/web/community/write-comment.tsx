import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { commentLength } from '#domain/community/rules.ts';
import { formatDate } from '#formats/times.ts';
import { formatCount } from '#formats/numbers.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useRootData } from '../root-data.ts';
import { useSignInPrompt, useSubscribePrompt } from '../identity/prompts.tsx';
import { Button } from '../ui/button.tsx';
import { Avatar } from '../ui/images/avatar.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useSendOnReturn } from './use-send-on-return.ts';
import type { useComments } from './use-comments.ts';

const loadForm = () => import('./comment-form.tsx');

type WriteCommentProps = {
  audio: AudioItem;
  /** Undefined where this viewer may not comment. */
  write: ReturnType<typeof useComments>['write'] | undefined;
  /** End of a break from new comments. */
  pausedUntil: Date | null;
};

/** Field above the comments, or who may comment. Its code loads for logged-in users only. */
export function WriteComment({ audio, write, pausedUntil }: WriteCommentProps) {
  const askToSignIn = useSignInPrompt();
  const { user } = useSession();
  const box = useRef<HTMLDivElement>(null);
  const form = useLoaded(loadForm, user !== null && write !== undefined);
  const hasField = form !== undefined && user !== null && write !== undefined;
  const sendOnReturn = useSendOnReturn(box, hasField);
  // Pressed before the code had loaded: focused as soon as it renders.
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (isWanted && form !== undefined) box.current?.querySelector('textarea')?.focus();
  }, [isWanted, form]);
  if (write === undefined) return pausedUntil === null ? <SubscribersWrite /> : <Paused until={pausedUntil} />;
  const { title, imageUrl } = audio;
  const ask = { title: t`Sign in to comment on “${title}”`, imageUrl };

  async function send(text: string): Promise<boolean> {
    if (write !== undefined && user !== null && user.username !== null) {
      const outcome = await write(text, null);
      if (outcome === 'logged-out') askToSignIn({ ...ask, act: sendOnReturn });
      return outcome === 'sent';
    }
    // The user has to choose a username first; the text stays in the field.
    askToSignIn({ ...ask, act: () => box.current?.querySelector('textarea')?.focus() });
    return false;
  }

  return (
    <div ref={box} className="noscript:hidden mt-5 flex items-start gap-3.5">
      <Avatar name={user?.icon ?? user?.username} color={user?.color} size={40} />
      {!hasField ? (
        <div className="min-w-0 flex-1">
          <button
            type="button"
            className="input min-h-13 text-muted"
            onClick={() => askToSignIn({ ...ask, act: () => setIsWanted(true) })}
          >
            <Trans>Say something kind…</Trans>
          </button>
          <p className="mt-2 flex justify-between gap-4 text-13 text-muted">
            <span>
              <Trans>Your username is shown with your comment.</Trans>
            </span>
            <span dir="ltr" className="tabular-nums whitespace-nowrap">
              {formatCount(0)} / {formatCount(commentLength)}
            </span>
          </p>
        </div>
      ) : (
        <form.CommentForm
          key={user.id}
          userId={user.id}
          subjectId={audio.id}
          label={t`Comment`}
          placeholder={t`Say something kind…`}
          submit={t({ message: 'Comment', context: 'verb' })}
          onSubmit={send}
        />
      )}
    </div>
  );
}

/** In place of the field, in a break. */
function Paused({ until }: { until: Date }) {
  return (
    <p className="mt-5 rounded-card bg-surface p-4 text-14 text-soft">
      {t`New comments are paused until ${{ date: formatDate(until) }}.`}
    </p>
  );
}

/** In place of the field, where the creator lets only subscribers comment. */
function SubscribersWrite() {
  const { user, openModal, preloadModals } = useSession();
  const askToSubscribe = useSubscribePrompt();
  const pausedUntil = useRootData()?.pausedUntil;
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card bg-surface p-4">
      <p className="text-14 text-soft">
        <Trans>Only subscribers can comment here.</Trans>
      </p>
      <div className="noscript:hidden flex gap-2" onPointerEnter={preloadModals}>
        {user === null && (
          <Button variant="ghost" size="sm" onClick={() => openModal('log-in')}>
            {t`Log in`}
          </Button>
        )}
        <Button size="sm" onClick={() => askToSubscribe()}>
          {pausedUntil === undefined ? t`Subscribe` : t`Resume subscription`}
        </Button>
      </div>
    </div>
  );
}
