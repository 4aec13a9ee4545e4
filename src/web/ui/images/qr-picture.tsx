import type { QrPath } from '#formats/qr-path.ts';
import { classNames } from '../class-names.ts';

/** Dark on light in both themes, because cameras need it. */
export function QrPicture({ size, path, label, className }: QrPath & { label: string; className?: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className={classNames('rounded-cover', className ?? 'size-48')}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
