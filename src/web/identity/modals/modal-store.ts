import { createListeners } from '#player/listeners.ts';
import { withResolvers } from '#player/with-resolvers.ts';
import { type ModalAction, type ModalName, type ModalState, changeModals, noModal } from './modal-state.ts';

/** Store of the open modal, outside React, so that components that open modals do not re-render when one opens. */
export function createModalStore() {
  const changes = createListeners();
  let state = noModal;
  let awaited: { modal: ModalName; resolve: (outcome: 'done' | 'left') => void } | undefined;

  function dispatch(action: ModalAction): void {
    const changed = changeModals(state, action);
    state = changed;
    changes.emit();
    if (awaited !== undefined && awaited.modal !== state.modal) settle('left');
  }

  function settle(outcome: 'done' | 'left'): void {
    const { resolve } = awaited ?? {};
    awaited = undefined;
    resolve?.(outcome);
  }

  return {
    getState: (): ModalState => state,
    subscribe: changes.subscribe,
    dispatch,
    /** Opens a modal and waits for its end: `done` by `finish`, `left` by anything else. */
    async openAndWait(modal: ModalName): Promise<'done' | 'left'> {
      settle('left');
      const { promise, resolve } = withResolvers<'done' | 'left'>();
      dispatch({ type: 'opened', modal });
      awaited = { modal, resolve };
      return promise;
    },
    /** The modal has done its job. */
    finish(closing: Extract<ModalAction, { type: 'closed' | 'payment-added' }> = { type: 'closed' }): void {
      settle('done');
      dispatch(closing);
    },
  };
}
