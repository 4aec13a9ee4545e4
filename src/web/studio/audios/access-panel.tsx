import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import type { AudioChange } from '#domain/studio/forms.ts';
import { Icon } from '../../ui/images/icon.tsx';

type AccessPanelProps = {
  audio: AudioFacts;
  isFree: boolean;
  onChange: (change: AudioChange) => void;
};

export function AccessPanel({ audio, isFree, onChange }: AccessPanelProps) {
  return (
    <section className="pane" aria-label={t`Who can listen`}>
      <h3 className="mb-2.5">
        <Trans>Who can listen</Trans>
      </h3>
      <fieldset className="segments segments--wide" aria-label={t`Who can listen`}>
        <button type="button" aria-pressed={isFree} onClick={() => onChange({ isFree: true })}>
          <Icon of={LockOpen} size={16} />
          <Trans>Everyone</Trans>
        </button>
        <button type="button" aria-pressed={!isFree} onClick={() => onChange({ isFree: false })}>
          <Icon of={Lock} size={16} />
          <Trans>Subscribers</Trans>
        </button>
      </fieldset>
      <p className="text-13 mt-2.5 text-muted">
        {isFree
          ? t`Free audios can be heard without logging in.`
          : audio.isPreview
            ? t`This is the preview, which everybody can hear.`
            : t`Others see it with a lock and cannot play it.`}
      </p>
    </section>
  );
}
