/** Calls `act` once, at the first press of a pointer or a key anywhere. @returns stops waiting */
export function onFirstPress(act: () => void): () => void {
  const listening = new AbortController();
  const onPress = () => {
    listening.abort();
    act();
  };
  const { signal } = listening;
  window.addEventListener('pointerdown', onPress, { capture: true, signal });
  window.addEventListener('keydown', onPress, { capture: true, signal });
  return () => listening.abort();
}
