import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { href, Link } from 'react-router';
import type { FollowedSeries, FollowedVoice } from '#domain/notifications/followed.ts';
import { answerOf, api } from '../api.ts';
import { useToast } from '../ui/layers/toast.tsx';

/** Favorite creators and followed series, each with a switch. Each press is saved at once; a refused one is reverted. */
export function FollowedList({ voices, series }: { voices: FollowedVoice[]; series: FollowedSeries[] }) {
  const showToast = useToast();
  const [off, setOff] = useState(() => new Set(voices.flatMap(({ id, isOn }) => (isOn ? [] : [id]))));

  async function toggle(id: string, kind: 'voices' | 'series'): Promise<void> {
    const isOn = off.has(id);
    const set = (isOff: boolean) =>
      setOff((before) => new Set(isOff ? [...before, id] : [...before].filter((other) => other !== id)));
    set(!isOn);
    const call = { param: { id }, json: { isOn } };
    const answer = await answerOf(
      kind === 'voices'
        ? api.user['notification-voices'][':id'].$put(call)
        : api.user['notification-series'][':id'].$put(call),
    );
    if (answer.ok) return;
    set(isOn);
    showToast({ text: answer.message });
  }

  const rows = [
    ...voices.map(({ id, slug, name }) => ({
      id,
      name,
      to: href('/creators/:slug', { slug }),
      kind: 'voices' as const,
    })),
    ...series.map(({ id, slug, title }) => ({
      id,
      name: title,
      to: href('/series/:slug', { slug }),
      kind: 'series' as const,
    })),
  ];
  if (rows.length === 0)
    return (
      <p className="mt-2 text-muted">
        <Trans>No favorite creators and no followed series yet</Trans>
      </p>
    );
  return (
    <ul className="details">
      {rows.map(({ id, name, to, kind }) => (
        <li key={id} className="details__row details__row--wide">
          <Link
            className="min-w-0 font-medium [overflow-wrap:anywhere] hover:underline max-md:-my-3 max-md:py-3"
            to={to}
          >
            {name}
          </Link>
          <button
            type="button"
            className="link noscript:hidden"
            aria-pressed={!off.has(id)}
            aria-label={t`News of ${name}`}
            onClick={() => void toggle(id, kind)}
          >
            {off.has(id) ? t`Off` : t`On`}
          </button>
        </li>
      ))}
    </ul>
  );
}
