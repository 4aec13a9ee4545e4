import { classNames } from '../class-names.ts';

type AvatarProps = {
  /** Icon letter or username; its first letter is shown. */
  name: string | null | undefined;
  /** `#RRGGBB`; without it the pink default. */
  color?: string | undefined;
  size?: 24 | 36 | 40 | 64 | 88;
};

/** Decorative: the name is beside it. */
export function Avatar({ name, color, size = 36 }: AvatarProps) {
  // Sliced again, because upper case turns some letters, such as ß, into two.
  const letter = first(first((name ?? '').trim())?.toLocaleUpperCase('en') ?? 'A');
  return (
    <span
      aria-hidden="true"
      className={classNames('avatar', size !== 36 && `avatar--${size}`)}
      style={color === undefined ? undefined : { backgroundColor: color }}
    >
      {letter}
    </span>
  );
}

function first(text: string): string | undefined {
  return [...text][0];
}
