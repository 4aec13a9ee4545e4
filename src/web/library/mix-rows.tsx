import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Play from 'lucide-react/icons/play';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { MixWordList } from '#web/catalogue/filters/mix-words.tsx';
import { canPlay } from '#domain/listening/rules.ts';
import { formatDuration } from '#formats/durations.ts';
import { useListener, usePlayerCommands } from '#web/listening/player-provider.tsx';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Collage } from '../ui/images/collage.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import type { MixRow } from './load-mixes.ts';
import { MixMenu } from './mix-menu.tsx';

const loadList = () => import('#web/listening/load-list.ts');

export function MixRows({ mixes }: { mixes: MixRow[] }) {
  return (
    <>
      <ul className="mt-2">
        {mixes.map((mix) => (
          <Row key={mix.id} mix={mix} />
        ))}
      </ul>
      <p className="mt-4 text-14 text-muted">
        <Trans>Set filters on any list, then choose “Save as a mix”.</Trans>
      </p>
    </>
  );
}

function Row({ mix }: { mix: MixRow }) {
  const { name, to, totalAudios, totalDuration, newAudios, sort, imageUrls, words } = mix;
  const facts = [
    plural(totalAudios, { one: '# audio', other: '# audios' }),
    ...(totalAudios > 0 ? [formatDuration(totalDuration)] : []),
    sort,
  ];
  return (
    <li className="mix">
      <Collage imageUrls={imageUrls} size={64} />
      <div className="min-w-0">
        <h2>
          <Link to={to}>{name}</Link>
          {newAudios > 0 && <span className="tag">{plural(newAudios, { one: '# new', other: '# new' })}</span>}
        </h2>
        <p className="text-13 text-muted">{facts.join(' · ')}</p>
        <MixWordList words={words} />
      </div>
      <PlayMix mix={mix} />
      <MixMenu mix={mix} />
    </li>
  );
}

/** Its audios load when it is about to be pressed. */
function PlayMix({ mix: { id, name, totalAudios } }: { mix: MixRow }) {
  const viewer = useListener();
  const { press } = usePlayerCommands();
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const path = `/v1/api/user/mixes/${id}/audios`;
  const loading = useRef<ReturnType<Awaited<ReturnType<typeof loadList>>['loadPart']>>(undefined);
  const load = () => (loading.current ??= loadList().then(({ loadPart }) => loadPart(path, undefined)));

  async function play(): Promise<void> {
    setIsBusy(true);
    try {
      const { items, nextCursor } = await load();
      const first = items.findIndex((audio) => canPlay(viewer, audio));
      press(items, Math.max(0, first), 'favorites', name, { path, cursor: nextCursor ?? undefined });
      void answerOf(api.user.mixes[':id'].visit.$post({ param: { id } }));
    } catch {
      showToast({ text: t`The list could not be loaded. Please try again.` });
    }
    loading.current = undefined;
    setIsBusy(false);
  }

  if (totalAudios === 0) return <span />;
  return (
    <Button
      size="sm"
      busy={isBusy ? t`Loading` : undefined}
      aria-label={t`Play ${{ title: name }}`}
      onPointerEnter={() => void load().catch(() => (loading.current = undefined))}
      onClick={() => void play()}
    >
      <Icon of={Play} size={16} filled />
      {t`Play`}
    </Button>
  );
}
