import Heart from 'lucide-react/icons/heart';
import MessageCircle from 'lucide-react/icons/message-circle';
import ShieldCheck from 'lucide-react/icons/shield-check';
import type { LucideIcon } from 'lucide-react';
import type { Audio } from '#domain/catalogue/audios.ts';
import { formatCount } from '#web/format.ts';
import { useSession } from '#web/identity/session-provider.tsx';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** What listeners said about an audio. Writing needs an account. */
export function Comments({ audio }: { audio: Audio }) {
  const askToSignIn = useSignInPrompt();
  const { user } = useSession();
  return (
    <section aria-label="Comments">
      <h2 className="t-26">
        Comments{' '}
        {!audio.commentsDisabled && (
          <span className="num font-ui text-16 tracking-normal text-muted">{formatCount(audio.totalComments)}</span>
        )}
      </h2>
      {audio.commentsDisabled ? (
        <p className="mt-5 text-muted">This creator has turned off their comments.</p>
      ) : (
        <>
          <div className="script mt-5 flex items-start gap-3.5">
            <Avatar name={user?.icon ?? user?.username} color={user?.color} size={40} />
            <div className="grow">
              <button
                type="button"
                className="in min-h-13! text-muted!"
                onClick={() => askToSignIn({ to: `comment on “${audio.title}”`, imageUrl: audio.imageUrl })}
              >
                Say something kind…
              </button>
              <p className="mt-2 flex justify-between gap-4 text-13 text-muted">
                <span>Your username is shown with your comment.</span>
                <span className="num whitespace-nowrap">0 / 1,000</span>
              </p>
            </div>
          </div>
          {audio.totalComments === 0 && <p className="mt-8 text-muted">No comments</p>}
        </>
      )}
    </section>
  );
}

const guidelines: { icon: LucideIcon; text: string }[] = [
  { icon: Heart, text: 'Be warm. A person read this aloud for you.' },
  { icon: MessageCircle, text: 'Talk about the performance, not the performer’s body or private life.' },
  { icon: ShieldCheck, text: 'No slurs, threats, contact details or links. We remove them and may close the account.' },
];

export function CommentGuidelines() {
  return (
    <aside className="panel text-14 leading-[1.55] text-soft" aria-label="Comment guidelines">
      <h3 className="font-ui text-18 font-semibold tracking-normal">Comment guidelines</h3>
      <ul>
        {guidelines.map(({ icon, text }) => (
          <li key={text} className="mt-3 flex gap-2.5">
            <Icon of={icon} size={18} className="mt-0.5 text-accent-text" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </aside>
  );
}
