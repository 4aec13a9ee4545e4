import { type ComponentProps, type ReactElement, type SVGProps, createElement } from 'react';

type IconData = { node: [tag: string, attributes: Record<string, string>][] };
type IconProps = ComponentProps<'svg'> & { size: number };

/**
 * Replaces `createLucideIcon` in both builds (vite.config.ts): renders the same element for the props that `Icon` passes,
 * without context, options, and what HTML does not need: classes with the icon's names, and a namespace.
 */
export default function createLucideIcon({ node }: IconData) {
  return function LucideIcon({ size, className, ...props }: IconProps): ReactElement<SVGProps<SVGSVGElement>> {
    return createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className,
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
  };
}
