import { classNames } from './class-names.ts';
import { type RenderedProps, rendered } from './rendered.ts';

type ChipProps = RenderedProps & { size?: 'sm' | 'md' };

/** One of several options: the selected one has `aria-current` (a link) or `aria-pressed` (a button). */
export function Chip({ size = 'md', render, ...props }: ChipProps) {
  return rendered(render, { className: classNames('chip', size === 'sm' && 'chip--small') }, props);
}
