import { ratingLabel } from '#formats/rating.ts';
import { useRootData } from '../root-data.ts';

/** For filters, which read documents: rendered by the server alone, so browsers load no code for it. */
export function RatingLabel() {
  const root = useRootData();
  return root !== undefined && !root.isUnlabelled && <meta name="rating" content={ratingLabel} />;
}
