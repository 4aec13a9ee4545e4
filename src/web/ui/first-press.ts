/** Long enough for the pressed control to react, and for sound to begin on a fast connection. */
const restMs = 300;

/**
 * Calls `act` once, shortly after the first press of a pointer or key anywhere: for code that may be needed next but
 * must not delay the press.
 * @returns stops waiting
 */
export function afterFirstPress(act: () => void): () => void {
  const listening = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const onPress = () => {
    listening.abort();
    timer = setTimeout(act, restMs);
  };
  const { signal } = listening;
  window.addEventListener('pointerdown', onPress, { capture: true, signal });
  window.addEventListener('keydown', onPress, { capture: true, signal });
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
