import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Pin from 'lucide-react/icons/pin';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { type CommentOrder, commentHolds, commentOrders } from '#domain/catalogue/rules.ts';
import type { CommentSettings } from '#domain/community/comment-settings.ts';
import { maxHeldWords } from '#domain/community/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { answerOf, api } from '../../api.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { BreakField } from '../../studio/comments/break-field.tsx';
import { CommentersChoice } from '../../studio/comments/commenters-choice.tsx';
import { holdWords } from '../../studio/comments/hold-words.ts';
import { useCommentActs } from '../../studio/comments/use-comment-acts.ts';
import { managedVoice } from '../../studio/managed-voice.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { ChoiceField } from '../../workshop/forms/choice-field.tsx';
import { RadioOption } from '../../workshop/forms/radio-option.tsx';
import { Part } from '../../workshop/forms/settings-part.tsx';
import { useSavedChanges } from '../../workshop/forms/use-saved-changes.ts';
import { type Token, TokenField } from '../../workshop/forms/token-field.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import type { Route } from './+types/comment-settings';

const shownPinned = 20;

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const [settings, pinned] = await Promise.all([
    site.community.findCommentSettings(voice.id).then(orNotFound),
    site.community.listVoiceComments(viewer, voice.id, { filter: 'pinned', limit: shownPinned }).then(orNotFound),
  ]);
  return {
    settings: { ...settings, pausedUntil: settings.pausedUntil?.toISOString() ?? null },
    pinned: pinned.items.map(({ id, user, audio }) => ({
      id,
      username: user.username,
      audio: { slug: audio.slug, title: audio.title },
    })),
    now: Date.now(),
  };
}

export const meta = metaOf(() => ({ title: t`Comment settings`, description: t`Comment settings`, index: 'no' }));

const orders: Record<CommentOrder, () => string> = {
  newest: () => t`Newest`,
  oldest: () => t`Oldest`,
  answered: () => t`Most answered`,
};

const noSuggestions = () => [];
const toToken = (text: string): Token => ({ value: text.toLowerCase(), label: text });

type Changeable = Omit<CommentSettings, 'pausedUntil'> & { pausedUntil: string | null };

/** Choice of the comments that are held, and how comments are shown. Each change is saved at once. */
export default function StudioCommentSettings({ loaderData: { settings, pinned, now } }: Route.ComponentProps) {
  const { voice } = useStudio();
  const acts = useCommentActs(voice);
  const showToast = useToast();
  const [savedAt, setSavedAt] = useState<string>();
  const { shown, save: send } = useSavedChanges<Changeable>(settings, (change) =>
    answerOf(api.studio.voices[':id']['comment-settings'].$patch({ param: { id: voice.id }, json: change })),
  );

  async function save(change: Partial<Changeable>): Promise<void> {
    const answer = await send(change);
    if (answer.ok) setSavedAt(new Date().toISOString());
    else showToast({ text: answer.message });
  }

  return (
    <div>
      <Part title={t`Who may comment`} help={t`On new audios. Each audio can be changed in its editor.`}>
        <CommentersChoice
          label={t`Who may comment on new audios`}
          value={shown.commenters}
          onChange={(commenters) => void save({ commenters })}
        />
        {settings.audios > 0 && (
          <p className="text-13 mt-3 tabular-nums text-muted">
            {t`Comments are on for ${{ on: formatCount(settings.withComments) }} of ${plural({ count: settings.audios }, { one: '# audio', other: '# audios' })} by ${{ name: voice.name }}.`}
          </p>
        )}
      </Part>
      <Part title={t`Held until you read them`} help={t`Held comments are seen by their writer and you.`}>
        <fieldset aria-label={t`Held until you read them`}>
          {commentHolds.map((hold) => (
            <RadioOption
              key={hold}
              name="hold"
              {...holdWords[hold]()}
              checked={shown.hold === hold}
              onChoose={() => void save({ hold })}
            />
          ))}
        </fieldset>
        <div className="mt-5">
          <TokenField
            label={t`Your own words`}
            tokens={shown.words.map(toToken)}
            max={maxHeldWords}
            suggest={noSuggestions}
            create={toToken}
            hint={t`They hold a comment in any case. Whole words count, in capitals or small letters, with or without accents. Nobody is told.`}
            onChange={(tokens) => void save({ words: tokens.map(({ label }) => label) })}
          />
        </div>
      </Part>
      <Part title={t`How they are shown`}>
        <ChoiceField
          label={t({ message: 'First', context: 'order of comments' })}
          value={shown.order}
          none={null}
          options={commentOrders.map((value) => ({ value, label: orders[value]() }))}
          onChoose={(value) => void save({ order: value as CommentOrder })}
        />
        <p className="field-label mt-5">{t({ message: 'Pinned', context: 'comments' })}</p>
        <ul>
          {pinned.map(({ id, username, audio }) => (
            <li key={id} className="flex items-center gap-3 py-2 text-14">
              <Icon of={Pin} size={18} className="flex-none text-muted" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <Trans>
                  <b>{username}</b> under{' '}
                  <Link className="link" to={href('/audio/:slug', { slug: audio.slug })} dir="auto">
                    {audio.title}
                  </Link>
                </Trans>
              </span>
              <Button
                size="sm"
                aria-label={t`Unpin the comment by ${username}`}
                onClick={() => void acts.setPinned({ id }, false)}
              >
                {t`Unpin`}
              </Button>
            </li>
          ))}
        </ul>
        <p className="hint mt-1">{t`One on each audio. Pin another one in the list of comments.`}</p>
      </Part>
      <Part title={t`A break`} help={t`What is there stays readable.`}>
        <BreakField pausedUntil={shown.pausedUntil} now={now} onChange={(pausedUntil) => void save({ pausedUntil })} />
      </Part>
      <output className="saved mt-2">
        {savedAt !== undefined && (
          <>
            <Icon className="text-success" of={Check} size={16} />
            <span>
              <Trans>
                Saved at <LocalTime at={savedAt} style="clock" />
              </Trans>
            </span>
          </>
        )}
      </output>
    </div>
  );
}
