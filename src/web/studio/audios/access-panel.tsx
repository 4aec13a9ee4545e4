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
    <section className="pane" aria-label="Who can listen">
      <h3 className="mb-2.5">Who can listen</h3>
      <fieldset className="segments segments--wide" aria-label="Who can listen">
        <button type="button" aria-pressed={isFree} onClick={() => onChange({ isFree: true })}>
          <Icon of={LockOpen} size={16} />
          Everyone
        </button>
        <button type="button" aria-pressed={!isFree} onClick={() => onChange({ isFree: false })}>
          <Icon of={Lock} size={16} />
          Subscribers
        </button>
      </fieldset>
      <p className="text-13 mt-2.5 text-muted">
        {isFree
          ? 'Free audios can be heard without logging in.'
          : audio.isPreview
            ? 'This is the preview, which everybody can hear.'
            : 'Others see it with a lock and cannot play it.'}
      </p>
    </section>
  );
}
