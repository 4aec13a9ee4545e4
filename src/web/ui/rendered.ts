import { type ComponentProps, type ReactElement, type SyntheticEvent, cloneElement, createElement } from 'react';
import { classNames } from './class-names.ts';

/** Props of a component that looks like a button and can be another element. */
export type RenderedProps = ComponentProps<'button'> & {
  /** Element to render in place of the button, such as a link. */
  render?: ReactElement | undefined;
};

type ButtonProps = ComponentProps<'button'> & { 'data-tone'?: string };

/**
 * Small replacement for Base UI’s `useRender`, which every page would load: `render`, or else a button.
 * @param own default props of the component
 */
export function rendered(render: ReactElement | undefined, own: ButtonProps, given: ButtonProps): ReactElement {
  if (render === undefined) return createElement('button', { type: 'button', ...mergeProps(own, given) });
  return cloneElement(render, mergeProps(mergeProps(own, given), render.props as ButtonProps));
}

/** Later props win, except that classes and styles are joined and all handlers are called, the later first. */
export function mergeProps(props: ButtonProps, later: ButtonProps): ButtonProps {
  const merged: Record<string, unknown> = { ...props, ...later };
  if (props.className !== undefined) merged.className = classNames(later.className, props.className);
  if (props.style !== undefined) merged.style = { ...props.style, ...later.style };
  for (const [name, handler] of Object.entries(props)) {
    if (!/^on[A-Z]/.test(name)) continue;
    const laterHandler = (later as Record<string, unknown>)[name];
    merged[name] =
      isHandler(laterHandler) && isHandler(handler) ? inTurn(laterHandler, handler) : (laterHandler ?? handler);
  }
  return merged as ButtonProps;
}

type Handler = (event: SyntheticEvent) => void;

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

function inTurn(first: Handler, second: Handler): Handler {
  return (event) => {
    first(event);
    second(event);
  };
}
