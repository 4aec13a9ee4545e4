import { t } from '@lingui/core/macro';
import { href, Link } from 'react-router';

type TipLinkProps = { voice: { slug: string; name: string }; audioId?: string };

/** To the page on which a creator is tipped. @param props.audioId the audio on whose page it stands */
export function TipLink({ voice: { slug, name }, audioId }: TipLinkProps) {
  const search = audioId === undefined ? '' : `?audio=${audioId}`;
  return (
    <Link className="link ms-3" to={href('/tip/:slug', { slug }) + search}>
      {t({ message: 'Tip', context: 'verb' })}
      <span className="sr-only"> {name}</span>
    </Link>
  );
}
