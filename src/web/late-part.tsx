import { t } from '@lingui/core/macro';
import {
  type ComponentType,
  type ReactNode,
  createElement,
  memo,
  Suspense,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useNavigate } from 'react-router';
import { routePath } from './ui/route-path.ts';
import { browserClock } from '#player/clock.ts';
import { createLazy } from '#player/lazy.ts';
import { createListeners } from '#player/listeners.ts';
import { browserNetwork } from '#player/network.ts';
import { isStarted } from '#player/playback.ts';
import { withResolvers } from '#player/with-resolvers.ts';
import { usePlayerCommands } from './listening/player-provider.tsx';
import { afterFirstPress } from './ui/first-press.ts';
import { addLayer } from './ui/layers/open-layers.ts';
import { reportFields } from './ui/fields/report-fields.ts';
import { useToast } from './ui/layers/toast.tsx';

/** Distance from the window at which the code of a part below it loads. */
const margin = '600px 0px';

const subscribe = () => () => {};

/**
 * A part of a page whose code is not part of the first load: the server’s HTML is shown, and the code loads when the
 * part comes near the window, or after the first press. A navigation waits for the code, so that the page appears
 * complete. When the code fails to load, the browser itself gets the press, and the code is retried.
 * @param load rejects when offline
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const failures = createListeners();
  const code = createLazy({ load, clock: browserClock, network: browserNetwork, onFailed: failures.emit });
  const { promise, resolve } = withResolvers<ComponentType<Props>>();
  let isWanted = false;

  function want(): void {
    if (isWanted) return;
    isWanted = true;
    code.use((Part) => {
      resolve(Part);
      // React marks promises this way; `use` then returns the value synchronously.
      Object.assign(promise, { status: 'fulfilled', value: Part });
    });
  }

  function Content({ props, onAlive }: { props: Props; onAlive: () => void }): ReactNode {
    // Must always run: after a suspended render, React uses this call to recognize that the hooks below belong to a
    // first render.
    const Part = use(promise);
    useEffect(onAlive, [onAlive]);
    return createElement(Part, props);
  }

  function LatePart(props: Props) {
    const place = useRef<HTMLDivElement>(null);
    // Stays true after hydration: rendering the part again would discard the server’s HTML.
    const [origin] = useState(createOrigin);
    const [early] = useState(createEarlyPress);
    const [onAlive] = useState(() => () => {
      if (origin.isServer() && place.current) reportFields(place.current);
      early.repeat();
    });
    const mayWait = useSyncExternalStore(subscribe, origin.isServer, origin.noteServer);
    const [firstProps] = useState(props);
    // The server’s HTML cannot show newer data.
    if (!mayWait || typeof document === 'undefined' || props !== firstProps) want();
    useEffect(() => {
      const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && want(), { rootMargin: margin });
      if (place.current) observer.observe(place.current);
      const stopWaiting = afterFirstPress(want);
      return () => {
        observer.disconnect();
        stopWaiting();
      };
    }, []);
    useEffect(() => {
      const onClick = (event: MouseEvent) => {
        const control = event.target instanceof Element && event.target.closest<HTMLElement>('a, button');
        if (!early.isHeld() || !control || !place.current?.contains(control)) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        early.hold(control);
        want();
        code.retryNow();
      };
      window.addEventListener('click', onClick, { capture: true });
      return () => {
        window.removeEventListener('click', onClick, { capture: true });
        early.drop();
      };
    }, [early]);
    const content = <Content props={props} onAlive={onAlive} />;
    return (
      <div ref={place}>
        {mayWait ? <Suspense fallback={null}>{content}</Suspense> : content}
        <LostPress early={early} failures={failures} />
      </div>
    );
  }

  // A part with unchanged data does not render again, and so keeps the server’s HTML.
  return memo(LatePart) as unknown as ComponentType<Props>;
}

/** Whether the part's HTML came from the server. */
function createOrigin() {
  let isServer = false;
  return { isServer: () => isServer, noteServer: () => (isServer = true) };
}

/** The last press before the part's code: React swallows clicks on HTML that is not hydrated yet. */
function createEarlyPress() {
  let isOver = false;
  let isGivenBack = false;
  let pressed: HTMLElement | undefined;
  let removeLayer: (() => void) | undefined;

  function take(): HTMLElement | undefined {
    const control = pressed;
    pressed = undefined;
    removeLayer?.();
    removeLayer = undefined;
    return control;
  }

  /** After the press’s entry has left the history: going back would stop a navigation. */
  function release(act: (control: HTMLElement) => void): void {
    const before = countEntries();
    const control = take();
    const attempt = () => {
      if (!control?.isConnected) return;
      if (before > 0 && countEntries() === before) setTimeout(attempt, 10);
      else act(control);
    };
    attempt();
  }

  return {
    isHeld: () => !isOver && !isGivenBack,
    hold(control: HTMLElement) {
      pressed = control;
      // Back takes the press back.
      removeLayer ??= addLayer(() => void take());
    },
    repeat() {
      isOver = true;
      // After React has rendered what was typed.
      setTimeout(() => release((control) => control.click()));
    },
    release(act: (control: HTMLElement) => void) {
      release((control) => {
        isGivenBack = true;
        act(control);
        isGivenBack = false;
      });
    },
    drop: () => void take(),
  };
}

function countEntries(): number {
  return (window.history.state as { layers?: unknown[] } | null)?.layers?.length ?? 0;
}

type LostPressProps = { early: ReturnType<typeof createEarlyPress>; failures: ReturnType<typeof createListeners> };

/**
 * After a failed load, follows the pressed link or sends the form without the part's code, but not in a way that would
 * end the sound. Other controls need their code, and a notice says so. Renders nothing: a component of its own, because
 * the part must not render again.
 */
function LostPress({ early, failures }: LostPressProps): ReactNode {
  const showToast = useToast();
  const navigate = useNavigate();
  const { getSnapshot } = usePlayerCommands();
  const release = useEffectEvent((control: HTMLElement) => {
    const { origin } = window.location;
    if (
      control instanceof HTMLAnchorElement &&
      control.origin === origin &&
      control.target === '' &&
      isStarted(getSnapshot().status)
    )
      return void navigate(routePath(control.pathname) + control.search + control.hash);
    const isSent = control instanceof HTMLButtonElement && control.type === 'submit' && hasAddress(control.form);
    if (control instanceof HTMLAnchorElement || (isSent && !isStarted(getSnapshot().status))) return control.click();
    showToast({ text: navigator.onLine ? t`This could not be loaded. Please try again.` : t`No internet connection` });
  });
  useEffect(() => failures.subscribe(() => early.release((control) => release(control))), [early, failures]);
  return null;
}

/** Other forms are sent by a script. */
function hasAddress(form: HTMLFormElement | null): boolean {
  return form?.hasAttribute('action') === true;
}
