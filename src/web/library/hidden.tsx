import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { href, Link } from 'react-router';
import type { HiddenSubject } from '#domain/library/hidden.ts';
import { lazyParts } from '#web/catalogue/lazy-part.ts';
import { saveHidden } from '#web/catalogue/hiding/save-hidden.ts';
import { formatDate } from '#formats/times.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Cover } from '../ui/images/cover.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { HiddenTags, type TagName } from './hidden-tags.tsx';

const SuggestionSwitch = lazyParts(() => import('./suggestion-switch.tsx'))('SuggestionSwitch');

type HiddenAudio = {
  id: string;
  slug: string;
  title: string;
  imageUrl: string | null;
  voice: { name: string };
  /** ISO 8601. */
  hiddenAt: string;
};
type HiddenVoice = {
  id: string;
  slug: string;
  name: string;
  imageURL: string | null;
  totalAudios: number;
  hiddenAt: string;
};
/** The newest, and how many there are. */
type Part<Item> = { items: Item[]; total: number };

type HiddenProps = {
  audios: Part<HiddenAudio>;
  voices: Part<HiddenVoice>;
  hiddenTags: TagName[];
  /** To choose from. */
  tags: TagName[];
  /** Milliseconds since 1970, on the server. */
  now: number;
};

/** Everything that a listener hides. Each press is saved at once. */
export function Hidden({ hiddenTags, tags, now, ...first }: HiddenProps) {
  const [all, setAll] = useState<Pick<HiddenProps, 'audios' | 'voices'>>();
  const showToast = useToast();
  const { audios, voices } = all ?? first;

  async function loadAll(): Promise<void> {
    const answer = await answerOf(api.user.hidden.$get());
    if (!answer.ok) return showToast({ text: answer.message });
    const { data } = answer;
    setAll({
      audios: { items: data.audios, total: data.audios.length },
      voices: { items: data.voices, total: data.voices.length },
    });
  }

  return (
    <div id="hidden" tabIndex={-1}>
      <h1 className="text-26" tabIndex={-1}>
        <Trans>Hidden</Trans>
      </h1>
      <p className="mt-2 max-w-[60ch] text-soft">
        <Trans>
          You do not see these in lists, search and suggestions. Your favorites and playlists are not affected.
        </Trans>
      </p>
      <HiddenPart title={t`Audios`} part={audios} onAll={loadAll}>
        {({ id, slug, title, imageUrl, voice, hiddenAt }) => (
          <HiddenRow
            key={id}
            subject={{ kind: 'audio', id, name: title }}
            to={href('/audio/:slug', { slug })}
            cover={<Cover imageUrl={imageUrl} size={56} />}
            line={lineOf(voice.name, hiddenAt, now)}
          />
        )}
      </HiddenPart>
      <HiddenPart title={t`Creators`} part={voices} onAll={loadAll}>
        {({ id, slug, name, imageURL, totalAudios, hiddenAt }) => (
          <HiddenRow
            key={id}
            subject={{ kind: 'voice', id, name }}
            to={href('/creators/:slug', { slug })}
            cover={<Cover imageUrl={imageURL} shape="circle" size={56} />}
            line={lineOf(plural(totalAudios, { one: 'And # audio', other: 'And # audios' }), hiddenAt, now)}
          />
        )}
      </HiddenPart>
      <HiddenTags hidden={hiddenTags} tags={tags} />
      <Suspense>
        <SuggestionSwitch />
      </Suspense>
    </div>
  );
}

/** `Leila Marchetti-Oduya, hidden on 21 Nov 2026` */
function lineOf(of: string, hiddenAt: string, now: number): string {
  const date = formatDate(hiddenAt);
  return date === formatDate(now) ? t`${of}, hidden today` : t`${of}, hidden on ${date}`;
}

type HiddenPartProps<Item> = {
  title: string;
  part: Part<Item>;
  onAll: () => Promise<void>;
  children: (item: Item) => ReactNode;
};

function HiddenPart<Item>({ title, part: { items, total }, onAll, children }: HiddenPartProps<Item>) {
  const id = useId();
  const [isLoading, setIsLoading] = useState(false);
  if (total === 0) return null;
  return (
    <section className="mt-8" aria-labelledby={id}>
      <h2 className="text-22" id={id}>
        {title} <span className="tabular-nums text-14 text-muted">{total}</span>
      </h2>
      <ul>{items.map(children)}</ul>
      {items.length < total && (
        <Button
          className="mt-4 noscript:hidden"
          size="sm"
          busy={isLoading ? t`Loading…` : undefined}
          onClick={() => {
            setIsLoading(true);
            void onAll().finally(() => setIsLoading(false));
          }}
        >
          {t`Show all ${{ count: total }}`}
        </Button>
      )}
    </section>
  );
}

type HiddenRowProps = { subject: HiddenSubject; to: string; cover: ReactNode; line: string };

/** Keeps its place after “Show again”, so that Undo is where the press was. */
function HiddenRow({ subject, to, cover, line }: HiddenRowProps) {
  const [isHidden, setIsHidden] = useState(true);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { name } = subject;

  async function toggle(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setIsHidden(!isHidden);
    const failed = await saveHidden(subject, !isHidden);
    if (failed !== undefined) setIsHidden(isHidden);
    setProblem(failed);
    setIsBusy(false);
  }

  return (
    <li className="flex items-center gap-4 border-b border-line py-3">
      {cover}
      <div className="min-w-0 flex-1">
        <Link className="block truncate font-semibold hover:underline" to={to}>
          {name}
        </Link>
        <output className="block text-13 text-muted">{problem ?? (isHidden ? line : t`Shown again`)}</output>
      </div>
      <Button
        className="noscript:hidden flex-none"
        size="sm"
        aria-disabled={isBusy || undefined}
        onClick={() => void toggle()}
      >
        {isHidden ? t`Show again` : t`Undo`}
        <span className="sr-only"> {name}</span>
      </Button>
    </li>
  );
}
