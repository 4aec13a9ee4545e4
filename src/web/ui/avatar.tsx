import { classNames } from './class-names.ts';

type AvatarProps = {
  /** Icon letter or username; its first letter is shown. */
  name: string | null | undefined;
  /** 0 is the pink default, 1 to 5 the palette; anything else counts as 0. */
  color?: number | undefined;
  size?: 36 | 40 | 88;
};

/** Decorative: the name stands beside it. */
export function Avatar({ name, color = 0, size = 36 }: AvatarProps) {
  // One again: upper case makes two of some, such as ß.
  const letter = first(first((name ?? '').trim())?.toLocaleUpperCase('en') ?? 'A');
  const tone = Number.isInteger(color) && color > 0 && color <= 5 ? color : 0;
  return (
    <span aria-hidden="true" className={classNames('av', tone > 0 && `av--${tone}`, size !== 36 && `av--${size}`)}>
      {letter}
    </span>
  );
}

function first(text: string): string | undefined {
  return [...text][0];
}
