import type { ComponentProps, ReactElement, SVGProps } from 'react';
import { createElement } from 'react';

type IconData = { name: string; aliases?: string[]; node: [tag: string, attributes: Record<string, string>][] };
type IconProps = ComponentProps<'svg'> & { size: number };

/**
 * Replaces `createLucideIcon` in both builds (vite.config.ts): renders the same element for the props that `Icon` passes,
 * without context, renaming and options.
 */
export default function createLucideIcon({ name, aliases = [], node }: IconData) {
  return function LucideIcon({ size, className, ...props }: IconProps): ReactElement<SVGProps<SVGSVGElement>> {
    const names = ['lucide', ...[name, ...aliases].map((alias) => `lucide-${alias}`), className];
    return createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: names.join(' '),
        ...props,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
  };
}
