import type { FailureCode } from '#player/failure.ts';
import { VoiceLink } from '#web/catalogue/content-link.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useEngineState, usePlayerCommands, usePlayerState } from './player-provider.tsx';
import { sourceOf } from './track-of.ts';

/** Spec §4 only logs the player's errors; here the listener is told in one line (product, "Playing"). */
const failures: Record<FailureCode, string> = {
  network: 'The connection was lost',
  decode: 'This recording cannot be played',
  gone: 'This audio is no longer there',
  'login-required': 'Sign in to hear this',
  'subscription-required': 'Subscribe to hear this',
};

/** Below the title: whose voice it is or, when something is wrong, what. */
export function PlayerLine({ place }: { place: 'bar' | 'expanded' }) {
  const { play } = usePlayerCommands();
  const current = usePlayerState((snapshot) => snapshot.current);
  const isPreview = usePlayerState((snapshot) => snapshot.isPreview);
  const failure = usePlayerState((snapshot) => snapshot.failure);
  const isReconnecting = useEngineState((engine) => engine.reconnecting);
  const isBlocked = useEngineState((engine) => engine.blocked);
  const look = place === 'bar' ? 'pl__v' : 'mt-0.5 flex min-h-8 items-center text-soft';

  if (failure !== null) {
    return (
      <p className={classNames(look, 'flex gap-2')} role="alert">
        <span className="trunc text-danger">{failures[failure]}</span>
        {failure === 'network' && (
          <button type="button" className="link text-13" onClick={play}>
            Retry
          </button>
        )}
      </p>
    );
  }
  if (isReconnecting)
    return <p className={classNames(look, place === 'bar' && 'trunc')}>Connection lost. Trying again…</p>;
  if (isBlocked) return <p className={classNames(look, place === 'bar' && 'trunc')}>Press play to go on</p>;
  if (current === null) return <p className={classNames(look, place === 'bar' && 'trunc')}>Choose something to hear</p>;
  return (
    <p className={classNames(look, 'flex')}>
      {isPreview && <span className="leading-6">Preview</span>}
      {/* It is what is cut off, not the line: the line would cut off its focus ring. As high as a target has to be. */}
      <VoiceLink
        className={classNames('trunc leading-6 hover:text-text', isPreview && 'dot')}
        voice={current.voice}
        source={sourceOf(current)}
      >
        {current.voice.name}
      </VoiceLink>
    </p>
  );
}
